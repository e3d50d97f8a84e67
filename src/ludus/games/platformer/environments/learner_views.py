"""What learners take: numbers of about one, classes of cells, planes, stacked grey pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludus.games.platformer._native import PICTURES, SCREEN_SIDE, SIGHT_FIELDS
from ludus.games.platformer.records import STATE_FIELDS

__all__ = ["BUFFERS", "CLASSES", "CONVERSIONS", "LEARNER_PARTS", "learner_space"]

#: The parts of an observation that this module makes, and what of the engine's they are made of.
BUFFERS = {
    "scaled_state": "state",
    "classes": "merged",
    "planes": "merged",
    "fields": "fields",
    "pixels": "pixels",
}
LEARNER_PARTS = tuple(BUFFERS)

#: What a cell of the merged grid is to Mario, and the codes that say so; a cell of class 0 is air.
CLASSES: dict[str, tuple[int, ...]] = {
    "solid": (17, 18, 30, 34, 35, 36, 37, 68, 69, 85, 86, 87, 94, 95, 96, 100),
    "cannon": (19, 20, 21),
    "brick": (22,),
    "question block": (24,),
    "coin": (31,),
    "exit": (55, 56),
    "platform": (59, 60, 61, 62),
    "ladder": (80, 81),
    "key or switch": (82, 83, 84, 88, 89, 90),
    "creature to stomp": (1, 2),
    "creature to avoid": (8,),
    "item": (12,),
    "fireball": (16,),
}

_CLASS_OF = np.zeros(256, np.uint8)
for _number, _codes in enumerate(CLASSES.values(), 1):
    _CLASS_OF[list(_codes)] = _number
_NUMBERS = np.arange(1, len(CLASSES) + 1, dtype=np.uint8)[:, None, None]

_SCALES = {
    "x": 4096, "y": 256, "vx": 16, "vy": 16, "status": 3, "mode": 2, "invulnerable": 32,
    "timer": 200_000, "kills_total": 32, "kills_by_fire": 32, "kills_by_stomp": 32,
    "kills_by_shell": 32, "kills_by_fall": 32, "coins": 99, "keys": 3,
}  # fmt: skip
_SCALE = np.array([1 / _SCALES.get(field, 1) for field in STATE_FIELDS], np.float32)

_ONE = np.float32(1 / 64)
"""What the number 1 of a field stands for: the engine writes 64 for 1."""


def _scale_state(state: NDArray[Any]) -> NDArray[Any]:
    scaled: NDArray[Any] = np.clip(state * _SCALE, -1, 1)
    return scaled


def _classify(grid: NDArray[Any]) -> NDArray[Any]:
    return np.take(_CLASS_OF, grid)


def _separate_planes(grid: NDArray[Any]) -> NDArray[Any]:
    return np.equal(np.take(_CLASS_OF, grid)[..., None, :, :], _NUMBERS).view(np.uint8)


def _scale_fields(fields: NDArray[Any]) -> NDArray[Any]:
    scaled: NDArray[Any] = fields * _ONE
    return scaled


#: How a part is made of what the engine wrote, for one environment or many; pixels are as they are.
CONVERSIONS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "scaled_state": _scale_state,
    "classes": _classify,
    "planes": _separate_planes,
    "fields": _scale_fields,
}


def learner_space(part: str, grid: tuple[int, int]) -> spaces.Box:
    """Return the space of a part, with grids of this shape.

    Example:
        >>> learner_space("planes", (16, 16)).shape
        (13, 16, 16)
    """
    if part == "scaled_state":
        return spaces.Box(-1, 1, (len(STATE_FIELDS),), np.float32)
    if part == "classes":
        return spaces.Box(0, len(CLASSES), grid, np.uint8)
    if part == "planes":
        return spaces.Box(0, 1, (len(CLASSES), *grid), np.uint8)
    if part == "fields":
        return spaces.Box(-2, 2, (SIGHT_FIELDS,), np.float32)
    return spaces.Box(0, 255, (PICTURES, SCREEN_SIDE, SCREEN_SIDE), np.uint8)
