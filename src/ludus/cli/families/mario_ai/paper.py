"""``ludus paper``: the tables of the paper, with the players of Ludus beside."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus.api.families.paper_tables import paper_table
from ludus.benchmarks.mario_ai.published import PAPER_TABLES
from ludus.cli.options import JsonOption, StoreOption, WorkersOption, finite
from ludus.cli.output import print_json, print_view
from ludus.cli.play import play_with_progress

__all__ = ["paper"]

LEARNING = "VI"

Tables = Annotated[
    list[str] | None,
    typer.Argument(metavar="TABLE…", help=f"{', '.join(PAPER_TABLES)}; all if none is named."),
]
Episodes = Annotated[
    int | None,
    typer.Option("--episodes", help="Levels that each plays.", show_default="all of the track"),
]
Plays = Annotated[
    int | None,
    typer.Option("--plays", help="Training plays of table VI.", show_default="10,000"),
]


def paper(
    tables: Tables = None,
    episodes: Episodes = None,
    plays: Plays = None,
    workers: WorkersOption = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Print the tables of the Mario AI paper with the players of Ludus beside.

    All of it takes hours; what is stored already is not played again.

    Example: ludus paper I --episodes 8
    """
    values = {}
    for number in tables or PAPER_TABLES:
        options = {"plays": plays} if plays is not None and number.upper() == LEARNING else None
        result = play_with_progress(
            paper_table, number, episodes=episodes, options=options, workers=workers, store=store
        )
        values[result.table.number] = result.to_dicts()
        if not json:
            print_view(result.view)
    if json:
        print_json(finite(values))
