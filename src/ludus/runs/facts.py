"""Facts that notice what is read of them, so that a rule can be asked what it looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ludus.games.game import Facts

__all__ = ["Fact", "WatchedFacts"]

Fact: TypeAlias = int | float | str | None


class WatchedFacts(Mapping[str, Fact]):
    """Facts as a rule sees them.

    Attributes:
        read: What was read, by name, in the order of the first reading.
        last: The name that was read last, also if there is no such fact.

    Example:
        >>> facts = WatchedFacts({"x": 3, "y": 4})
        >>> facts["x"] * 2, facts.read
        (6, {'x': 3})
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.read: dict[str, Fact] = {}
        self.last = ""

    def __getitem__(self, name: str) -> Fact:
        self.last = name
        self.read[name] = self._facts[name]
        return self.read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)
