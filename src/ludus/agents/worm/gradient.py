"""The worm that always goes up the gradient: the best that can be had without looking ahead."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.agents.worm.chances import FORWARD, LEFT, RIGHT, Seeded
from ludus.agents.worm.smell import bearing

__all__ = ["Gradient"]

AHEAD = 0.25
"""Up to an eighth of a turn to either side is ahead."""


class Gradient:
    """Turns towards food and away from predators, as the sum of both smells has it.

    It needs to sense a direction, as worms do in the mode ``oracle``.
    """

    name = "gradient"

    def reset(self, scenario: Seeded) -> None:
        """Remember nothing."""

    def act(self, observation: Mapping[str, float]) -> int:
        """Return the move that leads most nearly up the gradient."""
        towards = bearing(observation)
        if abs(towards) <= AHEAD:
            return FORWARD
        return LEFT if towards > 0 else RIGHT
