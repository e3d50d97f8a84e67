"""The player that does nothing: the floor under every table."""

from __future__ import annotations

from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["Idle"]


class Idle:
    """Presses nothing, ever."""

    name = "idle"

    def reset(self, scenario: Scenario) -> None:
        """Do nothing."""

    def act(self, observation: View) -> int:
        """Return no buttons."""
        return 0
