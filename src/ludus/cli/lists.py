"""``ludus agents``, ``ludus benchmarks``: who can play what."""

from __future__ import annotations

import typer

from ludus.agents import names
from ludus.agents.registry import REGISTERED
from ludus.benchmarks import Benchmark
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
    rows = [
        [_span(alike), alike[0].title, alike[0].formula, str(alike[0].episodes)]
        for alike in _alike(list(known))
    ]
    show_table(
        "", ["benchmark", "question", "score", "episodes"], rows, left=(0, 1, 2), fold=(1, 2)
    )


def _alike(known: list[Benchmark]) -> list[list[Benchmark]]:
    """Return benchmarks that ask the same of different levels together."""
    groups: dict[tuple[str, str, str, int], list[Benchmark]] = {}
    for one in known:
        key = (one.id.rpartition("/")[0], one.title, one.formula, one.version)
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _span(alike: list[Benchmark]) -> str:
    """Return the ids of benchmarks that are alike, as the first and the last of them."""
    last = alike[-1].id.rpartition("/")[2]
    return alike[0].rule if len(alike) == 1 else f"{alike[0].rule} to {last}"
