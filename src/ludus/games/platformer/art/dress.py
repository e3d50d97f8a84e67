"""Tiles that look as their neighbours let them: grass edges, tufts, propped platforms, doors."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "COLOURS",
    "DOORWAY",
    "DOOR_FOOT",
    "GROUND",
    "PLATFORM_OVER_BACKGROUND",
    "TUFTS",
    "TUFT_KINDS",
    "dress",
]

COLOURS = 3
"""Of keys, locks, switches and doors."""
_DOOR_CLOSED, _DOOR_OPEN = 78, 81

# Codes that no level has.
GROUND = 128
"""Ground with open sides: this plus 1 above, 2 left, 4 right, 8 below."""
PLATFORM_OVER_BACKGROUND = 144
"""Platform 43 + n with background under it: this plus n."""
TUFTS = 148
"""Something that grows on the grass: this plus 0 ... ``TUFT_KINDS`` - 1."""
TUFT_KINDS = 4
DOOR_FOOT = 152
"""The lowest tile of a closed door: this plus the colour."""
DOORWAY = 155
"""A tile of an open door under another one: this plus the colour."""


@cache
def _growth() -> NDArray[np.uint8]:
    """Return what grows in a column where there is grass: a tile code, or 0."""
    kinds = np.array([(n * n * 40503 >> 7) % (3 * TUFT_KINDS) for n in range(509)])
    return np.where(kinds < TUFT_KINDS, TUFTS + kinds, 0).astype(np.uint8)


def dress(
    tiles: NDArray[np.uint8], first_column: int = 0, initial: NDArray[np.uint8] | None = None
) -> NDArray[np.uint8]:
    """Return the grid with grass on open ground, edges on its sides, tufts, and ends of doors.

    Args:
        tiles: Tile codes, column by column; the level or a piece of it.
        first_column: Where in the level the piece begins.
        initial: The same piece as the level begins, when that is not how it is now: nothing grows
            where something lay.

    Returns:
        Tile codes of the same shape, read-only.
    """
    before = tiles if initial is None else initial
    return _dress_tiles(tiles.tobytes(), before.tobytes(), tiles.shape[1], first_column)


@lru_cache(maxsize=64)  # most pictures show the same tiles as the one before
def _dress_tiles(
    current: bytes, before: bytes, height: int, first_column: int
) -> NDArray[np.uint8]:
    tiles, initial = (
        np.frombuffer(grid, np.uint8).reshape(-1, height) for grid in (current, before)
    )
    ground = (tiles == 1).view(np.uint8)
    codes = np.full(tiles.shape, GROUND - 1 + 15, np.uint8)  # open on all four sides
    codes[:, 1:] -= ground[:, :-1]
    codes[1:] -= ground[:-1] << 1
    codes[:-1] -= ground[1:] << 2
    codes[:, :-1] -= ground[:, 1:] << 3
    codes[:, 0] -= 1  # the level ends there, the ground does not
    codes[0] -= 2
    codes[-1] -= 4
    codes[:, -1] -= 8
    codes *= ground
    codes += tiles

    growth = _growth().take(range(first_column, first_column + len(tiles)), mode="wrap")
    bare = (tiles | initial)[:, :-1] == 0
    codes[:, :-1] += bare * ground[:, 1:] * growth[:, None]
    platforms = tiles[:, :-1] - np.uint8(43)
    propped = (platforms < 4) & (tiles[:, 1:] == 47)
    if propped.any():
        codes[:, :-1][propped] = PLATFORM_OVER_BACKGROUND + platforms[propped]
    doors = tiles - np.uint8(_DOOR_CLOSED)
    if (doors < 2 * COLOURS).any():
        _dress_doors(codes, doors)
    codes.flags.writeable = False
    return codes


def _dress_doors(codes: NDArray[np.uint8], doors: NDArray[np.uint8]) -> None:
    """Put the ends of doors into the grid; a closed door ends below, an open one above."""
    foot = doors < COLOURS
    foot[:, :-1] &= doors[:, 1:] != doors[:, :-1]
    codes[foot] = DOOR_FOOT + doors[foot]
    open_doors = doors - np.uint8(_DOOR_OPEN - _DOOR_CLOSED)
    under = (open_doors[:, 1:] < COLOURS) & (doors[:, 1:] == doors[:, :-1])
    codes[:, 1:][under] = DOORWAY + open_doors[:, 1:][under]
