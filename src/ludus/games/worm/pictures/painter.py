"""Paints a worm's dish: the ground once, what moves for every picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError
from ludus.games.media.pixel_canvas import PixelCanvas
from ludus.games.worm.pictures.themes import THEMES
from ludus.games.worm.surroundings import Oxygen, Temperature
from ludus.games.worm.task import Task
from ludus.games.worm.world import World

__all__ = ["Painter"]

MARGIN, RIM, STRIP = 16, 3, 34
COARSE = 4  # pixels between the places where fields are measured
LEAST_SIDE, LEAST_CELL = 64, 12  # pixels; smaller cells have no lines between them

Floats = NDArray[np.float64]


class Painter:
    """Paints worlds of one task; a film has one painter for all its frames.

    Args:
        task: The worlds' task.
        theme: ``"light"`` or ``"dark"``.
        side: Pixels from wall to wall.

    Raises:
        OptionError: There is no such theme, or the side is too short.
    """

    def __init__(self, task: Task, theme: str, side: int) -> None:
        if theme not in THEMES:
            raise OptionError(f"there is no theme {theme!r}; try {' or '.join(THEMES)}")
        if side < LEAST_SIDE:
            raise OptionError(f"a dish of {side} pixels shows nothing; try 480")
        self._task, self._theme, self._side = task, THEMES[theme], side
        self._steps = task.substrate == "grid"
        self._scale = side / task.size
        self._shift = 0.5 if self._steps else 0.0
        self._ground: Floats | None = None
        self._scented: tuple[bytes, Floats] | None = None

    def paint(self, world: World, path: Floats) -> NDArray[np.uint8]:
        """Return a picture of the world and of the worm's path."""
        dish = PixelCanvas(self._ground_with_scent(world).copy())
        self._draw_trail(dish, path)
        self._draw_foods(dish, world)
        self._draw_predators(dish, world)
        self._draw_worm(dish, world, path)
        return self._add_frame(dish, world)

    # ---- what lies still ----

    def _ground_with_scent(self, world: World) -> Floats:
        """Return the ground with the scent of food; it is painted again when the food changes."""
        key = world.foods.tobytes()
        if self._scented is None or self._scented[0] != key:
            if self._ground is None:
                self._ground = self._paint_ground(world)
            self._scented = key, self._paint_scent(world, self._ground)
        return self._scented[1]

    def _paint_ground(self, world: World) -> Floats:
        dish = PixelCanvas.blank(self._side, self._side, self._theme.dish)
        if self._task.temperature is not None:
            self._draw_temperature(dish, world, self._task.temperature)
        if self._task.oxygen is not None:
            self._draw_oxygen(dish, world, self._task.oxygen)
        if self._steps and self._scale >= LEAST_CELL:
            at = np.rint(np.arange(1, self._task.size) * self._scale).astype(int)
            dish.pixels[at] += 0.6 * (np.array(self._theme.lines) - dish.pixels[at])
            dish.pixels[:, at] += 0.6 * (np.array(self._theme.lines) - dish.pixels[:, at])
        return dish.pixels

    def _draw_temperature(self, dish: PixelCanvas, world: World, heat: Temperature) -> None:
        off = self._field(world.temperature) - heat.cultivation
        tint = np.where(off[..., None] > 0, np.array(self._theme.warm), np.array(self._theme.cold))
        dish.blend(np.s_[:, :], tint, 0.55 * np.clip(np.abs(off) / heat.danger, 0, 1) ** 1.3)
        edges = (heat.comfort, heat.discomfort, heat.danger)
        dish.blend(np.s_[:, :], tint, 0.45 * _contours(np.abs(off), edges))

    def _draw_oxygen(self, dish: PixelCanvas, world: World, air: Oxygen) -> None:
        level = self._field(world.oxygen)
        bad = (level < air.danger_below) | (level > air.comfort_to)
        edges = (air.lethal_below, air.danger_below, air.comfort_to, air.danger_to)
        dish.blend(np.s_[:, :], self._theme.air, np.where(bad, 0.16, 0.0))
        dish.blend(np.s_[:, :], self._theme.air, 0.6 * _contours(level, edges))

    def _paint_scent(self, world: World, ground: Floats) -> Floats:
        dish = PixelCanvas(ground.copy())
        strength = self._field(world.scent)
        strength -= strength.min()
        strength /= float(strength.max()) or 1.0
        dish.blend(np.s_[:, :], self._theme.scent, 0.65 * strength**1.2)
        tenths = 10 * strength
        lines = _line(tenths - np.rint(tenths), tenths) * (tenths > 0.5)
        dish.blend(np.s_[:, :], self._theme.scent_line, 0.25 * lines)
        return dish.pixels

    def _field(self, value: Callable[[ArrayLike, ArrayLike], Any]) -> Floats:
        """Return a field for every pixel of the dish."""
        along = np.linspace(0, self._task.size, self._side // COARSE + 1) - self._shift
        x, y = np.meshgrid(along, along[::-1])
        return _enlarge(value(x, y), self._side)

    # ---- what moves ----

    def _pixels(self, places: ArrayLike) -> Floats:
        """Return the pixels of positions in the dish, one row each."""
        pixels = (np.asarray(places, np.float64).reshape(-1, 2) + self._shift) * self._scale
        return np.stack([pixels[:, 0], self._side - pixels[:, 1]], axis=1)

    def _cell(self, least: float, most: float) -> float:
        """Return a cell's pixels, within bounds so that things can be seen."""
        return float(np.clip(self._scale, least, most))

    def _draw_foods(self, dish: PixelCanvas, world: World) -> None:
        radius = 0.3 * self._cell(9, 26)
        for x, y in self._pixels(world.foods):
            dish.glow(x, y, 3 * radius, self._theme.food, 0.5)
            dish.disc(x, y, radius, self._theme.food)
            dish.disc(x - radius / 4, y - radius / 4, radius / 2, self._theme.food_core, 0.9)

    def _draw_predators(self, dish: PixelCanvas, world: World) -> None:
        predators = self._task.predators
        if predators is None:
            return
        size, red = 0.42 * self._cell(11, 26), self._theme.predator
        for x, y in self._pixels(world.predators):
            for radius, alpha in ((predators.detection, 0.03), (predators.damage_radius, 0.25)):
                if radius > 0:
                    reach = (radius + self._shift) * self._scale
                    dish.reach(x, y, reach, red, alpha, steps=self._steps)
            dish.glow(x, y, 2.4 * size, red, 0.4)
            dish.star(x, y, size, 8, red)
            dish.disc(x, y, 0.4 * size, self._theme.dish, 0.85)

    def _draw_trail(self, dish: PixelCanvas, path: Floats) -> None:
        if len(path) > 1:
            ages = np.arange(len(path) - 1)[::-1]
            fading = np.maximum(0.85 - 0.008 * ages, 0.25)
            dish.line(self._pixels(path), 0.12 * self._cell(12, 24), self._theme.trail, fading)

    def _draw_worm(self, dish: PixelCanvas, world: World, path: Floats) -> None:
        thick = 0.2 * self._cell(14, 26)
        points = _smooth(self._pixels(_body(world, path, 3.4 if self._scale >= LEAST_CELL else 6)))
        along = np.linspace(0, 1, len(points))
        widths = thick * np.minimum(1, 0.12 + 1.8 * along) * np.minimum(1, 0.75 + 3 * (1 - along))
        across = _across(points)
        swing = 0.5 * thick * np.sin(4 * pi * along - 1.1 * world.steps) * (1 - along) ** 0.5
        points = points + across * swing[:, None]
        for edge, colour in ((1.3, self._theme.worm_edge), (0.0, self._theme.worm)):
            for (x, y), width in zip(points, widths, strict=True):
                dish.disc(x, y, width + edge, colour)
        for way in (-1, 1):
            x, y = points[-1] + across[-1] * way * 0.4 * thick
            dish.disc(x, y, max(0.16 * thick, 0.7), self._theme.worm_edge)

    # ---- around it ----

    def _add_frame(self, dish: PixelCanvas, world: World) -> NDArray[np.uint8]:
        side = self._side
        width = side + 2 * MARGIN
        canvas = PixelCanvas.blank(width, width + STRIP, self._theme.outside)
        outer = slice(MARGIN - RIM, MARGIN + side + RIM)
        canvas.pixels[outer, outer] = self._theme.rim
        canvas.pixels[MARGIN : MARGIN + side, MARGIN : MARGIN + side] = dish.pixels
        self._draw_strip(canvas, world)
        return canvas.rgb()

    def _draw_strip(self, canvas: PixelCanvas, world: World) -> None:
        """Draw satiety, health and the foods eaten below the dish."""
        figures, task, theme = world.figures(), self._task, self._theme
        bars = [(figures["satiety"] / task.satiety, theme.satiety)]
        if task.health:
            bars.append((figures["health"] / task.health, theme.health))
        top, length = self._side + 2 * MARGIN + STRIP / 2 - 6, 0.46 * self._side - 8
        for row, (share, colour) in enumerate(bars):
            canvas.bar(MARGIN + 4, top + 11 * row, length, 6, theme.empty)
            if share > 0:
                canvas.bar(MARGIN + 4, top + 11 * row, length * share, 6, colour)
        step = min(18.0, 0.5 * self._side / task.target)
        for k in range(task.target):
            x = MARGIN + self._side - step * (task.target - k - 0.5)
            canvas.disc(
                x, top + 5, 0.36 * step, theme.food if k < figures["foods"] else theme.empty
            )


def _enlarge(coarse: Floats, side: int) -> Floats:
    at = np.linspace(0, len(coarse) - 1, side)
    low = np.minimum(at.astype(int), len(coarse) - 2)
    part = at - low
    rows = coarse[low] * (1 - part)[:, None] + coarse[low + 1] * part[:, None]
    return np.asarray(rows[:, low] * (1 - part) + rows[:, low + 1] * part)


def _contours(values: Floats, levels: Iterable[float]) -> Floats:
    """Return how much of a line at one of the levels runs through each pixel."""
    return np.asarray(np.max([_line(values - level, values) for level in levels], axis=0))


def _line(off: Floats, values: Floats) -> Floats:
    """Return how much of a line runs through each pixel, where values are this far off its own."""
    slope = np.hypot(*np.gradient(values)) + 1e-9
    return np.asarray(np.clip(1.1 - np.abs(off) / slope, 0, 1))


def _body(world: World, path: Floats, length: float) -> Floats:
    """Return places from tail to head: where the worm has been, or straight behind it."""
    positions, left = [np.array(world.worm)], length
    for position in path[-2::-1]:
        gap = float(np.hypot(*(positions[-1] - position)))
        if left <= 0:
            break
        if gap > 0:
            share = min(1.0, left / gap)
            positions.append(positions[-1] + share * (position - positions[-1]))
            left -= share * gap
    if left > 0:
        heading = np.array([np.cos(world.heading), np.sin(world.heading)])
        last = positions[-1] - positions[-2] if len(positions) > 1 else -heading
        positions.append(positions[-1] + last / (float(np.hypot(*last)) or 1.0) * left)
    return np.array(positions[::-1])


def _smooth(points: Floats, count: int = 48) -> Floats:
    """Return points evenly along a path, its corners rounded."""
    stretch = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0, stretch[-1], count)
    even = np.stack([np.interp(at, stretch, points[:, k]) for k in (0, 1)], axis=1)
    for _ in range(24):
        even[1:-1] = (even[:-2] + 2 * even[1:-1] + even[2:]) / 4
    return even


def _across(points: Floats) -> Floats:
    """Return unit vectors across a path."""
    along = np.gradient(points, axis=0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return np.asarray(across / np.maximum(np.hypot(*along.T), 1e-9)[:, None])
