"""``ludus agents``, ``ludus benchmarks``: who can play what."""

from __future__ import annotations

import typer

from ludus.agents import names
from ludus.agents.registry import REGISTERED
from ludus.benchmarks import benchmarks as all_benchmarks
from ludus.cli.options import JsonOption
from ludus.cli.output import print_json
from ludus.cli.tables import show_table

__all__ = ["agents", "benchmarks"]


def agents(json: JsonOption = False) -> None:
    """List the agents that can be named.

    Example: ludus agents
    """
    known = {name: names(name) for name in REGISTERED}
    if json:
        print_json(known)
        return
    rows = [[name, *pair] for name, own in known.items() for pair in own.items()]
    show_table("", ["game", "agent", "what it does"], rows, left=(0, 1, 2), fold=(2,))
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
                    "gathered": one.gathered,
                    "options": {option.name: option.default for option in one.options},
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
