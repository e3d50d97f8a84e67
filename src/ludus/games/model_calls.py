"""Calls of language models: read as data, and summed up into facts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

__all__ = [
    "USED_STATUSES",
    "CallRow",
    "call_facts",
    "noted_calls",
    "opponent_call_facts",
    "read_calls",
]

CallRow: TypeAlias = Mapping[str, Any]
"""One call: ``kind, status, attempts, seconds, tokens_in, tokens_out, finish, cost, form``."""

MOST_COUNTED = 10**12
MOST_CALLS = 100_000
MOST_FIELDS = 32
LONGEST_TEXT = 200
USED_STATUSES = ("parsed", "partial")
"""The statuses of calls whose answer was used, wholly or in part; all others failed."""


def call_facts(rows: Iterable[CallRow]) -> dict[str, int | float]:
    """Return how many calls there were, how many failed, and their time and cost.

    Calls without a known price cost nothing here and are counted as ``unpriced_calls``.

    Example:
        >>> row = {"status": "empty", "attempts": 2, "seconds": 1.5, "tokens_in": 10}
        >>> facts = call_facts([row])
        >>> facts["calls"], facts["failed_calls"], facts["attempts"], facts["unpriced_calls"]
        (1, 1, 2, 1)
    """
    calls = list(rows)
    return {
        "calls": len(calls),
        "failed_calls": sum(row.get("status") not in USED_STATUSES for row in calls),
        "partial_calls": sum(row.get("status") == "partial" for row in calls),
        "attempts": int(_sum(calls, "attempts")),
        "tokens_in": int(_sum(calls, "tokens_in")),
        "tokens_out": int(_sum(calls, "tokens_out")),
        "cost": round(_sum(calls, "cost"), 9),
        "unpriced_calls": sum(row.get("cost") is None for row in calls),
        "call_seconds": round(_sum(calls, "seconds"), 3),
    }


def noted_calls(note: Mapping[str, Any]) -> list[CallRow]:
    """Return the calls in a player's note, without anything that is no call."""
    rows = note.get("calls")
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def read_calls(values: Any) -> tuple[CallRow, ...]:
    """Return calls that come from a file or another process, checked to be plain and small.

    Raises:
        ValueError: They are something else.

    Example:
        >>> read_calls([{"kind": "moves", "tokens_in": 12, "cost": None}])
        ({'kind': 'moves', 'tokens_in': 12, 'cost': None},)
    """
    if not isinstance(values, list | tuple) or len(values) > MOST_CALLS:
        raise ValueError(f"{values!r:.60} is no list of calls")
    for row in values:
        if not isinstance(row, Mapping) or len(row) > MOST_FIELDS:
            raise ValueError(f"{row!r:.60} is no call")
        for name, value in row.items():
            if not _is_short(name) or not (value is None or _is_plain(value)):
                raise ValueError(f"a call has {name!r:.40} as {value!r:.60}")
    return tuple(dict(row) for row in values)


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable()


def _is_plain(value: Any) -> bool:
    number = isinstance(value, int | float) and abs(value) <= MOST_COUNTED
    return number or _is_short(value)


def _sum(rows: Iterable[CallRow], name: str) -> float:
    """Return the sum of a figure; a value that is no number, or absurd, counts 0."""
    figures = (row.get(name) for row in rows)
    return math.fsum(
        figure
        for figure in figures
        if isinstance(figure, int | float)
        and 0 <= figure <= MOST_COUNTED
        and not isinstance(figure, bool)
    )


def opponent_call_facts(rows: Iterable[CallRow]) -> dict[str, int | float]:
    """Return the facts of the opponents' calls that matter for the bill and for fairness."""
    facts = call_facts(rows)
    names = ("calls", "failed_calls", "tokens_in", "tokens_out", "cost")
    return {f"opponent_{name}": facts[name] for name in names}
