"""The worm that runs, tumbles when things get worse, and curves towards the better side.

Real worms do both: they reorient more often when the smell fades (pirouettes) and bend their way
towards the side that smells more (the weathervane).
"""

from __future__ import annotations

from collections.abc import Mapping

from ludus.agents.worm.chances import FORWARD, LEFT, RIGHT, Seeded, chance_for, turn
from ludus.agents.worm.smell import scent, side

__all__ = ["RunAndTumble"]

SPONTANEOUS, TUMBLING = 0.05, 0.6
"""How often it tumbles while the smell grows, and while it fades."""

TUMBLE = 2
"""The most turns of a tumble, all to one side."""

VEERING = 0.35
"""How often it bends towards the better side, if that is clear."""

CLEAR = 0.25
"""How far to the side food must be."""


class RunAndTumble:
    """Runs, tumbles and veers; it works by any sense of smell, best by two nostrils."""

    name = "run-and-tumble"

    def __init__(self) -> None:
        self._chance = chance_for(self.name, 0)
        self._before: float | None = None
        self._turns: list[int] = []

    def reset(self, scenario: Seeded) -> None:
        """Draw chance from the scenario's seed and forget what was smelt."""
        self._chance = chance_for(self.name, scenario.seed)
        self._before = None
        self._turns = []

    def act(self, observation: Mapping[str, float]) -> int:
        """Return the next move of a tumble, a turn to the better side, or forward."""
        now = scent(observation)
        fading = self._before is not None and now < self._before
        self._before = now
        if self._turns:
            return self._turns.pop()
        if self._chance.random() < (TUMBLING if fading else SPONTANEOUS):
            way = turn(self._chance)
            self._turns = [way] * self._chance.randrange(TUMBLE)
            return way
        better = side(observation)
        if abs(better) > CLEAR and self._chance.random() < VEERING:
            return LEFT if better > 0 else RIGHT
        return FORWARD
