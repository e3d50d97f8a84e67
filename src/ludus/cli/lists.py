"""``ludus agents``, ``ludus benchmarks``: who can play what."""

from __future__ import annotations

import typer

from ludus.agents import names
from ludus.benchmarks import benchmarks as all_benchmarks
from ludus.cli.options import JsonOption
from ludus.cli.output import print_json
from ludus.cli.tables import show_table

__all__ = ["agents", "benchmarks"]


def agents(json: JsonOption = False) -> None:
    """List the agents that can be named.

    Example: ludus agents
    """
    known = names()
    if json:
        print_json(known)
        return
    show_table(
        "", ["agent", "what it does"], [[*pair] for pair in known.items()], left=(0, 1), fold=(1,)
    )
    typer.echo("\nYour own: file.py:Class. Begin with: ludus new agent NAME")


def benchmarks(json: JsonOption = False) -> None:
    """List the benchmarks.

    Example: ludus benchmarks
    """
    known = all_benchmarks().values()
    if json:
        print_json(
            [
                {
                    "benchmark": one.id,
                    "version": one.version,
                    "title": one.title,
                    "game": one.game,
                    "episodes": one.episodes,
                    "formula": one.formula,
                    "headline": one.headline,
                    "tie_breakers": {tie.name: tie.better for tie in one.tie_breakers},
                    "columns": [column.name for column in one.columns],
                }
                for one in known
            ]
        )
        return
    rows = [[one.rule, one.title, one.formula, str(one.episodes)] for one in known]
    show_table(
        "", ["benchmark", "question", "score", "episodes"], rows, left=(0, 1, 2), fold=(1, 2)
    )
