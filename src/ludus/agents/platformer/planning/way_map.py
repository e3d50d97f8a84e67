"""The map that a planner draws of a level of the competitions, and the way over it.

The map holds the columns that Mario has come near: a screen's width ahead of him and all behind
him. What lies beyond is taken for open. From the edge of the map the ticks to go spread back over
its cells, through everything that Mario can walk, climb, jump or fall through. A corridor with a
closed end has no way on, so as soon as the end is on the map, the ticks to go lead back out of it,
and they lead out of it for the rest of the level.

The map knows jumps only roughly. Where it promises a way that no search finds, the planner puts a
toll on the place, and the way goes elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from ludus.agents.platformer.planning.search import TICKS_PER_PIXEL, TICKS_PER_SPEED
from ludus.games.platformer import ForwardModel
from ludus.games.platformer.records import Mario

__all__ = ["AlongTheMap", "WayMap"]

OPEN, WALL, HILL_TOP, BRICK, HIDDEN, LADDER = range(6)
FLOORS = (WALL, HILL_TOP, BRICK, HIDDEN)

SOLID_BYTES = (
    "0405060708090a0b0c0e 111214151617 181a1b1c1e 28292e3839 808182 88898a 8c8d8e 909192 98999a"
    "9c9d9e a0a1a2 a8a9aa acadae b0b1b2"
)
BYTES = {
    WALL: bytes.fromhex(SOLID_BYTES.replace(" ", "")),
    HILL_TOP: bytes.fromhex("848586 b4b5b6 e0e1e2"),
    BRICK: bytes.fromhex("1013"),
    HIDDEN: bytes.fromhex("0102"),
    LADDER: bytes.fromhex("3d5d"),
}
KINDS = bytes(next((kind for kind, of in BYTES.items() if byte in of), OPEN) for byte in range(256))
"""What a byte of a map of 2009 or 2010 is to a Mario who wants to pass."""

SIGHT = 20  # columns ahead of Mario
MEMORY = 90  # columns behind him; the longest dead end of the benchmark has 78
SKY = 4  # open rows above the level
JUMP_ROWS, JUMP_COLUMNS = 4, 3  # how high a jump gets, and how far from its start that counts
LEAP_ROWS, LEAP_COLUMNS = 3, 4  # the same for a jump off a wall

COLUMN = 16 * TICKS_PER_PIXEL
UP, DOWN = 0.5, 0.1  # ticks a row
UP_BY_LEAP = 6.0
THROUGH_BRICK = 40.0
DUCKED = 4.0  # more, where a large Mario has to duck
FAR = 1e9
OFF_THE_MAP = 60.0


class WayMap:
    """The columns of a level that Mario has come near, and the ticks to go from their cells."""

    def __init__(self, exit_cell: tuple[int, int]) -> None:
        self._exit = exit_cell
        self._tolls: dict[tuple[int, int], float] = {}
        self._first = self._end = self._seen = 0
        self._rows = 0
        self._kinds = b""
        self._ticks: list[float] = []
        self._drawn: object = None

    def look(self, model: ForwardModel) -> None:
        """Draw what can be seen from where Mario is, and find the way anew if that is news."""
        tiles, mario = model.tiles, model.mario
        column = int(mario.x) >> 4
        self._seen = max(self._seen, column + SIGHT)
        first, end = max(0, column - MEMORY), min(self._seen, len(tiles), self._exit[0] + 1)
        if end - first < 2:
            return
        drawn = (first, end, mario.mode > 0, tiles[first:end].tobytes(), sum(self._tolls.values()))
        if drawn != self._drawn:
            self._drawn, self._first, self._end = drawn, first, end
            self._rows = tiles.shape[1] + SKY
            self._kinds = _add_sky(drawn[3].translate(KINDS), tiles.shape[1])
            self._spread(large=mario.mode > 0)

    def add_toll(self, mario: Mario, ticks: float) -> None:
        """Make the place where Mario is, and the cells around it, cost this much more."""
        column, row = int(mario.x) >> 4, int(mario.y) >> 4
        for cell in ((column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
            self._tolls[cell] = self._tolls.get(cell, 0.0) + ticks

    def has_ladder(self, mario: Mario) -> bool:
        """Tell whether Mario is at a ladder."""
        column, row = self._cell(mario)
        inside = self._first <= column < self._end
        return inside and self._kinds[(column - self._first) * self._rows + row] == LADDER

    def ticks_to_go(self, mario: Mario) -> float:
        """Return the ticks from here to the exit, as far as the map tells."""
        column, row = self._cell(mario)
        straight = (16 * self._exit[0] - mario.x) * TICKS_PER_PIXEL
        if not self._first < column < self._end - 1:
            behind = OFF_THE_MAP if column <= self._first else 0.0
            return straight + behind - mario.vx * TICKS_PER_SPEED
        place = (column - self._first) * self._rows + row
        here = self._ticks[place]
        left, right = self._ticks[place - self._rows], self._ticks[place + self._rows]
        if here >= FAR:
            beside = min(left, right, self._ticks[place - 1] if row else FAR)
            return beside + 5 if beside < FAR else straight + 3 * OFF_THE_MAP
        return self._between(
            mario, here, left if left < FAR else here, right if right < FAR else here
        )

    def _between(self, mario: Mario, here: float, left: float, right: float) -> float:
        """Return the ticks between the middles of cells; speed the right way makes up for some."""
        part = (mario.x / 16) % 1 - 0.5
        slope = right - here if part > 0 else here - left
        slope = min(max(slope, -COLUMN), COLUMN)
        way = min(max((left - right) / (2 * COLUMN), -1.0), 1.0)
        return here + slope * part - way * mario.vx * TICKS_PER_SPEED

    def _cell(self, mario: Mario) -> tuple[int, int]:
        row = (int(mario.y) >> 4) + SKY
        return int(mario.x) >> 4, min(max(row, 0), self._rows - 1)

    # ---- the way over the map

    def _spread(self, *, large: bool) -> None:
        """Let the ticks to go spread from the edge of the map over its cells."""
        kinds, rows = self._kinds, self._rows
        width = len(kinds) // rows
        jumps, leaps = _find_rises(kinds, rows)
        tolls = {(i - self._first) * rows + j + SKY: toll for (i, j), toll in self._tolls.items()}
        self._ticks = ticks = [FAR] * len(kinds)
        queue = self._start_at_edge()
        while queue:
            cost, place = heappop(queue)
            if cost > ticks[place]:
                continue
            kind, (column, row) = kinds[place], divmod(place, rows)
            cost += tolls.get(place, 0.0)
            if large and row and kinds[place - 1] == WALL:
                cost += DUCKED
            origins = []
            if kind == BRICK:
                cost += THROUGH_BRICK
            else:
                if column > 0:
                    origins.append((place - rows, cost + COLUMN))
                if column < width - 1:
                    origins.append((place + rows, cost + COLUMN))
                if row > 0 and kind != HILL_TOP:
                    origins.append((place - 1, cost + DOWN))
            if row < rows - 1 and (kind != BRICK or large):
                if jumps[column] >> row & 1:
                    origins.append((place + 1, cost + UP))
                elif leaps[column] >> row & 1:
                    origins.append((place + 1, cost + UP_BY_LEAP))
            for origin, ticks_from in origins:
                if ticks_from < ticks[origin] and kinds[origin] != WALL:
                    ticks[origin] = ticks_from
                    heappush(queue, (ticks_from, origin))

    def _start_at_edge(self) -> list[tuple[float, int]]:
        """Return the open cells of the last column; beyond it the way is taken for open."""
        column, row = self._exit
        beyond = column + 1 - self._end
        lowest = self._rows - 1 if beyond else row + SKY
        base = (self._end - 1 - self._first) * self._rows
        queue = []
        for place in range(base, base + lowest + 1):
            if self._kinds[place] not in (WALL, BRICK):
                self._ticks[place] = beyond * COLUMN
                queue.append((beyond * COLUMN, place))
        return queue


class AlongTheMap:
    """The direction of a search that follows the map as far as the horizon."""

    def __init__(self, way_map: WayMap, start: Mario, horizon: int) -> None:
        self.ticks_to_go = way_map.ticks_to_go
        self.has_ladder = way_map.has_ladder
        self._goal = way_map.ticks_to_go(start) - horizon * TICKS_PER_PIXEL

    def is_far_enough(self, mario: Mario, to_go: float) -> bool:
        """Tell whether the way has become shorter by the horizon."""
        return to_go <= self._goal


def _add_sky(kinds: bytes, height: int) -> bytes:
    columns = (kinds[place : place + height] for place in range(0, len(kinds), height))
    return b"".join(bytes(SKY) + column for column in columns)


def _find_rises(kinds: bytes, rows: int) -> tuple[list[int], list[int]]:
    """Return, by column, the rows that a jump gets to, and those that a jump off a wall gets to.

    Rows are bits: row 0 is the lowest bit.
    """
    columns = [kinds[place : place + rows] for place in range(0, len(kinds), rows)]
    walls = [_mask(kind in (WALL, BRICK) for kind in column) for column in columns]
    jumps = _widen([_rise(_find_footing(column), JUMP_ROWS) for column in columns], JUMP_COLUMNS)
    faces = []
    for place, jump in enumerate(jumps):
        beside = walls[max(place - 1, 0)] | walls[min(place + 1, len(walls) - 1)]
        faces.append(_rise(beside & beside >> 1 & ~walls[place] & jump, LEAP_ROWS))
    return jumps, _widen(faces, LEAP_COLUMNS)


def _find_footing(column: bytes) -> int:
    """Return the rows in which Mario can stand or climb."""
    return _mask(
        kind == LADDER or (kind not in (WALL, BRICK) and below in FLOORS)
        for kind, below in pairwise(column)
    )


def _mask(rows: Iterable[bool]) -> int:
    return sum(1 << row for row, is_set in enumerate(rows) if is_set)


def _rise(mask: int, height: int) -> int:
    """Return a mask with the rows above each of its rows, up to a height."""
    for _ in range(height):
        mask |= mask >> 1
    return mask


def _widen(masks: Sequence[int], reach: int) -> list[int]:
    """Return masks that hold those of the columns around them."""
    widened = []
    for place in range(len(masks)):
        mask = 0
        for near in masks[max(0, place - reach) : place + reach + 1]:
            mask |= near
        widened.append(mask)
    return widened
