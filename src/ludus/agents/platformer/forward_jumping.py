"""The classic baseline of the platformer: run right, jump whenever possible."""

from __future__ import annotations

from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["ForwardJumping"]

RIGHT, SPEED, JUMP = 2, 8, 16


class ForwardJumping:
    """Holds right, and holds jump and speed while a jump is possible or under way."""

    name = "forward-jumping"

    def reset(self, scenario: Scenario) -> None:
        """Do nothing: the rule remembers nothing."""

    def act(self, observation: View) -> int:
        """Return right, with jump and speed unless Mario stands and may not jump yet."""
        mario = observation.mario
        leaping = mario.may_jump or not mario.on_ground
        return RIGHT | SPEED | JUMP if leaping else RIGHT
