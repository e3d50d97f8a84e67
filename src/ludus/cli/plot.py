"""``ludus plot``: runs as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.options import JsonOption, StoreOption, opened
from ludus.cli.output import print_json
from ludus.errors import OptionError

__all__ = ["plot"]


def plot(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="Ids of runs, or their beginnings; or folders of trained worms."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Where the pictures go.")
    ] = Path(),
    dark: Annotated[bool, typer.Option("--dark", help="Light on dark.")] = False,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Draw runs of one benchmark: scores, performance profile, progress, who beats whom.

    Example: ludus plot 1a2b3c4d 5e6f7a8b --out pictures
    """
    from ludus.reports.run_plots import read_results, write_plots

    if out.exists() and not out.is_dir():
        raise OptionError(f"{str(out)!r} is a file; name a directory with --out")
    if all(Path(run).is_dir() for run in runs):
        _plot_worms(runs, out, "dark" if dark else "light", json=json)
        return
    with opened(store) as kept:
        results = read_results(runs, kept)
    written = write_plots(out, results, style="dark" if dark else "light")
    if json:
        print_json({"runs": list(results.runs), "files": [str(file) for file in written]})
        return
    for file in written:
        typer.echo(str(file))


def _plot_worms(folders: list[str], out: Path, style: str, *, json: bool) -> None:
    from ludus.reports.worm_plots import read_brains, write_worm_plots

    written = write_worm_plots(out, read_brains(folders), style=style)
    if json:
        print_json({"folders": folders, "files": [str(file) for file in written]})
        return
    for file in written:
        typer.echo(str(file))
