"""Chance for players of the worm, drawn from a scenario's seed so that play can be repeated."""

from __future__ import annotations

from random import Random
from typing import Protocol

__all__ = ["FORWARD", "LEFT", "RIGHT", "STAY", "Seeded", "chance_for", "turn"]

FORWARD, LEFT, RIGHT, STAY = range(4)


class Seeded(Protocol):
    """What a player needs to know of a scenario."""

    @property
    def seed(self) -> int:
        """What chance is drawn from."""
        ...


def chance_for(player: str, seed: int) -> Random:
    """Return a player's own chance in a scenario of this seed."""
    return Random(f"{player}/{seed}")  # noqa: S311 (a game, not a secret)


def turn(chance: Random) -> int:
    """Return left or right, as chance has it."""
    return LEFT if chance.random() < 0.5 else RIGHT
