"""The orders in which agents of each engine name the buttons, and the bits that worlds take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.levels.reference import FORMATS

__all__ = ["ORDERS", "button_bits", "discrete_actions", "translate_sums"]

ORDERS = {
    "framework": ("LEFT", "RIGHT", "DOWN", "SPEED", "JUMP"),
    "2009": ("LEFT", "RIGHT", "DOWN", "JUMP", "SPEED"),
    "2010": ("LEFT", "RIGHT", "DOWN", "JUMP", "SPEED", "UP"),
}
"""Whose agents → the buttons, in their order."""

_DISCRETE = (
    "", "LEFT", "RIGHT", "DOWN", "LEFT SPEED", "RIGHT SPEED", "JUMP", "LEFT JUMP", "RIGHT JUMP",
    "SPEED JUMP", "LEFT SPEED JUMP", "RIGHT SPEED JUMP",
)  # fmt: skip
_CLIMBING = ("UP", "UP LEFT", "UP RIGHT")


def _bits(rules: str) -> dict[str, int]:
    """Return the bit of each button as worlds of these rules take it; 0 for one they lack."""
    order = ORDERS[rules if rules in FORMATS else "framework"]
    return {"UP": 0} | {button: 1 << place for place, button in enumerate(order)}


def button_bits(order: str, rules: str) -> NDArray[np.uint8]:
    """Return the bits under the rules of an order's buttons."""
    bits = _bits(rules)
    return np.array([bits[button] for button in ORDERS[order]], np.uint8)


def translate_sums(sums: Sequence[int], order: str, rules: str) -> NDArray[np.uint8]:
    """Return sums of an order's buttons as worlds of these rules take them."""
    pressed = np.asarray(sums)[:, None] >> np.arange(len(ORDERS[order])) & 1
    return (pressed @ button_bits(order, rules)).astype(np.uint8)


def discrete_actions(rules: str) -> NDArray[np.uint8]:
    """Return every sensible hold of the buttons, as worlds of these rules take them."""
    bits = _bits(rules)
    holds = _DISCRETE + (_CLIMBING if bits["UP"] else ())
    return np.array([sum(bits[button] for button in hold.split()) for hold in holds], np.uint8)
