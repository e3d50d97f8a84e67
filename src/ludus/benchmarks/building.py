"""What benchmarks are built from: seeds of episodes, readers of facts, checks of options."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from ludus.errors import OptionError
from ludus.games.game import Facts

__all__ = [
    "SEALED_BITS",
    "ScenarioMaker",
    "SealedSeed",
    "derive_seed",
    "one_of",
    "read_fact",
    "whole_number",
]

SEALED_BITS = 63


class SealedSeed(int):
    """The seed of a sealed season's scenarios, which nobody may guess or find by trying."""


class ScenarioMaker(Sequence[Mapping[str, Any]]):
    """Scenarios that are made one by one, each when it is asked for.

    Args:
        count: How many there are.
        make: Makes the one of a number, counted from 0.

    Example:
        >>> dishes = ScenarioMaker(10**9, lambda number: {"name": f"dish {number}"})
        >>> dishes[123_456_789]
        {'name': 'dish 123456789'}
    """

    def __init__(self, count: int, make: Callable[[int], Mapping[str, Any]]) -> None:
        self._numbers = range(count)
        self._make = make

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[Mapping[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> Mapping[str, Any] | list[Mapping[str, Any]]:
        if isinstance(place, slice):
            return [self._make(number) for number in self._numbers[place]]
        return self._make(self._numbers[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def derive_seed(label: str, seed: int, number: int, *, bits: int = 31) -> int:
    """Return the seed of an episode, which nobody can pick.

    Args:
        label: What the benchmark, or its family, is called.
        seed: The seed of the run.
        number: The episode's number.
        bits: How many bits the seed has; JSON can hold 53. What a :class:`SealedSeed` gives has
            63, so that nobody can try them all.

    Example:
        >>> derive_seed("platformer/sprint@1", 7, 2)
        102909053
    """
    digest = hashlib.sha256(f"{label} {seed} {number}".encode()).digest()
    width = SEALED_BITS if isinstance(seed, SealedSeed) else bits
    return int.from_bytes(digest[:8], "big") >> (64 - width)


def read_fact(name: str) -> Callable[[Facts], float]:
    """Return what reads a fact as a number, 0 where it has no value."""
    return lambda facts: float(facts[name] or 0)


def one_of(name: str, choices: Sequence[str]) -> Callable[[str], str]:
    """Return what checks that an option has one of these values."""

    def check(value: str) -> str:
        if value not in choices:
            raise OptionError(f"no {name} {value!r}; there are {', '.join(choices)}")
        return value

    return check


def whole_number(name: str, least: int, most: int) -> Callable[[str], str]:
    """Return what checks that an option is a whole number in a range."""

    def check(value: str) -> str:
        if not value.isdecimal() or not least <= int(value) <= most:
            raise OptionError(f"{name} {value!r} is not a whole number from {least} to {most}")
        return str(int(value))

    return check
