"""The bots ``search`` and ``regret``: they try plans before they choose one."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.view import View

__all__ = ["Regret", "Search"]


class _LookingAhead(Bot):
    """Tries plans by playing on: to the end of the year, or of the game in the variant ``full``."""

    variants: ClassVar[tuple[str, ...]] = ("full",)

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the best plan found."""
        winters = max(1, self._scenario.max_year - view.year + 1) if self.variant else 1
        bot = self.name.partition("-")[0]
        return view.copy_board().choose_orders(bot, view.power, rng.getrandbits(64), winters)


class Search(_LookingAhead):
    """Plays the plan whose outcome is best on average.

    Plans and guesses of the others' orders are drawn as ``dumb`` draws them, in both its variants;
    after the first move everybody goes on as ``dumb#aggressive`` would, and so it plays retreats
    and winters itself.
    """

    name = "search"


class Regret(_LookingAhead):
    """Plays the best answer found to what regret matching makes of the others.

    In every round each power's plan is drawn from what its regrets favour. Each plan it did not
    draw is played out, too; what it would have been worth adds to its regret. The answer is sought
    among many plans, then among variations of the best one.

    After the one-ply search of J. Gray et al., "Human-Level Performance in No-Press Diplomacy via
    Equilibrium Search" (2021), with plans of ``dumb`` where that work has a network.
    """

    name = "regret"
