"""The player that runs into whatever comes: the simplest of the 2010 benchmark."""

from __future__ import annotations

from ludus.games.platformer.codes import buttons_of
from ludus.games.platformer.scenario import Scenario
from ludus.games.platformer.view import View

__all__ = ["RunRight"]


class RunRight:
    """Holds right and speed, ever."""

    name = "run-right"

    def reset(self, scenario: Scenario) -> None:
        """Remember nothing."""

    def act(self, observation: View) -> int:
        """Return right and speed."""
        buttons = buttons_of(observation.rules)
        return int(buttons.RIGHT | buttons.SPEED)
