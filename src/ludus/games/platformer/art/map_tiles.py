"""Map bytes of 2009 and 2010 as the tile codes that have pictures."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.reference import FORMATS

__all__ = ["COIN_CHEST", "drawn_tiles", "pole_rows"]

COIN_CHEST = 160
"""A block that gives coins more than once."""

_GROUND, _PLATFORM, _POSTS, _POLE_TOP, _POLE = 1, 43, 47, 39, 40
_LONGEST_POLE = 11

_CODES = {
    1: 49, 2: 48, 4: 14, 5: 14, 6: 14, 7: 14, 8: 2, 9: 2, 10: 18, 11: 19, 12: 2, 14: 3,
    16: 6, 17: 7, 18: 50, 19: 6, 20: 11, 21: 11, 22: 8, 23: COIN_CHEST, 24: 2, 26: 20, 27: 21,
    28: 2, 30: 4, 32: 15, 33: 15, 34: 15, 35: 15, 40: 2, 41: 2, 46: 5, 56: 2, 57: 2, 61: 64, 93: 65,
}  # fmt: skip
"""Map byte → tile code."""
_HILLS = {
    **dict.fromkeys((132, 180, 224), _PLATFORM + 1),
    **dict.fromkeys((133, 181, 225), _PLATFORM + 3),
    **dict.fromkeys((134, 182, 226), _PLATFORM + 2),
    **dict.fromkeys((148, 149, 150), _POSTS),
}


@cache
def _lookup_table() -> NDArray[np.uint8]:
    codes = np.zeros(256, np.uint8)
    codes[128:192] = _GROUND
    for group in (132, 148, 164, 180):
        codes[group : group + 4] = 0
    for byte, code in (_CODES | _HILLS).items():
        codes[byte] = code
    return codes


def drawn_tiles(level: Level, tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the tile codes to draw: of map bytes those that come closest, with a pole at the exit.

    The levels of 2010 have a princess instead of a pole.
    """
    if level.rules not in FORMATS:
        return tiles
    codes = _lookup_table()[tiles]
    if level.rules == "2009":
        column, _ = level.exit
        top, foot = pole_rows(level)
        codes[column, top : foot + 1] = _POLE
        codes[column, top : top + 1] = _POLE_TOP  # nothing in a level of one row
    return codes


def pole_rows(level: Level) -> tuple[int, int]:
    """Return the first and the last row of the pole at the exit; it stands on the ground."""
    column, row = level.exit
    if level.rules in FORMATS:
        ground = _lookup_table()[level.tiles[column]] == _GROUND
        while row > 0 and ground[row]:
            row -= 1
    return max(1, row - _LONGEST_POLE), row
