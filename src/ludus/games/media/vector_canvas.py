"""Draws polygons, lines, circles and words, as an SVG text or as a Pillow picture."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from math import dist
from typing import Any, Protocol

from ludus.distribution import install_command
from ludus.errors import MissingExtra
from ludus.escaping import escape_html

__all__ = ["PictureCanvas", "SvgCanvas", "VectorCanvas"]

Point = tuple[float, float]
Points = Sequence[Point]


class VectorCanvas(Protocol):
    """A canvas for strokes; colours are ``#rrggbb``, lengths are pixels."""

    def polygon(self, points: Points, fill: str, stroke: str = "", width: float = 0) -> None:
        """Fill a polygon and draw its border."""
        ...

    def line(self, points: Points, stroke: str, width: float, dashes: float = 0) -> None:
        """Draw a line through the points, broken into dashes of a length, if one is given."""
        ...

    def circle(
        self, centre: Point, radius: float, fill: str, stroke: str = "", width: float = 0
    ) -> None:
        """Fill a circle and draw its border."""
        ...

    def text(self, at: Point, words: str, colour: str, size: float, anchor: str = "middle") -> None:
        """Write words around a point, or beginning at it (``anchor="start"``)."""
        ...


class SvgCanvas:
    """Draws an SVG text."""

    def __init__(self, size: tuple[int, int], paper: str) -> None:
        self._size, self._parts = size, [f'<rect width="100%" height="100%" fill="{paper}"/>']

    def polygon(self, points: Points, fill: str, stroke: str = "", width: float = 0) -> None:
        """Fill a polygon and draw its border."""
        border = f' stroke="{stroke}" stroke-width="{width:g}"' if stroke else ""
        self._parts.append(
            f'<polygon points="{_points_text(points)}" fill="{fill}"{border} '
            'stroke-linejoin="round"/>'
        )

    def line(self, points: Points, stroke: str, width: float, dashes: float = 0) -> None:
        """Draw a line through the points."""
        broken = f' stroke-dasharray="{dashes:g}"' if dashes else ""
        self._parts.append(
            f'<polyline points="{_points_text(points)}" fill="none" stroke="{stroke}" '
            f'stroke-width="{width:g}" stroke-linecap="round"{broken}/>'
        )

    def circle(
        self, centre: Point, radius: float, fill: str, stroke: str = "", width: float = 0
    ) -> None:
        """Fill a circle and draw its border."""
        x, y = centre
        border = f' stroke="{stroke}" stroke-width="{width:g}"' if stroke else ""
        self._parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill or "none"}"{border}/>'
        )

    def text(self, at: Point, words: str, colour: str, size: float, anchor: str = "middle") -> None:
        """Write words."""
        self._parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="{colour}" font-size="{size:g}" '
            f'text-anchor="{anchor}" dominant-baseline="central">{escape_html(words)}</text>'
        )

    def svg(self) -> str:
        """Return the SVG text."""
        width, height = self._size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif">\n'
            + "\n".join(self._parts)
            + "\n</svg>\n"
        )


def _points_text(points: Points) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


class PictureCanvas:
    """Draws a picture with Pillow, first larger and then shrunk, so that lines are smooth.

    Args:
        size: Width and height in the drawing's own pixels.
        paper: The colour of the ground.
        zoom: How many pixels of the picture one of the drawing becomes.
    """

    FINER = 2

    def __init__(self, size: tuple[int, int], paper: str, zoom: float = 1.0) -> None:
        try:
            self._images = import_module("PIL.Image")
            self._fonts = import_module("PIL.ImageFont")
            drawing = import_module("PIL.ImageDraw")
        except ImportError as error:
            message = f"Pillow is not installed; pictures need it: {install_command('pictures')}"
            raise MissingExtra(message) from error
        self._scale = zoom * self.FINER
        self._size = (round(size[0] * zoom), round(size[1] * zoom))
        large = (self._size[0] * self.FINER, self._size[1] * self.FINER)
        self._image = self._images.new("RGB", large, paper)
        self._pen = drawing.Draw(self._image)
        self._sizes: dict[int, Any] = {}

    def polygon(self, points: Points, fill: str, stroke: str = "", width: float = 0) -> None:
        """Fill a polygon and draw its border."""
        corners = [self._to_pixels(point) for point in points]
        self._pen.polygon(corners, fill=fill)
        if stroke:
            self._pen.line([*corners, corners[0]], fill=stroke, width=self._line_width(width))

    def line(self, points: Points, stroke: str, width: float, dashes: float = 0) -> None:
        """Draw a line through the points."""
        for piece in _dashes_of(points, dashes) if dashes else [points]:
            corners = [self._to_pixels(point) for point in piece]
            self._pen.line(corners, fill=stroke, width=self._line_width(width), joint="curve")

    def circle(
        self, centre: Point, radius: float, fill: str, stroke: str = "", width: float = 0
    ) -> None:
        """Fill a circle and draw its border."""
        x, y = self._to_pixels(centre)
        r = radius * self._scale
        self._pen.ellipse(
            (x - r, y - r, x + r, y + r),
            fill=fill or None,
            outline=stroke or None,
            width=self._line_width(width) if stroke else 0,
        )

    def text(self, at: Point, words: str, colour: str, size: float, anchor: str = "middle") -> None:
        """Write words."""
        pixels = round(size * self._scale)
        if pixels not in self._sizes:
            self._sizes[pixels] = self._fonts.load_default(pixels)
        where = "mm" if anchor == "middle" else "lm"
        position = self._to_pixels(at)
        self._pen.text(position, words, fill=colour, font=self._sizes[pixels], anchor=where)

    def picture(self) -> Any:
        """Return the picture as a Pillow image."""
        return self._image.resize(self._size, self._images.Resampling.BOX)

    def _to_pixels(self, point: Point) -> Point:
        return point[0] * self._scale, point[1] * self._scale

    def _line_width(self, width: float) -> int:
        return max(1, round(width * self._scale))


def _dashes_of(points: Points, dashes: float) -> list[list[Point]]:
    """Return the dashes of a line, each as long as the gap after it."""
    pieces: list[list[Point]] = []
    for start, end in pairwise(points):
        length = dist(start, end) or dashes
        begins = range(0, max(1, int(length / dashes)), 2)
        pieces += [
            [_interpolate(start, end, part * dashes / length) for part in (k, k + 1)]
            for k in begins
        ]
    return pieces


def _interpolate(start: Point, end: Point, part: float) -> Point:
    part = min(part, 1.0)
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
