"""Practice and sealed seasons side by side: who learned by heart shows in the difference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ludus.boards.entry import BoardEntry, BoardKey

__all__ = ["PRACTICE", "Beside", "find_counterpart", "find_largest"]

PRACTICE = "practice"
"""What boards of public seeds are called."""


class Beside(NamedTuple):
    """The results that stand beside a board's own.

    Attributes:
        name: Where they come from: ``practice``, or a season.
        entries: The entries by agent.
    """

    name: str
    entries: Mapping[str, BoardEntry]


def find_largest(counts: Mapping[BoardKey, int], wanted: BoardKey) -> BoardKey:
    """Return the key with the most entries that differs from this one in the seed alone."""
    alike = [key for key in counts if key[1:] == wanted[1:]]
    return min(alike, key=lambda key: (-counts[key], key), default=wanted)


def find_counterpart(
    key: BoardKey, counts: Mapping[BoardKey, int], seasons: Iterable[str]
) -> BoardKey | None:
    """Return the key of the board to put beside this one, or None if nobody is on any.

    Args:
        key: Which board.
        counts: How many entries each board of the benchmark has.
        seasons: The names of the seasons in the order of their starts.
    """
    if key.season:
        practice = find_largest(counts, key._replace(season=""))
        return practice if practice in counts else None
    sealed = {other.season: other for other in counts if other.options == key.options}
    return next((sealed[name] for name in reversed(list(seasons)) if name in sealed), None)
