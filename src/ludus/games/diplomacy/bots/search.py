"""The bots ``search`` and ``regret``: they try plans before they choose one."""

from __future__ import annotations

from random import Random

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.view import View

__all__ = ["Regret", "Search"]


class Search(Bot):
    """Plays the plan whose outcome at the end of the year is best on average.

    Plans and guesses of the others' orders are drawn as ``dumb`` draws them, in both its variants;
    after the first move everybody goes on as ``dumb#aggressive`` would, and so it plays retreats
    and winters itself.
    """

    name = "search"

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the best plan found."""
        return view.copy_board().choose_orders(self.name, view.power, rng.getrandbits(64))


class Regret(Bot):
    """Plays the plan that regret matching plays most, against others that adapt likewise.

    In every round each power's plan is drawn from what its regrets favour. Each plan it did not
    draw is played to the end of the year, too; what it would have been worth adds to its regret.

    After the one-ply search of J. Gray et al., "Human-Level Performance in No-Press Diplomacy via
    Equilibrium Search" (2021), with plans of ``dumb`` where that work has a network.
    """

    name = "regret"

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the plan that was played most."""
        return view.copy_board().choose_orders(self.name, view.power, rng.getrandbits(64))
