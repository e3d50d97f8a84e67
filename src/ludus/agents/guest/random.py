"""The player that leaves it to chance, in any environment with numbered actions."""

from __future__ import annotations

from random import Random as Generator
from typing import Any

from ludus.games.guest import GuestScenario

__all__ = ["Random"]


class Random:
    """Takes any of the actions, each as likely as another.

    Chance comes from the scenario's name and seed, so an episode can be played again.
    """

    name = "random"

    def __init__(self) -> None:
        self._chance = Generator(0)  # noqa: S311 (a game, not a secret)
        self._actions = 1

    def reset(self, scenario: GuestScenario) -> None:
        """Seed the chance from the scenario and count the actions."""
        self._chance = Generator(f"{scenario.name}/{scenario.seed}")  # noqa: S311
        self._actions = scenario.actions

    def act(self, observation: Any) -> int:
        """Return any action."""
        return int(self._chance.random() * self._actions)
