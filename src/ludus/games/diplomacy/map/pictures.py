"""Draws positions with their orders, in light or dark, and films of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import dist
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import OptionError
from ludus.games.diplomacy.map.colours import POWER_COLOURS, mix_colours
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.map.outlines import (
    ANCHORS,
    LAKES,
    NEUTRAL,
    SEA_BORDERS,
    SIZE,
    outlines,
    project,
)
from ludus.games.diplomacy.map.place_names import SEAS
from ludus.games.diplomacy.records import POWERS, Turn, parse_phase
from ludus.games.diplomacy.table import Table
from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.media.palette import Picture
from ludus.games.media.vector_canvas import PictureCanvas, Point, SvgCanvas, VectorCanvas
from ludus.games.media.video import write_film

__all__ = [
    "PICTURE_SIZE",
    "THEMES",
    "YEAR",
    "current_turn",
    "describe_phase",
    "draw_turn",
    "turn_picture",
    "turn_svg",
    "write_replay",
    "write_svg",
]

LEGEND = 46
PICTURE_SIZE = (SIZE[0], SIZE[1] + LEGEND)
UNIT = 10.0
FILM_ZOOM = 0.6
YEAR = "last_year"
"""The key of a position's state that has the year of a game that is over."""
KINDS = {"M": "movement", "R": "retreats", "A": "adjustments"}


@dataclass(frozen=True, slots=True)
class MapTheme:
    """The colours of a map, except those of the powers."""

    sea: str
    land: str
    rock: str
    border: str
    coast: str
    ink: str
    paper: str
    failed: str
    tint: float


THEMES = {
    "light": MapTheme(
        sea="#d6e6f2",
        land="#f3eddd",
        rock="#c9c3b4",
        border="#9a927f",
        coast="#5f6b78",
        ink="#222222",
        paper="#ffffff",
        failed="#f2600c",
        tint=0.5,
    ),
    "dark": MapTheme(
        sea="#14202c",
        land="#33383f",
        rock="#22262b",
        border="#6d7278",
        coast="#8b97a5",
        ink="#ececec",
        paper="#0d1117",
        failed="#ff9540",
        tint=0.62,
    ),
}


def current_turn(table: Table) -> Turn:
    """Return the position of a table as a turn without orders, to be drawn."""
    return Turn(table.phase, {**table.state, YEAR: table.year}, dict.fromkeys(POWERS, ()))


def turn_svg(turn: Turn, theme: str = "light") -> str:
    """Return a picture of a turn as SVG: the position before it, its orders, what failed.

    Example:
        >>> turn_svg(current_turn(Table.start()))[:4]
        '<svg'
    """
    canvas = SvgCanvas(PICTURE_SIZE, _theme(theme).sea)
    draw_turn(canvas, turn, theme)
    return canvas.svg()


def turn_picture(turn: Turn, theme: str = "light", zoom: float = 1.0) -> Any:
    """Return a picture of a turn as a Pillow image.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    canvas = PictureCanvas(PICTURE_SIZE, _theme(theme).sea, zoom)
    draw_turn(canvas, turn, theme)
    return canvas.picture()


def draw_turn(canvas: VectorCanvas, turn: Turn, theme: str = "light") -> None:
    """Draw a turn on any canvas of :data:`PICTURE_SIZE`."""
    look = _theme(theme)
    _draw_land(canvas, turn, look)
    _draw_orders(canvas, turn, look)
    _draw_names(canvas, look)
    _draw_units(canvas, turn, look)
    _draw_legend(canvas, turn, look)


def write_svg(path: str | PathLike[str], table: Table, theme: str = "light") -> None:
    """Write the position of a table as SVG."""
    Path(path).write_text(turn_svg(current_turn(table), theme), encoding="utf-8")


def write_replay(
    path: str | PathLike[str],
    table: Table,
    theme: str = "light",
    seconds: float = 0.9,
    options: FilmOptions = AS_DRAWN,
) -> None:
    """Write a film of the game, as GIF or MP4 by the path's suffix, or its last position as PNG.

    Every phase is a frame with its orders; the position at the end comes last.

    Args:
        path: The file; one that exists is replaced.
        table: The game.
        theme: ``light`` or ``dark``.
        seconds: How long a frame is shown; the last one three times as long.
        options: Size, speed and frames a second of the film.

    Raises:
        MissingExtra: The extra ``video`` is not installed.
        OptionError: The suffix is another.
    """

    def draw_position() -> Picture:
        return np.asarray(turn_picture(current_turn(table), theme))

    frames = _frames(table, theme)
    write_film(path, frames, 1 / seconds, picture=draw_position, options=options)


def _frames(table: Table, theme: str) -> Iterator[Picture]:
    for turn in table.history:
        yield np.asarray(turn_picture(turn, theme, FILM_ZOOM))
    last = np.asarray(turn_picture(current_turn(table), theme, FILM_ZOOM))
    yield from (last, last, last)


def _theme(name: str) -> MapTheme:
    if name not in THEMES:
        raise OptionError(f"no theme {name!r}; there are {', '.join(THEMES)}")
    return THEMES[name]


# ---- the parts of a picture


def _draw_land(canvas: VectorCanvas, turn: Turn, theme: MapTheme) -> None:
    for border in SEA_BORDERS:
        canvas.line([project(point) for point in border], theme.border, 1, dashes=4)
    for shape in NEUTRAL.values():
        canvas.polygon([project(point) for point in shape], theme.rock, theme.coast, 1)
    fills = _fills(turn, theme)
    for province, corners in outlines().items():
        canvas.polygon([project(p) for p in corners], fills[province], theme.border, 1)
    for lake in LAKES:
        canvas.polygon([project(point) for point in lake], theme.sea, theme.border, 1)


def _fills(turn: Turn, theme: MapTheme) -> dict[str, str]:
    """Return every province's colour: its owner's, or a pale one of the last power in it."""
    fills = dict.fromkeys(outlines(), theme.land)
    for power, places in turn.state.get("influence", {}).items():
        for province in places:
            if province[:3] in fills:
                fills[province[:3]] = mix_colours(theme.land, POWER_COLOURS[power], theme.tint / 3)
    for province in geography().centres:
        fills[province] = theme.land
    for power, places in turn.centres.items():
        for province in places:
            fills[province] = mix_colours(theme.land, POWER_COLOURS[power], theme.tint)
    return fills


def _draw_names(canvas: VectorCanvas, theme: MapTheme) -> None:
    centres = geography().centres
    for province, anchor in ANCHORS.items():
        if "/" in province:
            continue
        x, y = project(anchor)
        ink = mix_colours(theme.sea, theme.ink, 0.55) if province in SEAS else theme.ink
        below = (x, y + UNIT + 7)
        canvas.text(below, province, ink, 9)
        if province in centres:
            canvas.circle((x - 15, y + UNIT + 7), 2.6, theme.ink, theme.paper, 1)


def _draw_units(canvas: VectorCanvas, turn: Turn, theme: MapTheme) -> None:
    for power, units in turn.units.items():
        for unit in units:
            _draw_unit(canvas, unit, power, theme)


def _draw_unit(canvas: VectorCanvas, unit: str, power: str, theme: MapTheme) -> None:
    dislodged = unit.startswith("*")
    kind, province = unit.lstrip("*").split()
    x, y = project(ANCHORS[province])
    if dislodged:
        x, y = x + UNIT * 1.3, y - UNIT * 1.1
    edge, colour = theme.failed if dislodged else theme.ink, POWER_COLOURS[power]
    if kind == "A":
        canvas.circle((x, y), UNIT, colour, edge, 1.6)
    else:
        hull = [(-1.25, -0.55), (1.25, -0.55), (0.75, 0.85), (-0.75, 0.85)]
        canvas.polygon([(x + UNIT * a, y + UNIT * b) for a, b in hull], colour, edge, 1.6)
    canvas.text((x, y), kind, "#ffffff" if power != "TURKEY" else "#222222", 11)


def _draw_legend(canvas: VectorCanvas, turn: Turn, theme: MapTheme) -> None:
    width, top = SIZE[0], SIZE[1]
    canvas.polygon(
        [(0, top), (width, top), (width, PICTURE_SIZE[1]), (0, PICTURE_SIZE[1])], theme.paper
    )
    canvas.text((14, top + LEGEND / 2), describe_phase(turn), theme.ink, 17, anchor="start")
    step = (width - 250) / len(POWERS)
    for k, power in enumerate(POWERS):
        x = 245 + k * step
        canvas.circle((x, top + LEGEND / 2), 7, POWER_COLOURS[power], theme.ink, 1)
        words = f"{power.title()} {len(turn.centres[power])}"
        canvas.text((x + 12, top + LEGEND / 2), words, theme.ink, 14, anchor="start")


def describe_phase(turn: Turn) -> str:
    """Return what stands below a picture: season, year and kind, or that and when it ended."""
    phase = parse_phase(turn.phase)
    if phase is None:
        year = turn.state.get(YEAR)
        return f"The end, {year}" if isinstance(year, int) else "The end"
    return f"{phase.season.title()} {phase.year}, {KINDS[phase.kind]}"


# ---- orders


def _draw_orders(canvas: VectorCanvas, turn: Turn, theme: MapTheme) -> None:
    goals = _goals(turn)
    strokes: Mapping[str, Callable[..., None]] = {
        "H": _draw_hold,
        "-": _draw_move,
        "R": _draw_move,
        "S": partial(_draw_help, goals=goals, dashes=5.0),
        "C": partial(_draw_help, goals=goals, dashes=2.5),
        "B": _draw_build,
        "D": _draw_removal,
    }
    for power, orders in turn.orders.items():
        for order in orders:
            words = order.split()
            if len(words) < 3:
                continue
            failed = bool(turn.results.get(" ".join(words[:2])))
            colour = theme.failed if failed else mix_colours(POWER_COLOURS[power], theme.ink, 0.35)
            strokes[words[2]](canvas, words, colour)


def _goals(turn: Turn) -> dict[str, str]:
    """Return where each unit that moves is going, by its province."""
    words = [order.split() for orders in turn.orders.values() for order in orders]
    return {words_[1][:3]: words_[3] for words_ in words if len(words_) > 3 and words_[2] == "-"}


def _at(location: str) -> Point:
    return project(ANCHORS[location])


def _draw_hold(canvas: VectorCanvas, words: list[str], colour: str) -> None:
    canvas.circle(_at(words[1]), UNIT + 4, "", colour, 1.5)


def _draw_move(canvas: VectorCanvas, words: list[str], colour: str) -> None:
    start, end = _at(words[1]), _shorten(_at(words[1]), _at(words[3]), UNIT + 3)
    canvas.line([start, end], colour, 3)
    _draw_head(canvas, start, end, colour)


def _draw_help(
    canvas: VectorCanvas, words: list[str], colour: str, *, goals: Mapping[str, str], dashes: float
) -> None:
    """Draw a line to the supported unit, or to the middle of its move."""
    start, end = _at(words[1]), _at(words[4])
    if len(words) > 6:
        goal = _at(goals.get(words[4][:3], words[6]))
        end = (end[0] + goal[0]) / 2, (end[1] + goal[1]) / 2
    else:
        end = _shorten(start, end, UNIT + 3)
    canvas.line([start, end], colour, 2, dashes=dashes)
    canvas.circle(end, 3, colour)


def _draw_build(canvas: VectorCanvas, words: list[str], colour: str) -> None:
    x, y = _at(words[1])
    canvas.circle((x, y), UNIT + 2, "", colour, 2.5)
    for dx, dy in ((5, 0), (0, 5)):
        canvas.line([(x - dx, y - dy), (x + dx, y + dy)], colour, 3)
    canvas.text((x + UNIT + 7, y - UNIT), words[0], colour, 11)


def _draw_removal(canvas: VectorCanvas, words: list[str], colour: str) -> None:
    x, y = _at(words[1])
    reach = UNIT + 4
    for turn in (1, -1):
        canvas.line([(x - reach, y - turn * reach), (x + reach, y + turn * reach)], colour, 3)


def _draw_head(canvas: VectorCanvas, start: Point, end: Point, colour: str) -> None:
    """Draw the head of an arrow."""
    length = dist(start, end) or 1.0
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    back = end[0] - 9 * dx, end[1] - 9 * dy
    side = 5.5 * dy, -5.5 * dx
    tip = end[0] + 3 * dx, end[1] + 3 * dy
    wings = [(back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
    canvas.polygon([tip, *wings], colour)


def _shorten(start: Point, end: Point, by: float) -> Point:
    length = dist(start, end) or 1.0
    part = max(0.0, 1 - by / length)
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
