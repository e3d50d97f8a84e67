"""How the tables of Diplomacy are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import typer

from ludus.benchmarks.diplomacy.league import PlayerRating
from ludus.benchmarks.diplomacy.results import TableResults
from ludus.benchmarks.diplomacy.steering import is_distinguishable
from ludus.benchmarks.diplomacy.tables import (
    overall_performance,
    steerability,
    steering_estimates,
)
from ludus.boards.estimates import describe_intervals, format_estimate
from ludus.cli.options import finite
from ludus.cli.output import print_json, say, show_table
from ludus.stats import Estimate

__all__ = ["end_with_faults", "print_ratings", "print_tables", "print_warnings"]

MOST_SHOWN = 10
LONGEST_CONDITIONS = 20
"""Longer words on how games were played stand below the table, under a number."""
FAULTY = 1


def print_tables(results: TableResults) -> None:
    """Print both tables with short headings."""
    rows = [list(row.values()) for row in overall_performance(results)]
    marks = _number_conditions(results)
    cells = [
        [
            _mark_row(row[0], marks),
            row[1],
            f"{row[2]:.1f}",
            f"{row[3]:g}",
            f"{row[4]:.1f}",
            f"{row[6]:.0f}",
            str(row[7]),
            "–" if row[9] is None else f"{row[9]:.1f}",
            "–" if row[8] is None else f"{row[8]:.3f}",
        ]
        for row in rows
    ]
    heads = ["model", "variant", "mean", "median", "centres", "won %", "games", "errors %", "min"]
    title = f"{results.settings.power.capitalize()}, rule: {results.settings.rule}"
    caption = "the best variant's games; min: minutes a phase"
    show_table(title, heads, cells, left=(0, 1), fold=(0,), caption=caption)
    if any(results.row_names.values()):
        say("The games were played differently: compare rows with the same brackets only.")
    for words, mark in marks.items():
        say(f"{mark.strip()} {words.strip(' ()')}")
    steered = steerability(results)
    if steered:
        say()
        _print_steerability(results, steered)


def _number_conditions(results: TableResults) -> dict[str, str]:
    """Return a number for each row's conditions; nothing if they are short enough to be printed."""
    names = sorted(set(results.row_names.values()))
    if max(map(len, names), default=0) <= LONGEST_CONDITIONS:
        return {}
    return {name: f" [{number}]" for number, name in enumerate(names, start=1)}


def _mark_row(name: str, marks: Mapping[str, str]) -> str:
    """Return a row's name with the number of its conditions instead of their words."""
    words = next((each for each in marks if each and name.endswith(each)), "")
    return name.removesuffix(words) + marks.get(words, "")


def _print_steerability(results: TableResults, steered: list[dict[str, Any]]) -> None:
    estimates = steering_estimates(results)
    marks = _number_conditions(results)
    cells = [
        [
            _mark_row(row["model_name"], marks),
            f"{row['baseline_mean_score']:.1f}",
            f"{row['aggressive_mean_score']:.1f}",
            _format_change(estimates[row["model_name"]]),
            _percent(row["steerability_percentage"]),
            _judge_direction(row, estimates[row["model_name"]]),
        ]
        for row in steered
    ]
    settings = results.settings
    heads = ["model", "from", "to", "change", "%", "direction"]
    title = f"Steerability: from {settings.baseline} to {settings.steered}"
    caption = describe_intervals(estimates.values())
    few = {estimate.remark for estimate in estimates.values() if estimate.low < estimate.high}
    caption += "".join(f" * {remark} to hold." for remark in sorted(few) if remark)
    show_table(title, heads, cells, left=(0, 5), fold=(0,), caption=caption.strip())


def _format_change(estimate: Estimate) -> str:
    """Return a change and its interval; a star if the games are too few for it to hold."""
    if not estimate.low < estimate.high:
        return format_estimate(estimate)
    return format_estimate(estimate._replace(needs=0)) + ("*" if estimate.remark else "")


def _judge_direction(row: dict[str, Any], estimate: Estimate) -> str:
    """Return the direction, if the games are enough to tell it."""
    return row["direction"] if is_distinguishable(estimate) else "not distinguishable"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:+.0f}"


def print_warnings(results: TableResults, file: str = "tables.json") -> None:
    """Name the games that failed, and what is wrong with files; the rest is in a file."""
    kept = [failure for failure in results.failures if failure.counts]
    lines = [f"{failure.game} ({failure.model}): {failure.reason}" for failure in kept]
    lines += results.problems
    if results.failures:
        count = len(results.failures)
        say("1 game failed:" if count == 1 else f"{count} games failed:", err=True)
    for line in lines[:MOST_SHOWN]:
        say(line, err=True)
    if len(lines) > MOST_SHOWN:
        say(f"… and {len(lines) - MOST_SHOWN} more: see {file}", err=True)


def end_with_faults(faults: Sequence[object]) -> None:
    """End the command with exit code 1 if there is any fault."""
    if faults:
        raise typer.Exit(FAULTY)


def print_ratings(rated: list[PlayerRating], json: bool, run: str = "") -> None:
    """Print ratings, the best first."""
    if json:
        print_json(finite({"run": run, "ratings": [asdict(player) for player in rated]}))
        return
    cells = [
        [
            str(rank),
            player.player,
            f"{player.rating:.0f}",
            f"{player.low:.0f} – {player.high:.0f}",
            f"{player.score:.1f}",
            str(player.games),
        ]
        for rank, player in enumerate(rated, start=1)
    ]
    heads = ["#", "agent", "rating", "95 % interval", "score", "games"]
    caption = f"{rated[0].method}; 400 points are odds of ten to one; 1500 is the average"
    show_table("", heads, cells, left=(1,), fold=(1,), caption=caption)
    if run:
        say(f"\nKept as run {run}.")
