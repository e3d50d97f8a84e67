"""The worm that leaves it to chance: what can be had without a nose."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.agents.worm.chances import FORWARD, Seeded, chance_for, turn

__all__ = ["RandomWalk"]

TURNING = 0.25
"""How often it turns."""


class RandomWalk:
    """Goes straight on, and turns to either side now and then; it never rests."""

    name = "random-walk"

    def __init__(self) -> None:
        self._chance = chance_for(self.name, 0)

    def reset(self, scenario: Seeded) -> None:
        """Draw chance from the scenario's seed."""
        self._chance = chance_for(self.name, scenario.seed)

    def act(self, observation: Mapping[str, float]) -> int:
        """Return a turn now and then, whatever is sensed."""
        return turn(self._chance) if self._chance.random() < TURNING else FORWARD
