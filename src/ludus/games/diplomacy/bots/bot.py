"""The base of all bots: a name, variants, no messages, and random numbers from the scenario."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from ludus.errors import OptionError
from ludus.games.diplomacy.scenario import Scenario
from ludus.games.diplomacy.view import View

__all__ = ["Bot"]


class Bot:
    """A scripted player without press.

    It keeps nothing from one phase to the next: chance comes from the scenario's seed, the seat and
    the phase, so that a game can be taken up anywhere.

    Attributes:
        name: What tables call it.
        variants: The names of other settings it can play with.
    """

    name = "bot"
    variants: ClassVar[tuple[str, ...]] = ()

    def __init__(self, variant: str | None = None) -> None:
        if variant is not None and variant not in self.variants:
            known = ", ".join(self.variants) or "none"
            raise OptionError(
                f"no variant {variant!r} of the bot {self.name!r}; there are: {known}"
            )
        self.variant = variant
        if variant:
            self.name = f"{self.name}-{variant}"
        self._scenario = Scenario()

    def reset(self, scenario: Scenario) -> None:
        """Remember what is played."""
        self._scenario = scenario

    def act(self, observation: View) -> list[str]:
        """Return the orders of this phase; nothing while messages are asked for."""
        if observation.step == "press":
            return []
        seed = f"{self._scenario.seed}/{self.name}/{observation.power}/{observation.phase}"
        return self.orders(observation, Random(seed))  # noqa: S311 (a game, not a secret)

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the orders of this phase."""
        raise NotImplementedError
