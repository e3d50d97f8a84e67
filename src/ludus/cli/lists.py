"""``ludus agents``, ``ludus benchmarks``: who can play what."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from ludus.agents import names
from ludus.agents.registry import REGISTERED
from ludus.benchmarks import Benchmark, families, find_benchmark
from ludus.benchmarks import benchmarks as all_benchmarks
from ludus.cli.options import JsonOption
from ludus.cli.output import print_json, say, show_table
from ludus.cli.trainable import list_trainable, show_trainable
from ludus.errors import OptionError

__all__ = ["agents", "benchmarks"]

MOST_OF_A_FAMILY = 5


def agents(
    game: Annotated[
        str | None,
        typer.Option("--game", help=f"One game: {', '.join(REGISTERED)}.", show_default="all"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the agents that can be named, and of one game what can be trained for it.

    Example: ludus agents --game worm
    """
    if game is not None and game not in REGISTERED:
        raise OptionError(f"no game {game!r}; there are {', '.join(REGISTERED)}")
    by_game = {name: names(name) for name in REGISTERED if game in (None, name)}
    trainable = list_trainable(game) if game else []
    if json:
        print_json(by_game | ({"trainable": trainable} if trainable else {}))
        return
    rows = [[name, *pair] for name, summaries in by_game.items() for pair in summaries.items()]
    show_table("", ["game", "agent", "what it does"], rows, left=(0, 1, 2), fold=(2,))
    if trainable:
        show_trainable(trainable)
    say("\nYour own: file.py:Class. Begin with: ludus new agent NAME")
    for family in families().values():
        if family.agents_hint:
            say(family.agents_hint)


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
    listed = list(all_benchmarks().values())
    family = [benchmark for benchmark in listed if benchmark.id.startswith(f"{name}/")]
    if name and not family:
        benchmark = find_benchmark(name)
        print_json(_to_dict(benchmark)) if json else _print_benchmark(benchmark)
    elif json:
        print_json([_to_dict(benchmark) for benchmark in family or listed])
    else:
        _print_list(family or listed, complete=bool(family))


def _print_list(listed: list[Benchmark], *, complete: bool) -> None:
    """Print benchmarks a line each, and large families a line each unless they are asked for."""
    by_family: dict[str, list[list[Benchmark]]] = {}
    for group in _group_alike(listed):
        by_family.setdefault(group[0].id.partition("/")[0], []).append(group)
    rows = []
    for family, groups in by_family.items():
        if complete or len(groups) <= MOST_OF_A_FAMILY:
            rows += [[_span(group), group[0].title, str(group[0].episodes)] for group in groups]
        else:
            first, more = groups[0][0], sum(map(len, groups)) - 1
            words = (
                f"{_join_question(first.title, _describe_headline(family))} And {more} more: "
                f"ludus benchmarks {family}"
            )
            rows.append([first.rule, words, str(first.episodes)])
    show_table("", ["benchmark", "question", "episodes"], rows, left=(0, 1), fold=(1,))
    say("\nHow one is scored, and its options: ludus benchmarks BENCHMARK")
    for family in by_family if complete else ():
        known = families().get(family)
        if known and known.headline:
            say(f"The board to begin with: ludus board {known.headline_words}")


def _join_question(title: str, more: str) -> str:
    """Return a question with what stands behind it, ended once.

    Example:
        >>> _join_question("How far?", ""), _join_question("How far?", ", with --fast")
        ('How far?', 'How far, with --fast?')
    """
    end = title[-1] if title.endswith(("?", "!")) else "."
    return f"{title.rstrip('?!.')}{more}{end}"


def _describe_headline(family: str) -> str:
    """Return the options of the board that a family shows first, as words behind its question."""
    known = families().get(family)
    options = known.headline_options if known else {}
    return "".join(f", with --{name} {value}" for name, value in options.items())


def _to_dict(benchmark: Benchmark) -> dict[str, Any]:
    return {
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "title": benchmark.title,
        "game": benchmark.game,
        "episodes": benchmark.episodes,
        "seconds": benchmark.limits.seconds,
        "limits": asdict(benchmark.limits),
        "formula": benchmark.formula,
        "fault_rule": benchmark.describe_faults(),
        "fault_score": benchmark.fault_score,
        "in_order": benchmark.in_order,
        "headline": benchmark.headline,
        "gathered": benchmark.aggregate_name,
        "tie_breakers": {tie.name: tie.better for tie in benchmark.tie_breakers},
        "columns": [column.name for column in benchmark.columns],
        "readings": list(benchmark.readings),
        "options": {
            option.name: {"default": option.default, "help": option.help}
            for option in benchmark.options
        },
    }


def _print_benchmark(benchmark: Benchmark) -> None:
    """Print how a benchmark is played, scored and ranked."""
    ties = [tie.goal for tie in benchmark.tie_breakers]
    in_order = ", by one agent in their order" if benchmark.in_order else ""
    rows = [
        ["question", benchmark.title],
        ["played in", f"{benchmark.game}, {benchmark.episodes} episodes{in_order}"],
        ["limits", "; ".join(": ".join(pair) for pair in benchmark.limits.describe())],
        ["score", benchmark.formula],
        *([["faults", faults]] if (faults := benchmark.describe_faults()) else []),
        ["ranked by", ", then ".join([f"{benchmark.aggregate_name} {benchmark.headline}", *ties])],
        ["shown", ", ".join(column.name for column in benchmark.columns) or "–"],
        *([("reading" if k == 0 else ""), text] for k, text in enumerate(benchmark.readings)),
        *([f"--{o.name}", f"{o.help} (default: {o.default or 'none'})"] for o in benchmark.options),
    ]
    show_table(benchmark.rule, ["", ""], rows, left=(0, 1), fold=(1,))


def _group_alike(listed: list[Benchmark]) -> list[list[Benchmark]]:
    """Return benchmarks that ask the same of different levels together."""
    groups: dict[tuple[str, str, str, int], list[Benchmark]] = {}
    for benchmark in listed:
        key = (
            benchmark.id.rpartition("/")[0],
            benchmark.title,
            benchmark.formula,
            benchmark.version,
        )
        groups.setdefault(key, []).append(benchmark)
    return list(groups.values())


def _span(group: list[Benchmark]) -> str:
    """Return the ids of benchmarks that are alike, as the first and the last of them."""
    last = group[-1].id.rpartition("/")[2]
    return group[0].rule if len(group) == 1 else f"{group[0].rule} to {last}"
