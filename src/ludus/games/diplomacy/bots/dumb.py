"""The bot ``dumb``: every location has a value, and every unit goes where it is highest.

After the rules of David Norman's DumbBot (2002), written anew in C (``native/diplomacy/bots``).
"""

from __future__ import annotations

from random import Random
from typing import ClassVar

from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.view import View

__all__ = ["Dumb"]


class Dumb(Bot):
    """Values every location by the centres near it; moves there, or supports a move.

    The aggressive variant goes for the weakest neighbour, and its units attack centres together.
    """

    name = "dumb"
    variants: ClassVar[tuple[str, ...]] = ("aggressive",)

    def orders(self, view: View, rng: Random) -> list[str]:
        """Return the orders of this phase."""
        return view.copy_board().choose_orders(self.name, view.power, rng.getrandbits(64))
