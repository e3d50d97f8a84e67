"""``ludus plot``: runs as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.benchmarks.families import families, family_of_folder
from ludus.benchmarks.family import import_attribute
from ludus.cli.options import JsonOption, StoreOption
from ludus.cli.output import check_folder, print_files

__all__ = ["plot"]


def plot(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="Ids of runs, or their beginnings; or folders of trainings."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Where the pictures go.")
    ] = Path(),
    dark: Annotated[bool, typer.Option("--dark", help="Light on dark.")] = False,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", help="png, pdf or svg; may be repeated.", show_default="png"),
    ] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Draw runs of one benchmark: scores, performance profile, progress, who beats whom.

    Where episodes succeed or fail, also how often, how far and how fast, in the order of the table.
    Where agents have learned from training plays, their learning curves as well.

    Example: ludus plot 1a2b3c4d 5e6f7a8b --out pictures --format pdf
    """
    from ludus.api.settings import open_store
    from ludus.reports.run_plots import read_results, write_plots
    from ludus.reports.success_plots import write_success_plots
    from ludus.reports.training_curves import write_training_curves

    check_folder(out)
    style = "dark" if dark else "light"
    if all(Path(run).is_dir() for run in runs):
        _plot_folders(runs, out, style, formats, json=json)
        return
    written: dict[str, Any] = {"style": style, "formats": formats or ("png",)}
    with open_store(store_url) as store:
        results = read_results(runs, store)
        files = write_plots(out, results, **written)
        files += write_success_plots(out, runs, store, **written)
        files += write_training_curves(out, runs, store, **written)
    print_files(files, json=json, runs=list(results.runs))


def _plot_folders(
    folders: list[str], out: Path, style: str, formats: list[str] | None, *, json: bool
) -> None:
    drawing = [family for family in families().values() if family.plot_folders]
    owner = family_of_folder(folders[0])
    others = next(family for family in drawing if family.trains_configs)  # or says what is wrong
    family = owner if owner in drawing else others
    more: dict[str, Any] = {"formats": formats} if formats else {}
    files = import_attribute(family.plot_folders)(folders, out, style=style, **more)
    print_files(files, json=json, folders=folders)
