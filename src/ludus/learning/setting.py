"""Settings that are given as values or as texts."""

from __future__ import annotations

import math
from typing import Any

from ludus.errors import OptionError

__all__ = ["parse_setting"]


def parse_setting(name: str, value: Any, usual: Any) -> Any:
    """Return a value, or its text, in the type that the setting usually has.

    Example:
        >>> parse_setting("hidden", "8,8", (64, 64)), parse_setting("rate", "1e-3", 0.5)
        ((8, 8), 0.001)

    Raises:
        OptionError: It cannot be of that type, or is no finite number.
    """
    try:
        parsed = _convert(value, usual)
    except (KeyError, OverflowError, TypeError, ValueError):
        parsed = math.nan
    numbers = parsed if isinstance(parsed, tuple) else (parsed,)
    if any(isinstance(number, float) and not math.isfinite(number) for number in numbers):
        shown = ",".join(map(str, usual)) if isinstance(usual, tuple) else repr(usual)
        raise OptionError(f"setting {name} is {value!r}: give something like {shown}")
    return parsed


def _convert(value: Any, usual: Any) -> Any:
    if isinstance(usual, tuple):
        parts = value.split(",") if isinstance(value, str) else value
        kind = type(usual[0]) if usual else _parse_number
        return tuple(kind(part) for part in parts if part != "")
    if isinstance(usual, bool):
        return {"true": True, "false": False}[str(value).lower()]
    return type(usual)(value)


def _parse_number(value: Any) -> int | float:
    number = float(value)
    return int(number) if number.is_integer() else number
