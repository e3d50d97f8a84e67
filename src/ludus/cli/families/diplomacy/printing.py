"""How the tables of Diplomacy are printed."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ludus.benchmarks.diplomacy.league import PlayerRating
from ludus.benchmarks.diplomacy.tables import TableResults, overall_performance, steerability
from ludus.cli.options import finite
from ludus.cli.output import print_json, say, show_table

__all__ = ["print_ratings", "print_tables", "print_warnings"]

MOST_SHOWN = 10


def print_tables(results: TableResults) -> None:
    """Print both tables with short headings."""
    rows = [list(row.values()) for row in overall_performance(results)]
    cells = [
        [
            row[0],
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
    steered = steerability(results)
    if steered:
        say()
        _print_steerability(results, steered)


def _print_steerability(results: TableResults, steered: list[dict[str, Any]]) -> None:
    cells = [
        [
            row["model_name"],
            f"{row['baseline_mean_score']:.1f}",
            f"{row['aggressive_mean_score']:.1f}",
            f"{row['steerability_score']:+.1f}",
            _percent(row["steerability_percentage"]),
            f"{row['steerability_score_raw']:+.1f}",
            _percent(row["steerability_percentage_raw"]),
            row["direction"],
        ]
        for row in steered
    ]
    settings = results.settings
    heads = [
        "model",
        settings.baseline,
        settings.steered,
        "score",
        "%",
        "centres",
        "%",
        "direction",
    ]
    show_table("Steerability", heads, cells, left=(0, 7), fold=(0,))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:+.0f}"


def print_warnings(results: TableResults) -> None:
    """Name the games that do not count, and what is wrong with files."""
    lines = [f"{failure.game} ({failure.model}): {failure.reason}" for failure in results.failures]
    if lines:
        count = "1 game" if len(lines) == 1 else f"{len(lines)} games"
        say(f"{count} failed:", err=True)
    lines += results.faults
    for line in lines[:MOST_SHOWN]:
        say(line, err=True)
    if len(lines) > MOST_SHOWN:
        say(f"… and {len(lines) - MOST_SHOWN} more: see tables.json", err=True)


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
