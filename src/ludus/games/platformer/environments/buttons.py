"""The orders in which agents of each engine name the buttons, and the bits that worlds take.

Example:
    >>> named_actions(RIGHT_ONLY, "framework").tolist()
    [0, 2, 18, 10, 26]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer.levels.reference import FORMATS

__all__ = [
    "ACTION_SETS",
    "COMPLEX_MOVEMENT",
    "ORDERS",
    "RIGHT_ONLY",
    "SIMPLE_MOVEMENT",
    "button_bits",
    "discrete_actions",
    "name_holds",
    "named_actions",
    "translate_sums",
]

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

RIGHT_ONLY = [["NOOP"], ["right"], ["right", "A"], ["right", "B"], ["right", "A", "B"]]
"""Five actions, as gym-super-mario-bros calls and orders them: A jumps, B runs and shoots."""

SIMPLE_MOVEMENT = [*RIGHT_ONLY, ["A"], ["left"]]
"""Seven actions, likewise."""

COMPLEX_MOVEMENT = [
    *SIMPLE_MOVEMENT, ["left", "A"], ["left", "B"], ["left", "A", "B"], ["down"], ["up"],
]  # fmt: skip
"""Twelve actions, likewise; up does nothing where the rules have no such button."""

ACTION_SETS = {
    "RIGHT_ONLY": RIGHT_ONLY,
    "SIMPLE_MOVEMENT": SIMPLE_MOVEMENT,
    "COMPLEX_MOVEMENT": COMPLEX_MOVEMENT,
}
"""Lists of actions by name."""

_PAD = {"NOOP": "", "A": "JUMP", "B": "SPEED"}


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


def named_actions(actions: Sequence[Sequence[str]], rules: str) -> NDArray[np.uint8]:
    """Return actions that are lists of buttons, as worlds of these rules take them.

    Raises:
        OptionError: There is no such button.

    Example:
        >>> named_actions([["right", "A"], ["NOOP"]], "2009").tolist()
        [10, 0]
    """
    bits = {"": 0, **_bits(rules)}
    sums = []
    for action in actions:
        names = {_PAD.get(str(button), str(button).upper()) for button in action}
        for name in names:
            if name not in bits:
                known = ", ".join(["NOOP", "A", "B", "left", "right", "down", "up"])
                raise OptionError(f"there is no button {name!r:.40}: give {known}")
        sums.append(sum(bits[name] for name in names))
    return np.array(sums, np.uint8)


def name_holds(holds: Iterable[int], rules: str) -> list[str]:
    """Return the buttons of each hold, as worlds of these rules take it.

    Example:
        >>> name_holds([0, 26], "framework")
        ['NOOP', 'RIGHT SPEED JUMP']
    """
    bits = _bits(rules)
    names = [[button for button, bit in bits.items() if hold & bit] for hold in holds]
    return [" ".join(buttons) or "NOOP" for buttons in names]
