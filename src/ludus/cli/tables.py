"""Tables that fit the terminal, and the standings of a run as one."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ludus.benchmarks import Benchmark
from ludus.boards.formats import SAME, estimate, figure, split
from ludus.cli.output import print_table, width
from ludus.runs import Summary, rank

__all__ = ["make_table", "show_table", "standings", "standings_plain", "standings_table"]

MS = 1000


def show_table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: Sequence[int] = (),
    fold: Sequence[int] = (),
    keep: int | None = None,
    caption: str = "",
) -> None:
    """Print a table; columns after the first ``keep`` go if there is no room for them.

    Args:
        title: What stands above it.
        headings: The columns.
        rows: As many words each as there are columns.
        left: The columns that are set to the left; others are to the right.
        fold: The columns whose words may go over several lines.
        keep: How many columns are never left out; all if None.
        caption: What stands below.
    """
    endless, room = Console(width=sys.maxsize), width()
    table = make_table(title, headings, rows, left, fold, caption)
    count = len(headings)
    while keep and count > keep and endless.measure(table).maximum > room:
        count -= 1
        fewer = [row[:count] for row in rows]
        table = make_table(title, headings[:count], fewer, left, fold, caption)
    print_table(table)


def make_table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Sequence[int] = (),
    fold: Sequence[int] = (),
    caption: str = "",
) -> Table:
    """Return a table; its arguments are those of :func:`show_table`."""
    table = Table(
        title=escape(title) or None,
        title_justify="left",
        title_style="bold",
        caption=escape(caption) or None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for number, heading in enumerate(headings):
        table.add_column(
            escape(heading),
            justify="left" if number in left else "right",
            overflow="fold" if number in fold else "ellipsis",
            no_wrap=number not in fold,
        )
    for row in rows:
        table.add_row(*map(escape, row))
    return table


# ---- standings


def standings_table(
    benchmark: Benchmark,
    summaries: Sequence[Summary],
    letters: Mapping[str, str],
    title: str,
) -> None:
    """Print the standings of a run."""
    headings, rows = standings(benchmark, summaries, letters)
    levels = {summary.headline.level for summary in summaries} or {0.95}
    methods = ", ".join(sorted({summary.headline.method for summary in summaries}))
    half = f"± is half of the {100 * max(levels):.0f} % interval ({methods}). "
    alone = benchmark.aggregate and all(isnan(one.headline.margin) for one in summaries)
    caption = SAME if alone else half + SAME
    show_table(title, headings, rows, left=(1,), fold=(1,), keep=4, caption=caption)


def standings(
    benchmark: Benchmark, summaries: Sequence[Summary], letters: Mapping[str, str]
) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of the standings, best first."""
    ties = [breaker.name for breaker in benchmark.tie_breakers]
    early, late = split(benchmark, [column.name for column in benchmark.columns])
    headings = ["#", "agent", benchmark.headline, "group", *early, *ties, *late, "ms/step"]
    rows = []
    for place, one in zip(rank(benchmark, summaries), summaries, strict=True):
        early, late = split(benchmark, list(map(figure, benchmark.columns, one.columns)))
        rows.append(
            [
                str(place),
                one.agent,
                estimate(one.headline.value, one.headline.margin, benchmark.digits),
                letters.get(one.agent, ""),
                *early,
                *map(figure, benchmark.tie_breakers, one.ties),
                *late,
                f"{MS * one.seconds / one.steps:.3f}" if one.steps else "–",
            ]
        )
    return headings, rows


def standings_plain(
    benchmark: Benchmark, summaries: Sequence[Summary], letters: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the standings as plain values."""
    return [
        {
            "rank": place,
            "group": letters.get(one.agent, ""),
            "agent": one.agent,
            "fingerprint": one.fingerprint,
            "headline": one.headline._asdict(),
            "ties": {b.name: v for b, v in zip(benchmark.tie_breakers, one.ties, strict=True)},
            "columns": {c.name: v for c, v in zip(benchmark.columns, one.columns, strict=True)},
            "scores": list(one.scores.values()),
            "episodes": one.episodes,
            "faults": one.faults,
            "steps": one.steps,
            "seconds": one.seconds,
        }
        for place, one in zip(rank(benchmark, summaries), summaries, strict=True)
    ]
