"""``ludus nematode behaviour``: does it move like a worm?"""

from __future__ import annotations

from typing import Annotated

import typer

from ludus.cli.options import JsonOption, StoreOption
from ludus.cli.output import print_json, print_view, progress
from ludus.errors import OptionError

__all__ = ["behaviour"]


def behaviour(
    sources: Annotated[
        list[str], typer.Argument(metavar="{RUN|FOLDER}…", help="Runs, or folders of trainings.")
    ],
    agent: Annotated[
        str, typer.Option("--agent", help="One agent of the runs.", show_default="all")
    ] = "",
    curves: Annotated[
        bool, typer.Option("--curves", help="Print the points of the curves, with chance.")
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Measure how worms move: chemotaxis, klinokinesis, weathervane, thermotaxis.

    Each figure comes with its interval, the level of chance and what literature says of real worms.
    'ludus plot FOLDER' draws the curves.

    Example: ludus nematode behaviour runs/mlp-ppo --csv
    """
    from ludus.api.families.nematode_behaviour import behaviour as measure

    if csv and json:
        raise OptionError("only one of --json and --csv can be printed")
    with progress("measuring", len(sources)) as advance:
        result = measure(*sources, agent=agent, store=store_url, on_source=advance)
    if json:
        print_json(result.curves_to_dicts() if curves else result.to_dicts())
    elif csv or curves:
        typer.echo(result.curves_to_csv() if curves else result.to_csv(), nl=False)
    else:
        print_view(result.view)
