"""What a player without a forward model sees around Mario, the same under all rules.

The rule sets number blocks and creatures differently. Here a cell carries Mario or does not, stops
him or does not, and a creature can be stomped on or not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.agents.platformer.sight import see_blocks, see_walls
from ludus.games.platformer.records import Mario
from ludus.games.platformer.view import View

__all__ = ["Creature", "Surroundings", "find_creatures", "look_around"]

SIDE = 21
MIDDLE = SIDE // 2
TALL = 24
"""The height of a Mario who fills two cells."""

HARMLESS = {"2009": (14,), "2010": ()}
"""Creatures in the list of positions that do no harm: mushrooms."""
HARMLESS_IN_FRAMEWORK = (12, 13, 15, 16)

SPIKED = {"2009": (9, 10, 12), "2010": (91, 93, 99)}
"""Creatures that hurt whoever jumps on them: spikies and flowers."""
SPIKED_IN_FRAMEWORK = (8, 9, 11)


class Creature(NamedTuple):
    """A creature near Mario."""

    dx: float  #: pixels to the right of him
    dy: float  #: pixels below him
    stompable: bool


class Surroundings(NamedTuple):
    """The cells and creatures around Mario.

    Attributes:
        mario: Mario himself.
        blocks: Which of the 21 × 21 cells carry him, by row and column; he is at ``[10][10]``.
        walls: Which of them stop him from the side.
        creatures: What may hurt him, the nearest first.
    """

    mario: Mario
    blocks: NDArray[np.bool_]
    walls: NDArray[np.bool_]
    creatures: list[Creature]

    def wall_height(self, distance: int = 2) -> int:
        """Return how many cells the wall in front of Mario is high; 0 if there is none so near.

        Args:
            distance: Columns to the right that are looked at.
        """
        for column in range(MIDDLE + 1, MIDDLE + 1 + distance):
            if self._stops(column):
                return self._count_up(column)
        return 0

    def gap_width(self, distance: int = 3) -> int:
        """Return how many columns the gap in front of Mario is wide; 0 if there is none so near.

        A column is part of a gap if nothing in it, from his feet down, can be stood on.

        Args:
            distance: Columns to the right within which the gap begins.
        """
        bottomless: NDArray[np.bool_] = ~np.any(self.blocks[MIDDLE:], axis=0)
        for first in range(MIDDLE + 1, MIDDLE + 1 + distance):
            if bottomless[first]:
                rest = bottomless[first:]
                return int(np.argmin(rest)) if not rest.all() else len(rest)
        return 0

    @property
    def over_gap(self) -> bool:
        """Whether nothing below Mario can be stood on."""
        return not bool(self.blocks[MIDDLE:, MIDDLE].any())

    def creature_ahead(
        self, reach: float, *, above: float = 40.0, below: float = 24.0
    ) -> Creature | None:
        """Return the nearest creature to the right, at about Mario's height.

        Args:
            reach: Pixels to the right.
            above: Pixels above him.
            below: Pixels below him.
        """
        for creature in self.creatures:
            if -8.0 <= creature.dx <= reach and -above <= creature.dy <= below:
                return creature
        return None

    def _stops(self, column: int) -> bool:
        """Say whether a column stops Mario as he walks."""
        body = 2 if self.mario.height >= TALL else 1
        return bool(self.walls[MIDDLE + 1 - body : MIDDLE + 1, column].any())

    def _count_up(self, column: int) -> int:
        """Return how far a column is blocked, from Mario's feet up."""
        free = ~self.walls[MIDDLE::-1, column]
        lowest = int(np.argmax(~free))
        opening = np.flatnonzero(free[lowest:])
        return lowest + int(opening[0]) if opening.size else MIDDLE


def look_around(view: View) -> Surroundings:
    """Return what is around Mario."""
    mario, rules = view.mario, view.rules
    blocks, walls = see_blocks(view, SIDE).T, see_walls(view, SIDE).T
    return Surroundings(mario, blocks, walls, find_creatures(view, mario, rules))


def find_creatures(view: View, mario: Mario, rules: str) -> list[Creature]:
    """Return the creatures that may hurt Mario, the nearest first."""
    harmless = HARMLESS.get(rules, HARMLESS_IN_FRAMEWORK)
    spiked = SPIKED.get(rules, SPIKED_IN_FRAMEWORK)
    creatures = [
        Creature(x - mario.x, y - mario.y, int(kind) not in spiked)
        for kind, x, y in view.enemy_positions.tolist()
        if int(kind) not in harmless
    ]
    return sorted(creatures, key=lambda creature: abs(creature.dx) + abs(creature.dy))
