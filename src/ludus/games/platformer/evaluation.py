"""What the competitions measure of a play, and rows of recordings of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ludus.errors import OptionError
from ludus.games.platformer._native import (
    WorldView,
    evaluate_2009,
    evaluate_2010,
    trace_columns,
    trace_values,
)
from ludus.games.platformer.codes import Kind

__all__ = ["WEIGHTS_2010", "Evaluation2009", "Evaluation2010", "evaluate", "trace_row"]

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

    @classmethod
    def of(cls, world: WorldView) -> Evaluation2009:
        """Return the figures of a world.

        Raises:
            OptionError: It is played by other rules.
        """
        return cls(*evaluate_2009(world))

    @property
    def kills_total(self) -> int:
        """Walkers and piranhas killed."""
        return self.kills_by_stomp + self.kills_by_shell + self.kills_by_fire + self.kills_by_bump

    @property
    def basic_fitness(self) -> float:
        """Distance less the time spent, plus the coins and 5000 for a win."""
        bonus = BONUS_OF_A_WIN * (self.status == WIN)
        return self.distance - self.time_spent + self.coins + bonus


WEIGHTS_2010: Mapping[str, int] = {
    "distance": 1,
    "status": 1024,
    "mode": 32,
    "coins": 16,
    "mushrooms": 58,
    "flowers": 64,
    "green_mushrooms": 58,
    "hidden_blocks": 24,
    "kills_total": 42,
    "kills_by_stomp": 12,
    "kills_by_fire": 4,
    "kills_by_shell": 17,
    "time_left": 8,
}
"""What each figure of an :class:`Evaluation2010` is worth in the weighted fitness."""


class Evaluation2010(NamedTuple):
    """The figures of the benchmark of 2010, which a world of the rules ``2010`` counts.

    What a bump kills does not count, nor do shells, nor bills that a shell hits. A shell that
    breaks on a creature in Mario's hands counts as one more kill in all.
    """

    status: int  #: 2 running, 1 win, 0 dead, also by a time-out
    mode: int  #: 0 small, 1 large, 2 fire
    distance: int  #: Mario's x in pixels; after a win the right end of the exit's column
    cells: int  #: his column; after a win the one behind the exit
    time_left: int  #: seconds of 15 ticks
    time_spent: int
    ticks: int  #: ticks of the world, the first included
    coins: int
    hidden_blocks: int  #: bumps of hidden coin blocks
    mushrooms: int
    green_mushrooms: int
    flowers: int
    kills_total: int
    kills_by_stomp: int
    kills_by_fire: int
    kills_by_shell: int
    collisions: int  #: contacts that cost Mario his power or his life
    total_coins: int  #: in the level, as its generator counted them
    total_hidden_blocks: int
    total_creatures: int
    total_mushrooms: int  #: that blocks have offered so far
    total_flowers: int
    length: int  #: columns of the level
    reward: int  #: the intermediate reward: what all that happened has paid so far
    deaths: tuple[int, ...]  #: 1 time, 2 gap, 3 kill event; 16 and more: 16 + ``codes.Kind``
    kills_by_kind: Mapping[int, int]  #: by stomp, fire and shell, by ``codes.Kind``

    @classmethod
    def of(cls, world: WorldView) -> Evaluation2010:
        """Return the figures of a world.

        Raises:
            OptionError: It is played by other rules.
        """
        return cls(*evaluate_2010(world))

    def weigh(self, weights: Mapping[str, int] = WEIGHTS_2010) -> int:
        """Return the sum of the figures, each times its weight."""
        return sum(weight * int(getattr(self, name)) for name, weight in weights.items())

    @property
    def weighted_fitness(self) -> int:
        """The benchmark's fitness. A game that is still running counts as two wins, as there."""
        return self.weigh()

    @property
    def basic_fitness(self) -> int:
        """Distance less the time spent, plus the coins and 1024 for a win."""
        return self.distance - self.time_spent + self.coins + WEIGHTS_2010["status"] * self.status

    @property
    def death(self) -> str:
        """Why Mario died, in the benchmark's words; empty while he lives."""
        return "".join(_name_death(cause) for cause in self.deaths)


_CAUSES = {1: "Time out!", 2: "Gap", 3: "Kill event"}
_CREATURES = {
    Kind.GOOMBA: "Goomba",
    Kind.GOOMBA_WINGED: "Goomba Winged",
    Kind.RED_KOOPA: "Red Koopa",
    Kind.RED_KOOPA_WINGED: "Red Koopa Winged",
    Kind.GREEN_KOOPA: "Green Koopa",
    Kind.GREEN_KOOPA_WINGED: "Green Koopa Winged",
    Kind.SPIKY: "Spiky",
    Kind.SPIKY_WINGED: "Spiky Winged",
    Kind.BULLET_BILL: "Bullet",
    Kind.ENEMY_FLOWER: "Flower",
}
_FIRST_KIND = 16


def _name_death(cause: int) -> str:
    if cause in _CAUSES:
        return _CAUSES[cause]
    return f"Collision with a creature [{_CREATURES.get(Kind(cause - _FIRST_KIND), 'Unknown')}]"


def evaluate(world: WorldView) -> Evaluation2009 | Evaluation2010:
    """Return what the competition whose rules a world has measures of it.

    Raises:
        OptionError: Its rules are those of no competition.
    """
    if world.rules == "2010":
        return Evaluation2010.of(world)
    if world.rules == "2009":
        return Evaluation2009.of(world)
    raise OptionError(
        f"the rules {world.rules!r} are those of no competition: "
        "try world.result(), or a world of the rules '2009' or '2010'"
    )


def trace_row(world: WorldView) -> dict[str, str]:
    r"""Return the columns of a recording that show a world, by their names.

    The columns are those of the recordings of the world's rules; ``docs/competitions.md`` and
    ``tests/conformance/README.md`` list them.

    Example:
        >>> from ludus.games.platformer import Level, World
        >>> row = trace_row(World(Level.parse("M---F\nXXXXX")))
        >>> row["tick"], row["mx"], row["sprites"]
        ('1', '41000000', 'M')
    """
    return dict(zip(trace_columns(world).split(","), trace_values(world).split(","), strict=True))
