"""A path drawn over a picture: a smooth line with an outline, its colour telling the time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_trail"]

_RAMP = np.array([[255, 246, 138], [255, 156, 54], [244, 63, 108], [150, 54, 214]], np.float64)
_INK = np.array([38, 28, 44], np.float64)
_LINE = 1.0  # half the line's width
_DOT = 3.0  # radius of the dot at the end
_OUTLINE = 1.2  # width of the outline


def _ramp(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colours of moments between 0, the start, and 1, the end."""
    stops = np.linspace(0, 1, len(_RAMP))
    return np.stack([np.interp(moments, stops, _RAMP[:, n]) for n in range(3)], axis=-1)


def draw_trail(rgb: NDArray[np.uint8], points: NDArray[np.float64]) -> None:
    """Draw a line through the points (x, y), in pixels, into the picture; it may leave it."""
    if not len(points):
        return
    height, width = rgb.shape[:2]
    # How far every pixel is outside the line, and the moment of the line's nearest place.
    outside = np.full((height, width), np.inf)
    moments = np.zeros((height, width))

    def approach(start: NDArray[np.float64], end: NDArray[np.float64], radius: float,
                 first: float, last: float) -> None:  # fmt: skip
        reach = radius + _OUTLINE + 1
        x0, y0 = np.maximum(np.floor(np.minimum(start, end) - reach), 0).astype(int)
        x1, y1 = np.ceil(np.maximum(start, end) + reach).astype(int) + 1
        box = np.s_[y0 : min(y1, height), x0 : min(x1, width)]
        if y0 >= min(y1, height) or x0 >= min(x1, width):
            return
        y, x = np.mgrid[box]
        along = end - start
        length = float(along @ along)
        share = np.zeros(x.shape)
        if length:
            share = ((x - start[0]) * along[0] + (y - start[1]) * along[1]) / length
            share = np.clip(share, 0, 1)
        away = np.hypot(x - start[0] - share * along[0], y - start[1] - share * along[1]) - radius
        nearer = away < outside[box]
        outside[box] = np.where(nearer, away, outside[box])
        moments[box] = np.where(nearer, first + share * (last - first), moments[box])

    steps = max(len(points) - 1, 1)
    for n in range(len(points) - 1):
        approach(points[n], points[n + 1], _LINE, n / steps, (n + 1) / steps)
    approach(points[-1], points[-1], _DOT, 1, 1)

    drawn = outside < _OUTLINE + 0.5
    away, below = outside[drawn][:, None], rgb[drawn].astype(np.float64)
    inked = below + (_INK - below) * np.clip(_OUTLINE + 0.5 - away, 0, 1)
    coloured = inked + (_ramp(moments[drawn]) - inked) * np.clip(0.5 - away, 0, 1)
    rgb[drawn] = np.rint(coloured).astype(np.uint8)
