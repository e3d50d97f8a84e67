"""What lies around Mario, the same under all rules: blocks, walls and creatures, as truth values.

Grids are asked for at the detail that the game shows by itself, so that players see under every
task that shows fields of their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.codes import Enemy, Scene
from ludus.games.platformer.view import View

__all__ = ["see_blocks", "see_creatures", "see_walls"]

CODES = 256
PASSABLE = {"2009": (0,), "2010": (0, 2, 5, 61)}
"""The codes of what neither carries nor stops Mario: coins, ladders, the princess."""
PASSABLE_IN_FRAMEWORK = (0, 31, 55, 56, 63, 80, 81, 82, 83, 84, 88, 89, 90, 97, 98, 99)

HILL_TOPS = {"2009": (245,), "2010": (194,)}
"""The codes of what carries Mario but does not stop him."""


def see_blocks(view: View, size: int) -> NDArray[np.bool_]:
    """Return which of the cells around Mario hold something that he can stand on."""
    seen: NDArray[np.bool_] = _table(BLOCKS, view.rules)[view.grid("scene", size=size)]
    return seen


def see_walls(view: View, size: int) -> NDArray[np.bool_]:
    """Return which of them hold something that stops him from the side."""
    seen: NDArray[np.bool_] = _table(WALLS, view.rules)[view.grid("scene", size=size)]
    return seen


def see_creatures(view: View, size: int) -> NDArray[np.bool_]:
    """Return which of them hold a creature; items and fireballs are none."""
    seen: NDArray[np.bool_] = _table(CREATURES, view.rules)[view.grid("enemies", size=size)]
    return seen


def _table(tables: Mapping[str, NDArray[np.bool_]], rules: str) -> NDArray[np.bool_]:
    return tables.get(rules, tables["framework"])


def _mark(codes: Iterable[int], unless: Iterable[int] = ()) -> NDArray[np.bool_]:
    """Return a table of all codes in which some are marked."""
    table = np.zeros(CODES, np.bool_)
    table[list(codes)] = True
    table[list(unless)] = False
    return table


_EVERYTHING = range(CODES)
_TOPS = range(Scene.PLATFORM, Scene.BACKGROUND)

BLOCKS = {
    "framework": _mark(_EVERYTHING, PASSABLE_IN_FRAMEWORK),
    "2009": _mark(_EVERYTHING, PASSABLE["2009"]),
    "2010": _mark(_EVERYTHING, PASSABLE["2010"]),
}
WALLS = {
    "framework": _mark(_EVERYTHING, (*PASSABLE_IN_FRAMEWORK, *_TOPS)),
    "2009": _mark(_EVERYTHING, (*PASSABLE["2009"], *HILL_TOPS["2009"])),
    "2010": _mark(_EVERYTHING, (*PASSABLE["2010"], *HILL_TOPS["2010"])),
}
CREATURES = {
    "framework": _mark((Enemy.ENEMY, Enemy.STOMPABLE, Enemy.NONSTOMPABLE)),
    "2009": _mark((*range(1, 11), 12, 13)),
    "2010": _mark((13, *range(80, 100))),
}
