"""The pictures of a transcript as SVG: a map for each phase, and the centres over the years."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ludus.benchmarks.diplomacy.records import SavedGame, SavedPhase
from ludus.benchmarks.diplomacy.scoring import SOLO, years
from ludus.games.diplomacy.map.colours import POWER_COLOURS
from ludus.games.diplomacy.map.geography import geography
from ludus.games.diplomacy.map.outlines import ANCHORS
from ludus.games.diplomacy.map.pictures import PICTURE_SIZE, YEAR, draw_turn
from ludus.games.diplomacy.records import POWERS, Turn
from ludus.games.media.vector_canvas import SvgCanvas

__all__ = ["MapDrawer", "draw_centre_chart", "to_turn"]

UNIT = re.compile(r"\*?[AF] [A-Z]{3}(?:/[NSEW]C)?")
PLACE = re.compile(r"\b[A-Z]{3}(?:/[NSEW]C)?")
ORDER = re.compile(
    r"[AF] [A-Z/]{3,6} (?:H|B|D|[-R] [A-Z/]{3,6}(?: VIA)?|S [AF] [A-Z/]{3,6}(?: - [A-Z/]{3,6})?|"
    r"C A [A-Z]{3} - [A-Z]{3})"
)
CHART = (900, 320)
MARGIN = 40
NAMES_WIDTH = 110


class MapDrawer:
    """Draws maps that share their outlines, so that a page holds each only once."""

    def __init__(self) -> None:
        self._shapes: dict[str, str] = {}

    def draw(self, turn: Turn) -> str:
        """Return a map as SVG, whose shapes :meth:`definitions` has."""
        canvas = SvgCanvas(PICTURE_SIZE, "#d6e6f2")
        draw_turn(canvas, turn)
        width, height = PICTURE_SIZE
        parts = "".join(map(self._share, canvas.svg().splitlines()[1:-1]))
        return f'<svg viewBox="0 0 {width} {height}" role="img">{parts}</svg>'

    def definitions(self) -> str:
        """Return the shapes of all maps that were drawn."""
        shapes = "".join(f'<g id="{name}">{part}</g>' for part, name in self._shapes.items())
        return f'<svg width="0" height="0" style="position:absolute"><defs>{shapes}</defs></svg>'

    def _share(self, part: str) -> str:
        """Return a reference to a part of a drawing; polygons keep their own colours."""
        shape, look = part, ""
        if part.startswith("<polygon"):
            look = " ".join(re.findall(r'(?:fill|stroke|stroke-width)="[^"]*"', part))
            shape = re.sub(r' (?:fill|stroke|stroke-width)="[^"]*"', "", part)
        name = self._shapes.setdefault(shape, f"s{len(self._shapes)}")
        return f'<use href="#{name}" {look}/>'


def to_turn(phase: SavedPhase, year: int) -> Turn:
    """Return a saved phase as a turn to be drawn, without what no map has."""
    centres = geography().centres
    state = {
        "units": {p: [u for u in phase.units.get(p, ()) if _is_on_map(u, UNIT)] for p in POWERS},
        "centers": {p: [c for c in phase.centres.get(p, ()) if c in centres] for p in POWERS},
        YEAR: year,
    }
    orders = {
        power: tuple(order for order in phase.orders.get(power, ()) if _is_on_map(order, ORDER))
        for power in POWERS
    }
    return Turn(phase.name, state, orders, results=phase.results)


def _is_on_map(text: str, form: re.Pattern[str]) -> bool:
    """Return whether a text is a unit or an order of places that the map has."""
    return bool(form.fullmatch(text)) and all(place in ANCHORS for place in PLACE.findall(text))


def draw_centre_chart(game: SavedGame) -> str:
    """Return the supply centres of all powers after each year as SVG."""
    when = [
        year - phase.name.startswith("S")  # nothing changes hands before the fall
        for year, phase in zip(years(game.positions, 1900), game.phases, strict=True)
    ]
    first, last = when[0], max(when[-1], when[0] + 1)
    most = max(SOLO, *(count for phase in game.phases for count in phase.count.values()), 1)
    canvas = SvgCanvas(CHART, "#ffffff")

    def place(year: float, count: float) -> tuple[float, float]:
        width, height = CHART[0] - MARGIN - NAMES_WIDTH, CHART[1] - 2 * MARGIN
        across = (year - first) / (last - first)
        return MARGIN + width * across, CHART[1] - MARGIN - height * count / most

    for count in range(0, most + 1, 3):
        canvas.line([place(first, count), place(last, count)], "#dddddd", 1)
        canvas.text((MARGIN - 14, place(first, count)[1]), f"{count}", "#444444", 12)
    canvas.line([place(first, SOLO), place(last, SOLO)], "#c2255c", 1.5, dashes=6)
    for year in range(first, last + 1, max(1, (last - first) // 8)):
        canvas.text((place(year, 0)[0], CHART[1] - MARGIN + 18), f"{year}", "#444444", 12)
    courses = {power: _by_year(game, when, power) for power in POWERS}
    for power, course in courses.items():
        points = [place(year, count) for year, count in sorted(course.items())]
        canvas.line(points, POWER_COLOURS[power], 3)
    _write_names(canvas, {p: place(last, c[max(c)]) for p, c in courses.items()})
    return canvas.svg()


def _by_year(game: SavedGame, when: Sequence[int], power: str) -> dict[int, int]:
    """Return a power's centres by year; the last record of a year counts."""
    return {year: phase.count.get(power, 0) for year, phase in zip(when, game.phases, strict=True)}


def _write_names(canvas: SvgCanvas, ends: Mapping[str, tuple[float, float]]) -> None:
    """Write the powers' names beside the ends of their lines: none on another, or on the years."""
    ordered = sorted(ends, key=lambda power: ends[power][1])
    heights = _spread([ends[power][1] for power in ordered], CHART[1] - MARGIN)
    for power, height in zip(ordered, heights, strict=True):
        place = ends[power][0] + 8, height
        canvas.text(place, power.capitalize(), POWER_COLOURS[power], 13, anchor="start")


def _spread(heights: Sequence[float], lowest: float, apart: float = 15) -> list[float]:
    """Return heights from the top that are at least so far apart, and none below the lowest.

    Example:
        >>> _spread([80, 100, 100], 100)
        [70, 85, 100]
    """
    spread: list[float] = []
    for height in heights:
        spread.append(max(height, spread[-1] + apart) if spread else height)
    most = [lowest - apart * number for number in reversed(range(len(spread)))]
    return [min(pair) for pair in zip(spread, most, strict=True)]
