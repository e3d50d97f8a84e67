"""Fields of records, checked against their annotations when they come from a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

__all__ = ["check_kinds"]

SMALLEST, LARGEST = -(2**127), 2**127
"""Whole numbers are from the first up to the second; records have narrower bounds of their own."""


def check_kinds(record: type[Any], values: Mapping[str, Any]) -> None:
    """Refuse values that are not of the kinds which a record's fields of these names have.

    Fields of other kinds than plain values and lists of them are not looked at, nor are values
    without a field.

    Raises:
        TypeError: One is of another kind, is no finite number, or is far too large.

    Example:
        >>> from ludus.limits import Limits
        >>> check_kinds(Limits, {"seconds": 2, "steps": 0})
    """
    if not isinstance(values, Mapping):
        raise TypeError(f"{values!r:.60} is no object of fields by name")
    checks = _checks(record)  # type: ignore[arg-type]  # classes are hashable
    for name, value in values.items():
        check = checks.get(name)
        if check and not check(value):
            raise TypeError(f"{name!r} is {value!r:.60}")


@cache
def _checks(record: Any) -> Mapping[str, Callable[[Any], bool]]:
    hints = get_type_hints(record)
    return {name: KINDS[str(hint)] for name, hint in hints.items() if str(hint) in KINDS}


def _is_whole(value: Any) -> bool:
    return type(value) is int and SMALLEST <= value < LARGEST


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (type(value) is float and math.isfinite(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _each(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list | tuple) and all(map(check, value))


KINDS: dict[str, Callable[[Any], bool]] = {
    "<class 'int'>": _is_whole,
    "<class 'float'>": _is_number,
    "<class 'str'>": _is_text,
    "<class 'bool'>": _is_flag,
    "tuple[str, ...]": _each(_is_text),
    "tuple[int, ...]": _each(_is_whole),
    "tuple[float, ...]": _each(_is_number),
}
"""What a value of each annotation has to be."""
