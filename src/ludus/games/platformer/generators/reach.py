"""Computes how far Mario jumps under given physics: what a level may require."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ludus.games.platformer.physics import Physics

__all__ = ["Reach", "find_reach"]

_TILE = 16
_RUN_UP = 2 * _TILE
_MOST = 10_000


class Reach(NamedTuple):
    """Distances in whole tiles.

    Attributes:
        up: The height of a full jump.
        across: The widest gap that a jump after two tiles of running crosses.
        far: The way from the top of a level through the air until Mario is lost, at full speed.
    """

    up: int
    across: int
    far: int


@lru_cache(maxsize=1024)
def find_reach(physics: Physics, height: int) -> Reach:
    """Return how far one jump goes in a level of that many rows."""
    top, ticks = _flight(physics, 0)
    across = _run(physics, ticks, _speed_after(physics, _RUN_UP))
    _, long = _flight(physics, (height + 2) * _TILE)
    far = _run(physics, long, 1.2 / (1 - _speed_factor(physics)))
    return Reach(
        min(int(top / _TILE), _MOST),
        min(int(across / _TILE), _MOST),
        min(int(far / _TILE) + 1, _MOST),
    )


def _speed_factor(physics: Physics) -> float:
    """Return the share of speed that is kept each tick on the way to the right."""
    return 0.89 + physics.wind + physics.ice


def _flight(physics: Physics, drop: float) -> tuple[float, int]:
    """Return a full jump's height in pixels, and its ticks until so far below its start."""
    thrust = int(np.float32(physics.jump_power) / np.float32(physics.gravity))
    thrusts = [thrust, *range(thrust, 0, -1)] if thrust else []
    y = top = speed = 0.0
    ticks = 0
    while ticks < len(thrusts) or (y < drop if drop else y < 0):
        speed = -1.9 * thrusts[ticks] if ticks < len(thrusts) else speed
        y += speed
        top = min(top, y)
        speed = speed * 0.85 + 3 * physics.gravity
        ticks += 1
    return -top, ticks


def _speed_after(physics: Physics, pixels: float) -> float:
    x = speed = 0.0
    while x < pixels:
        speed += 1.2
        x += speed
        speed *= _speed_factor(physics)
    return speed


def _run(physics: Physics, ticks: int, speed: float) -> float:
    x = 0.0
    for _ in range(ticks):
        speed += 1.2
        x += speed
        speed *= _speed_factor(physics)
    return x
