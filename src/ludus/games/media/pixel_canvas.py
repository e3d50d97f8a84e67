"""Draws smooth shapes on an array of colours, with nothing but numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Colour", "PixelCanvas"]

Colour = tuple[float, float, float]
Box = tuple[slice, slice]
Floats = NDArray[np.float64]


class PixelCanvas:
    """An array of colours to draw on: floats from 0 to 255, x to the right, y downward."""

    def __init__(self, pixels: Floats) -> None:
        self.pixels = pixels

    @classmethod
    def blank(cls, width: int, height: int, colour: Colour) -> PixelCanvas:
        """Return a canvas of one colour."""
        pixels = np.empty((height, width, 3), np.float64)
        pixels[:] = colour
        return cls(pixels)

    def rgb(self) -> NDArray[np.uint8]:
        """Return the picture as bytes."""
        return np.clip(np.rint(self.pixels), 0, 255).astype(np.uint8)

    def blend(self, box: Box, colour: ArrayLike, share: Floats) -> None:
        """Mix a colour into a box of pixels, each by its own share."""
        area = self.pixels[box]
        area += (np.asarray(colour, np.float64) - area) * share[..., None]

    def disc(self, x: float, y: float, radius: float, colour: Colour, alpha: float = 1.0) -> None:
        """Draw a disc with a soft edge."""
        box, distance = self._distance_to_point(x, y, radius)
        self.blend(box, colour, alpha * np.clip(radius + 0.5 - distance, 0, 1))

    def glow(self, x: float, y: float, radius: float, colour: Colour, alpha: float) -> None:
        """Draw a light that fades to the edge."""
        box, distance = self._distance_to_point(x, y, radius)
        self.blend(box, colour, alpha * np.clip(1 - distance / radius, 0, 1) ** 2)

    def reach(
        self, x: float, y: float, radius: float, colour: Colour, alpha: float, *, steps: bool
    ) -> None:
        """Outline and tint a circle, or a diamond if distance is counted in steps."""
        box, distance = self._distance_to_point(x, y, radius)
        if steps:
            rows, columns = np.mgrid[box]
            distance = (np.abs(columns - x) + np.abs(rows - y) - radius) / np.sqrt(2) + radius
        inside = np.clip(radius + 0.5 - distance, 0, 1)
        edge = np.clip(1.0 - np.abs(distance - radius), 0, 1)
        self.blend(box, colour, np.maximum(alpha * inside, 0.4 * edge))

    def star(self, x: float, y: float, radius: float, points: int, colour: Colour) -> None:
        """Draw a disc with a wavy edge."""
        box, distance = self._distance_to_point(x, y, 1.3 * radius)
        rows, columns = np.mgrid[box]
        edge = radius * (1 + 0.22 * np.cos(points * np.arctan2(rows - y, columns - x)))
        self.blend(box, colour, np.clip(edge + 0.5 - distance, 0, 1))

    def line(self, points: Floats, width: float, colour: Colour, alphas: Floats) -> None:
        """Draw a line through points, each segment with its own alpha."""
        share = np.zeros(self.pixels.shape[:2])
        for start, end, alpha in zip(points[:-1], points[1:], alphas, strict=True):
            box, distance = self._distance_to_line(start, end, width)
            strength = alpha * np.clip(width / 2 + 0.5 - distance, 0, 1)
            share[box] = np.maximum(share[box], strength)
        self.blend(np.s_[:, :], colour, share)

    def bar(self, x: float, y: float, length: float, height: float, colour: Colour) -> None:
        """Draw a bar with round ends."""
        box, distance = self._distance_to_line(np.array([x, y]), np.array([x + length, y]), height)
        self.blend(box, colour, np.clip(height / 2 + 0.5 - distance, 0, 1))

    def _box(self, low: Floats, high: Floats) -> Box:
        height, width = self.pixels.shape[:2]
        left, top = np.clip(low.astype(int), 0, (width, height))
        right, bottom = np.clip(high.astype(int) + 2, 0, (width, height))
        return slice(top, bottom), slice(left, right)

    def _distance_to_point(self, x: float, y: float, radius: float) -> tuple[Box, Floats]:
        centre = np.array([x, y])
        box = self._box(centre - radius - 2, centre + radius + 2)
        rows, columns = np.mgrid[box]
        return box, np.hypot(columns - x, rows - y)

    def _distance_to_line(self, start: Floats, end: Floats, width: float) -> tuple[Box, Floats]:
        box = self._box(np.minimum(start, end) - width - 2, np.maximum(start, end) + width + 2)
        rows, columns = np.mgrid[box]
        way = end - start
        share = (columns - start[0]) * way[0] + (rows - start[1]) * way[1]
        share = np.clip(share / (float(way @ way) or 1.0), 0, 1)
        return box, np.hypot(columns - start[0] - share * way[0], rows - start[1] - share * way[1])
