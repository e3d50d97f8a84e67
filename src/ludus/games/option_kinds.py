"""What options of environments have to be, where anybody may give anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from difflib import get_close_matches
from math import isfinite
from numbers import Real
from operator import index
from typing import Any

from ludus.errors import OptionError, show_value

__all__ = ["check_names", "check_weights", "read_pair", "read_whole", "spread"]

LARGEST = 2**31 - 1


def check_names(given: Iterable[str], known: Iterable[str], owner: str) -> None:
    """Refuse options that nobody knows, with the one that was probably meant.

    Raises:
        OptionError: There is no such option.
    """
    names = list(known)
    for name in given:
        if name not in names:
            close = get_close_matches(name, names, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise OptionError(f"{owner} has no option {name!r}; {hint}there are {', '.join(names)}")


def check_weights(record: Any) -> None:
    """Refuse a record with a weight that is no finite number.

    Raises:
        OptionError: There is one.
    """
    for field in fields(record):
        weight = getattr(record, field.name)
        if not isinstance(weight, Real) or not isfinite(weight):
            shown = f"{field.name} {show_value(weight)}"
            raise OptionError(f"the reward's {shown} is no finite number: give {field.name}=1.0")


def read_whole(name: str, value: Any) -> int:
    """Return a whole number of any type as Python's own.

    Raises:
        OptionError: It is none, or far too large.

    Example:
        >>> read_whole("size", 16)
        16
    """
    try:
        number = index(value)
    except TypeError:
        raise OptionError(f"{name} {show_value(value)} is no whole number: give {name}=1") from None
    if abs(number) > LARGEST:
        raise OptionError(f"{name} {show_value(value)} is out of range: give {LARGEST} or less")
    return number


def read_pair(name: str, value: Any) -> tuple[int, int]:
    """Return two whole numbers.

    Raises:
        OptionError: They are not two, or one is no whole number.

    Example:
        >>> read_pair("size", [16, 8])
        (16, 8)
    """
    numbers = [read_whole(name, number) for number in spread(value)]
    if len(numbers) != 2:
        raise OptionError(f"{name} {show_value(value)} is no pair of numbers: give {name}=(1, 1)")
    return numbers[0], numbers[1]


def spread(value: Any) -> list[Any]:
    """Return what a list of any type holds; anything else, texts too, as the only item.

    Raises:
        OptionError: It is a set, whose order is another in each process.

    Example:
        >>> spread((1, 2)), spread("ab"), spread(None)
        ([1, 2], ['ab'], [None])
    """
    if isinstance(value, set | frozenset):
        raise OptionError(f"{value!r:.40} is a set, which has no order: give a list")
    alone = isinstance(value, str | bytes) or not isinstance(value, Iterable)
    return [value] if alone else list(value)
