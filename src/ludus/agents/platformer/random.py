"""The player that leaves it to chance: what can be had without looking."""

from __future__ import annotations

from random import Random as Generator

from ludus.games.platformer.codes import renumber_buttons
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["Random"]

LEFT, RIGHT, DOWN, SPEED, JUMP = 1, 2, 4, 8, 16

HOLDS = (
    RIGHT,
    RIGHT | SPEED,
    RIGHT | SPEED,
    RIGHT | JUMP,
    RIGHT | SPEED | JUMP,
    RIGHT | SPEED | JUMP,
    JUMP,
    DOWN,
    LEFT,
    LEFT | JUMP,
    0,
)
LONGEST_HOLD = 14


class Random:
    """Holds one set of buttons for a few ticks, then another, mostly to the right.

    Chance comes from the scenario's name and seed, so an episode can be played again.
    """

    name = "random"

    def __init__(self) -> None:
        self._chance = Generator(0)  # noqa: S311 (a game, not a secret)
        self._buttons = 0
        self._ticks_left = 0

    def reset(self, scenario: Scenario) -> None:
        """Seed the chance from the scenario and let go of all buttons."""
        self._chance = Generator(f"{scenario.name}/{scenario.seed}")  # noqa: S311
        self._buttons = 0
        self._ticks_left = 0

    def act(self, observation: View) -> int:
        """Return the buttons held, chosen anew when their time is over."""
        if self._ticks_left == 0:
            self._buttons = HOLDS[int(self._chance.random() * len(HOLDS))]
            self._ticks_left = 1 + int(self._chance.random() * LONGEST_HOLD)
        self._ticks_left -= 1
        return renumber_buttons(self._buttons, observation.rules)
