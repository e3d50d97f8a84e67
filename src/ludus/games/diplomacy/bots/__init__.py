"""Scripted players, which serve as opponents and as agents."""

from __future__ import annotations

from ludus.errors import OptionError
from ludus.games.diplomacy.bots.bot import Bot
from ludus.games.diplomacy.bots.dumb import Dumb
from ludus.games.diplomacy.bots.easy import Easy
from ludus.games.diplomacy.bots.search import Regret, Search
from ludus.games.diplomacy.bots.simple import ConsistentRandom, Hold, Random

__all__ = [
    "BOTS",
    "Bot",
    "ConsistentRandom",
    "Dumb",
    "Easy",
    "Hold",
    "Random",
    "Regret",
    "Search",
    "make_bot",
]

BOTS: dict[str, type[Bot]] = {
    bot.name: bot for bot in (Hold, Random, ConsistentRandom, Easy, Dumb, Search, Regret)
}
"""The bots by name."""


def make_bot(spec: str) -> Bot:
    """Return a new bot.

    Args:
        spec: Its name, or ``name#variant``.

    Raises:
        OptionError: There is no such bot or variant.

    Example:
        >>> make_bot("dumb#aggressive").name
        'dumb-aggressive'
    """
    name, _, variant = spec.partition("#")
    if name not in BOTS:
        raise OptionError(f"no bot {name!r}; there are {', '.join(BOTS)}")
    return BOTS[name](variant or None)
