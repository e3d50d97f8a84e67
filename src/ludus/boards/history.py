"""What a board looked like over time: who led it when, as the lines of its ledger tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ludus.benchmarks import Benchmark
from ludus.boards.board import rank_entries
from ludus.boards.current import CurrentEntries, CurrentEntry, find_board_key
from ludus.boards.entry import BoardKey
from ludus.boards.ledger import LedgerEvent, find_broken_line, read_ledger
from ludus.runs.store import Store

__all__ = ["Moment", "list_moments", "read_history"]

BEST = 3
MOST_MOMENTS = 60
MANY_LINES, FEW_MOMENTS = 2_000, 12
"""Of a board with so many lines fewer moments are ranked."""
DAY, MINUTE = len("2026-11-18"), len("2026-11-18T06:30")


class Moment(NamedTuple):
    """A board as it stood after something had changed it.

    Attributes:
        at: The minute, UTC, or the day of boards that changed often.
        entries: How many were on it.
        best: The first three, best first.
    """

    at: str
    entries: int
    best: tuple[CurrentEntry, ...]


def read_history(benchmark: Benchmark, key: BoardKey, store: Store) -> list[Moment]:
    """Return what a board of a store looked like over time, the oldest moment first.

    Args:
        benchmark: Whose board.
        key: Which of its boards.
        store: Where the ledger is.
    """
    events = read_ledger(store)
    broken = find_broken_line(events)
    return list_moments(benchmark, key, events[: broken.number - 1] if broken else events)


def list_moments(
    benchmark: Benchmark, key: BoardKey, events: Sequence[LedgerEvent]
) -> list[Moment]:
    """Return what a board looked like after each minute, or each day, in which a line changed it.

    Args:
        benchmark: Whose board.
        key: Which of its boards.
        events: The lines of a ledger, none of them broken.
    """
    current = CurrentEntries(benchmark.rule)
    own = [event for event in events if _is_on(event, benchmark, key)]
    most = MOST_MOMENTS if len(own) < MANY_LINES else FEW_MOMENTS
    digits = MINUTE if len({event.at[:MINUTE] for event in own}) <= most else DAY
    spans = [(at, list(lines)) for at, lines in groupby(own, lambda event: event.at[:digits])]
    moments = []
    for number, (at, lines) in enumerate(spans):
        for line in lines:
            current.apply(line)
        if number >= len(spans) - most:
            moments.append(_make_moment(benchmark, at, list(current.make(key).values())))
    return moments


def _is_on(event: LedgerEvent, benchmark: Benchmark, key: BoardKey) -> bool:
    own = event.benchmark == benchmark.id and event.version == benchmark.version
    entry = not (event.of_season or event.of_event or event.of_claim)
    return own and entry and find_board_key(event) == key


def _make_moment(benchmark: Benchmark, at: str, current: Sequence[CurrentEntry]) -> Moment:
    ranks = rank_entries(benchmark, current)
    order = sorted(range(len(current)), key=lambda number: ranks[number])
    best = tuple(current[number] for number in order[:BEST])
    return Moment(at.replace("T", " "), len(current), best)
