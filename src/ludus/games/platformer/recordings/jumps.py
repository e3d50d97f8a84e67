"""Jumps of recorded play: where they began, how long the key was held, what they crossed."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.codes import EventKind
from ludus.games.platformer.levels.metrics import find_gap_columns
from ludus.games.platformer.recordings.recording import Tick

__all__ = ["TILE", "Jump", "find_jumps"]

TILE = 16


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump from the ground.

    Attributes:
        start: Mario's x at take-off.
        end: His x where he stood again, or where the life ended.
        edge: Pixels from take-off to the nearest edge of a gap that he flew over; inf if none.
    """

    start: float
    end: float
    edge: float


def find_jumps(ticks: list[Tick]) -> list[Jump]:
    """Return the jumps of a life."""
    if not ticks:
        return []
    gaps = find_gap_columns(ticks[0].world.level)
    jumps: list[Jump] = []
    start: float | None = None
    for tick in ticks:
        if start is not None and tick.after.on_ground:
            jumps.append(_jump(start, tick.after.x, gaps))
            start = None
        if any(event.kind == EventKind.JUMP for event in tick.events) and tick.after.was_on_ground:
            start = tick.before.x
    if start is not None:
        jumps.append(_jump(start, ticks[-1].after.x, gaps))
    return jumps


def _jump(start: float, end: float, gaps: NDArray[np.bool_]) -> Jump:
    low, high = sorted((start, end))
    first, last = int(low // TILE), min(int(high // TILE), len(gaps) - 1)
    crossed = [column for column in range(max(first, 0), last + 1) if gaps[column]]
    if not crossed:
        return Jump(start, end, inf)
    edge = crossed[0] * TILE - start if end >= start else start - (crossed[-1] + 1) * TILE
    return Jump(start, end, max(0.0, float(edge)))
