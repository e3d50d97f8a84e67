r"""What the organisers of the level-generation track may demand of a level.

A gap is a longest run of columns whose bottom cell is empty. Turtles are red and green koopas and
spikies, with wings or without. Coin blocks are all blocks that can be bumped and hold no item.

Example:
    >>> level = Level.parse("--Q---k-\nM------F\nXX--XXXX")
    >>> count_demanded(level)
    Counts(width=8, gaps=1, turtles=1, coin_blocks=1)
    >>> Constraints(width=8, gaps=2).find_faults(level)
    ['1 gaps, 2 are demanded']
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from ludus.errors import OptionError
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.levels.level import Level

__all__ = ["DEMANDED_2011", "Constraints", "Counts", "count_demanded"]

_TURTLES = (
    Kind.RED_KOOPA,
    Kind.RED_KOOPA_WINGED,
    Kind.GREEN_KOOPA,
    Kind.GREEN_KOOPA_WINGED,
    Kind.SPIKY,
    Kind.SPIKY_WINGED,
)
_COIN_BLOCKS = (7, 11, 49)


class Counts(NamedTuple):
    """What a level has of that which can be demanded."""

    width: int
    gaps: int
    turtles: int
    coin_blocks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What is demanded of a level; None where anything goes.

    Attributes:
        width: Columns.
        gaps: How many gaps.
        turtles: How many turtles.
        coin_blocks: How many coin blocks.

    Raises:
        OptionError: A number is negative.
    """

    width: int | None = 320
    gaps: int | None = None
    turtles: int | None = None
    coin_blocks: int | None = None

    def __post_init__(self) -> None:
        for name, demanded in asdict(self).items():
            if demanded is not None and demanded < 0:
                raise OptionError(f"{name} {demanded} is out of range: give 0 or more")

    def find_faults(self, level: Level) -> list[str]:
        """Return a line on each demand that a level does not meet."""
        counts = count_demanded(level)._asdict()
        return [
            f"{counts[name]} {name.replace('_', ' ')}, {demanded} are demanded"
            for name, demanded in asdict(self).items()
            if demanded is not None and demanded != counts[name]
        ]


DEMANDED_2011 = Constraints(width=320, gaps=10, turtles=7, coin_blocks=10)
"""The numbers in the public software of 2011, which tests the width alone."""


def count_demanded(level: Level) -> Counts:
    """Return a level's width and its numbers of gaps, turtles and coin blocks."""
    level = level.tile_level
    empty = np.concatenate([[False], level.tiles[:, -1] == 0])
    return Counts(
        width=level.width,
        gaps=int((empty[1:] & ~empty[:-1]).sum()),
        turtles=sum(kind in _TURTLES for _, _, kind in level.templates),
        coin_blocks=int(np.isin(level.tiles, _COIN_BLOCKS).sum()),
    )
