"""Chance for generators: the same numbers on every machine and in every version of Python."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

from ludus.games.platformer._native import JavaRandom

__all__ = ["Dice"]

Choice = TypeVar("Choice")


class Dice:
    """A stream of chance, begun by any values.

    Example:
        >>> dice = Dice("level", 7)
        >>> 1 <= dice.between(1, 6) <= 6
        True
    """

    def __init__(self, *seeds: object) -> None:
        digest = hashlib.sha256(repr(seeds).encode()).digest()
        self._random = JavaRandom(int.from_bytes(digest[:6], "big"))

    def chance(self, probability: float) -> bool:
        """Return True that often."""
        return self._random.next_double() < probability

    def between(self, low: int, high: int) -> int:
        """Return a whole number from low to high; low if there is none."""
        return low + self._random.next_below(high - low + 1) if high > low else low

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """Return one of the choices, each as likely."""
        return choices[self._random.next_below(len(choices))]

    def weigh(self, weights: Mapping[Choice, float]) -> Choice:
        """Return one of the choices, as likely as its weight; the last if all weigh nothing."""
        left = self._random.next_double() * sum(weights.values())
        for choice, weight in weights.items():
            left -= weight
            if left < 0:
                return choice
        return list(weights)[-1]

    def shuffle(self, items: Sequence[Choice]) -> list[Choice]:
        """Return the items in another order."""
        rest = list(items)
        return [rest.pop(self._random.next_below(len(rest))) for _ in range(len(rest))]
