"""What the competitions measure of a play, and rows of recordings of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ludus.errors import OptionError
from ludus.games.platformer._native import (
    WorldView,
    evaluate_2009,
    trace_columns,
    trace_values,
)

__all__ = ["Evaluation2009", "evaluate", "trace_row"]

WIN = 1
BONUS_OF_A_WIN = 5000


class Evaluation2009(NamedTuple):
    """The figures of the competition of 2009, which a world of the rules ``2009`` counts.

    The reference counts no kills; these counters tell apart what its rules tell apart.
    """

    status: int  #: 2 running, 1 win, 0 dead, also by a time-out
    distance: float  #: Mario's x in pixels
    cells: int  #: the column in which his last move began
    time_left: int  #: seconds of 15 ticks
    time_spent: int
    ticks: int  #: ticks of the world, those in which it stood still and the first included
    mode: int  #: 0 small, 1 large, 2 fire
    coins: int
    lives: int  #: one for every hundred coins
    collisions: int  #: contacts that cost Mario his power or his life
    hidden_blocks: int  #: hidden blocks found
    kills_by_stomp: int  #: walkers and piranhas
    kills_by_shell: int
    kills_by_fire: int
    kills_by_bump: int
    bills_by_stomp: int
    bills_by_shell: int
    shells_by_fire: int  #: shells at rest
    shells_broken: int  #: at another shell, or in Mario's hands
    kills_by_kind: Mapping[int, int]  #: walkers and piranhas, by ``codes.Kind``

    @property
    def kills_total(self) -> int:
        """Walkers and piranhas killed."""
        return self.kills_by_stomp + self.kills_by_shell + self.kills_by_fire + self.kills_by_bump

    @property
    def basic_fitness(self) -> float:
        """Distance less the time spent, plus the coins and 5000 for a win."""
        bonus = BONUS_OF_A_WIN * (self.status == WIN)
        return self.distance - self.time_spent + self.coins + bonus


def evaluate(world: WorldView) -> Evaluation2009:
    """Return what the competition whose rules a world has measures of it.

    Raises:
        OptionError: Its rules are those of no competition.
    """
    if world.rules != "2009":
        raise OptionError(
            f"the rules {world.rules!r} are those of no competition: "
            "try world.result(), or a world of the rules '2009'"
        )
    return Evaluation2009(*evaluate_2009(world))


def trace_row(world: WorldView) -> dict[str, str]:
    r"""Return the columns of a recording that show a world, by their names.

    The columns are those of the recordings of the world's rules; ``docs/rules-2009.md`` and
    ``tests/conformance/README.md`` list them.

    Example:
        >>> from ludus.games.platformer import Level, World
        >>> row = trace_row(World(Level.parse("M---F\nXXXXX")))
        >>> row["tick"], row["mx"], row["sprites"]
        ('1', '41000000', 'M')
    """
    return dict(zip(trace_columns(world).split(","), trace_values(world).split(","), strict=True))
