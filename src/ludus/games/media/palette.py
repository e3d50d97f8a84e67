"""Splits pictures into a palette and indices, and reduces their colours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_COLOURS", "Picture", "count_colours", "reduce_colours", "split_palette"]

Picture: TypeAlias = NDArray[np.uint8]
"""RGB, shape ``(height, width, 3)``."""

MOST_COLOURS = 256
"""The colours that the palette of a GIF or a PNG can hold."""

STEPS = (8, 12, 16)
FIRST_FRAME_COLOURS = 200  # later frames bring more


def split_palette(rgb: Picture) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return a picture's colours, one a row, and for each pixel the number of its colour.

    Example:
        >>> palette, indices = split_palette(np.zeros((2, 3, 3), np.uint8))
        >>> palette.tolist(), indices.shape
        ([[0, 0, 0]], (2, 3))
    """
    wide = rgb.astype(np.uint32)
    packed = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    colours, indices = np.unique(packed, return_inverse=True)
    palette = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    return palette.astype(np.uint8), indices.reshape(rgb.shape[:2])


def count_colours(rgb: Picture) -> int:
    """Return how many colours a picture has."""
    return len(split_palette(rgb)[0])


def reduce_colours(frames: Iterator[Picture]) -> Iterator[Picture]:
    """Yield frames rounded to the finest steps of colour with which they fit into a GIF.

    All frames are rounded alike, so what stands still keeps its colour.
    """
    first = next(frames)
    step = next((s for s in STEPS if count_colours(_round(first, s)) <= FIRST_FRAME_COLOURS), 16)
    for frame in chain([first], frames):
        yield _round(frame, step)


def _round(rgb: Picture, step: int) -> Picture:
    return (np.rint(rgb / step) * step).clip(0, 255).astype(np.uint8)
