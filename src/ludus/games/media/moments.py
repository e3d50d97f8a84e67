"""A picture of a film: some of its frames, evenly spaced, in rows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_moments"]

Picture = NDArray[np.uint8]

COLUMNS, ROWS = 4, 3
GAP = 4
HELD = 8  # so many times more frames are held than are shown, so that these are even
PAPER = 255


def draw_moments(frames: Iterable[Picture]) -> Picture:
    """Return twelve frames or fewer, evenly spaced from the first to the last, in rows of four.

    Only a few frames are held at a time, however long the film is.

    Args:
        frames: At least one, all of one shape ``(height, width, 3)``.
    """
    moments, last = _pick(frames, COLUMNS * ROWS - 1)
    moments.append(last)
    height, width = last.shape[:2]
    columns = min(COLUMNS, len(moments))
    rows = -(-len(moments) // columns)
    sheet = np.full(
        (rows * (height + GAP) - GAP, columns * (width + GAP) - GAP, 3), PAPER, np.uint8
    )
    for number, moment in enumerate(moments):
        y, x = (height + GAP) * (number // columns), (width + GAP) * (number % columns)
        sheet[y : y + height, x : x + width] = moment
    return sheet


def _pick(frames: Iterable[Picture], most: int) -> tuple[list[Picture], Picture]:
    """Return at most so many frames, evenly spaced, and the last one, which is not among them."""
    kept: list[tuple[int, Picture]] = []
    stride, number, last = 1, -1, None
    for number, frame in enumerate(frames):
        last = frame
        if number % stride == 0:
            kept.append((number, frame))
        if len(kept) > HELD * most:
            kept, stride = kept[::2], 2 * stride
    if last is None:
        raise ValueError("no frames to draw: give one or more")
    earlier = [frame for place, frame in kept if place < number]
    spread = np.linspace(0, len(earlier), min(most, len(earlier)), endpoint=False).astype(int)
    return [earlier[place] for place in spread], last
