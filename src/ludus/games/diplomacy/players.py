"""The players of a match: bots by name, and others by a loader of the caller's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ludus.contract import Agent

if TYPE_CHECKING:  # the bots import this module
    from ludus.games.diplomacy.scenario import Scenario
    from ludus.games.diplomacy.view import View

__all__ = ["LoadPlayer", "Player", "load_bot"]

Player: TypeAlias = "Agent[Scenario, View, Any]"
"""An agent that returns orders or messages, whatever the view's step asks for."""

LoadPlayer: TypeAlias = "Callable[[str], Player]"
"""Makes a player of its spec."""


def load_bot(spec: str) -> Player:
    """Return a new bot.

    Raises:
        OptionError: There is no such bot. Other players need a loader: see ``with_opponents``.
    """
    from ludus.games.diplomacy.bots import make_bot

    return make_bot(spec)
