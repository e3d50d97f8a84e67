"""``ludus agents``, ``ludus benchmarks``: who can play what."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ludus.agents import names
from ludus.agents.registry import REGISTERED
from ludus.benchmarks import Benchmark, families, find_benchmark
from ludus.benchmarks import benchmarks as all_benchmarks
from ludus.cli.options import JsonOption
from ludus.cli.output import print_json, show_table

__all__ = ["agents", "benchmarks"]

MOST_OF_A_FAMILY = 5


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
    for family in families().values():
        if family.agents_hint:
            typer.echo(family.agents_hint)


def benchmarks(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[BENCHMARK]", help="Tell all about one, or list a family."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the benchmarks, or tell how one is played, scored and ranked.

    Example: ludus benchmarks platformer/sprint
    """
    known = list(all_benchmarks().values())
    family = [one for one in known if one.id.startswith(f"{name}/")]
    if name and not family:
        found = find_benchmark(name)
        print_json(_plain(found)) if json else _tell(found)
    elif json:
        print_json([_plain(one) for one in family or known])
    else:
        _list(family or known, whole=bool(family))


def _list(known: list[Benchmark], *, whole: bool) -> None:
    """Print benchmarks a line each, and large families a line each unless they are asked for."""
    families: dict[str, list[list[Benchmark]]] = {}
    for alike in _alike(known):
        families.setdefault(alike[0].id.partition("/")[0], []).append(alike)
    rows = []
    for family, groups in families.items():
        if whole or len(groups) <= MOST_OF_A_FAMILY:
            rows += [[_span(alike), alike[0].title, str(alike[0].episodes)] for alike in groups]
        else:
            first, more = groups[0][0], sum(map(len, groups)) - 1
            words = f"{first.title.rstrip('.')}. And {more} more: ludus benchmarks {family}"
            rows.append([first.rule, words, str(first.episodes)])
    show_table("", ["benchmark", "question", "episodes"], rows, left=(0, 1), fold=(1,))
    typer.echo("\nHow one is scored, and its options: ludus benchmarks BENCHMARK")


def _plain(one: Benchmark) -> dict[str, Any]:
    return {
        "benchmark": one.id,
        "version": one.version,
        "title": one.title,
        "game": one.game,
        "episodes": one.episodes,
        "seconds": one.seconds,
        "formula": one.formula,
        "headline": one.headline,
        "gathered": one.aggregate_name,
        "tie_breakers": {tie.name: tie.better for tie in one.tie_breakers},
        "columns": [column.name for column in one.columns],
        "options": {
            option.name: {"default": option.default, "help": option.help} for option in one.options
        },
    }


def _tell(one: Benchmark) -> None:
    """Print how a benchmark is played, scored and ranked."""
    ties = [f"{tie.better} {tie.name}" for tie in one.tie_breakers]
    rows = [
        ["question", one.title],
        ["played in", f"{one.game}, {one.episodes} episodes of at most {one.seconds:g} seconds"],
        ["score", one.formula],
        ["ranked by", ", then ".join([f"{one.aggregate_name} {one.headline}", *ties])],
        ["shown", ", ".join(column.name for column in one.columns) or "–"],
        *([f"--{o.name}", f"{o.help} (default: {o.default or 'none'})"] for o in one.options),
    ]
    show_table(one.rule, ["", ""], rows, left=(0, 1), fold=(1,))


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
