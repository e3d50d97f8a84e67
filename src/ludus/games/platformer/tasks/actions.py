"""Actions: a number whose bits are buttons, or the buttons as truth values."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from ludus.errors import ActionError, show_value

__all__ = ["read_action"]

FEW, MANY = 5, 6


def read_action(action: Any, rules: str) -> int:
    """Return the buttons of an action as bits.

    Args:
        action: A number of bits, or five truth values in the order of the bits: under the rules of
            2009 and 2010 LEFT, RIGHT, DOWN, JUMP, SPEED, of 2010 also UP.
        rules: The rules that it is for.

    Raises:
        ActionError: It is neither.

    Example:
        >>> read_action([False, True, False, True, False], "2009")
        10
    """
    buttons = MANY if rules == "2010" else FEW
    try:
        bits = index(action)
    except TypeError:
        bits = _join(action, buttons)
    if not 0 <= bits < 2**buttons:
        raise ActionError(
            f"{show_value(action)} is neither a number of buttons "
            f"from 0 to {2**buttons - 1} nor {FEW} truth values"
        )
    return bits


def _join(values: Any, buttons: int) -> int:
    """Return the bits of truth values, or -1 if they are none."""
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    if not isinstance(listed, list | tuple) or len(listed) not in (FEW, buttons):
        return -1
    if not all(isinstance(value, bool | np.bool_ | int) and value in (0, 1) for value in listed):
        return -1
    return sum(bool(value) << place for place, value in enumerate(listed))
