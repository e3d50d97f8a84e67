"""The worm that turns more often when things get worse: a biased random walk."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.agents.worm.chances import FORWARD, Seeded, chance_for, turn
from ludus.agents.worm.smell import scent

__all__ = ["Klinokinesis"]

TURNING_UP, TURNING_DOWN = 0.05, 0.6
"""How often it turns while the smell of food grows, and while it fades."""


class Klinokinesis:
    """Compares the smell of food with that of the step before; it never knows where food is."""

    name = "klinokinesis"

    def __init__(self) -> None:
        self._chance = chance_for(self.name, 0)
        self._before: float | None = None

    def reset(self, scenario: Seeded) -> None:
        """Draw chance from the scenario's seed and forget what was smelt."""
        self._chance = chance_for(self.name, scenario.seed)
        self._before = None

    def act(self, observation: Mapping[str, float]) -> int:
        """Return a turn, rarely on the way up and often on the way down."""
        now = scent(observation)
        rising = self._before is None or now > self._before
        self._before = now
        often = TURNING_UP if rising else TURNING_DOWN
        return turn(self._chance) if self._chance.random() < often else FORWARD
