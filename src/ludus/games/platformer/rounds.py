"""Rounds: what a page needs to play a recorded episode again, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ludus.games.platformer._native import World
from ludus.games.platformer.levels.level import Level

__all__ = ["HasRounds", "Round", "round_of_world"]


@dataclass(frozen=True, slots=True)
class Round:
    """One level, played once.

    Attributes:
        name: What tables call the level.
        level: The level.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        time_limit: Seconds on the clock; 0 means no limit.
        actions: The buttons of every tick.
        digest: The state digest after the last tick, 16 hexadecimal digits.
        status: How it ended: 0 running, 1 win, 2 lose, 3 time out.
    """

    name: str
    level: Level
    mode: int
    time_limit: int
    actions: bytes
    digest: str
    status: int


@runtime_checkable
class HasRounds(Protocol):
    """A game whose episodes are rounds of the platformer."""

    def split_rounds(self, scenario: Any, record: bytes) -> Sequence[Round]:
        """Return the rounds of a record, in their order.

        Raises:
            LudusError: The record is not one of this game's.
        """
        ...


def round_of_world(
    name: str, world: World, mode: int, time_limit: int, actions: bytes | bytearray
) -> Round:
    """Return the round that a world was played in.

    Args:
        name: What tables call the level.
        world: The world after the last tick.
        mode: How Mario started.
        time_limit: Seconds that were on the clock.
        actions: The buttons of every tick.
    """
    digest = f"{world.hash():016x}"
    return Round(name, world.level, mode, time_limit, bytes(actions), digest, world.status)
