"""Ways over the cells around Mario that can be stood on: walking, falling and jumping."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Hop", "find_next_hop"]

HIGHEST = 4
"""Cells that a jump rises."""

FURTHEST = 5
"""Columns that a jump crosses."""

AHEAD = 10
"""Columns to Mario's right."""

JUMP_COST = 1.5

Cell = tuple[int, int]


class Hop(NamedTuple):
    """The next step of a way."""

    columns: int  #: to the right
    rise: int  #: cells upwards


def find_next_hop(blocks: NDArray[np.bool_], walls: NDArray[np.bool_]) -> Hop | None:
    """Return the first step towards the rightmost cell that can be reached.

    A step costs its columns and rows, a jump half as much again.

    Args:
        blocks: Which cells carry Mario, by row and column. He stands in the middle row, with ten
            columns to his right.
        walls: Which of them he cannot pass.

    Returns:
        The step, or None if Mario can get nowhere to the right.
    """
    grid = _Grid(blocks, walls)
    last = grid.columns - 1
    start = (grid.rows // 2, last - AHEAD)
    queue: list[tuple[float, Cell]] = [(AHEAD, start)]
    costs: dict[Cell, float] = {start: 0.0}
    origins: dict[Cell, Cell] = {}
    goal = start
    while queue and goal[1] < last:
        estimate, cell = heappop(queue)
        cost = costs[cell]
        if estimate > cost + last - cell[1]:
            continue
        goal = max(goal, cell, key=lambda reached: reached[1])
        for target, price in grid.steps_from(cell):
            if cost + price < costs.get(target, inf):
                costs[target], origins[target] = cost + price, cell
                heappush(queue, (cost + price + last - target[1], target))
    return None if goal == start else _first_hop(goal, start, origins)


def _first_hop(goal: Cell, start: Cell, origins: dict[Cell, Cell]) -> Hop:
    while origins[goal] != start:
        goal = origins[goal]
    return Hop(goal[1] - start[1], start[0] - goal[0])


class _Grid:
    """Cells, and the steps from each."""

    def __init__(self, blocks: NDArray[np.bool_], walls: NDArray[np.bool_]) -> None:
        standing = ~walls
        standing[:-1] &= blocks[1:]
        standing[-1] = False
        self.rows, self.columns = blocks.shape
        self._walls: list[list[bool]] = walls.tolist()
        self._standing: list[list[bool]] = standing.tolist()

    def steps_from(self, cell: Cell) -> Iterator[tuple[Cell, float]]:
        """Yield the cells that one step leads to, each with its cost."""
        row, column = cell
        for side in (1, -1):
            beside = column + side
            if not 0 <= beside < self.columns:
                continue
            if not self._walls[row][beside]:
                landing = self._fall(row, beside)
                if landing is not None:
                    yield (landing, beside), 1.0 + landing - row
            yield from self._jumps_from(cell, side)

    def _fall(self, row: int, column: int) -> int | None:
        """Return the row in which a fall down a column ends, if it ends in sight."""
        for below in range(row, self.rows):
            if self._standing[below][column]:
                return below
        return None

    def _jumps_from(self, cell: Cell, side: int) -> Iterator[tuple[Cell, float]]:
        """Yield the cells that a jump to one side leads to: up, and across."""
        row, column = cell
        for rise in range(HIGHEST + 1):
            top = row - rise
            if top < 0 or self._walls[top][column]:
                return
            for across in range(1, FURTHEST + 1):
                target = column + side * across
                if not 0 <= target < self.columns or self._walls[top][target]:
                    break
                if self._standing[top][target] and (rise or across > 1):
                    yield (top, target), JUMP_COST * (rise + across)
