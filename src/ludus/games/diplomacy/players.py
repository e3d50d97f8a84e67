"""Who sits at the table: bots by name, and others by a loader that the caller brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:  # the bots import this module
    from ludus.games.diplomacy.scenario import Scenario
    from ludus.games.diplomacy.view import View

__all__ = ["LoadPlayer", "Player", "load_bot"]


class Player(Protocol):
    """Anything that can be told what to play and then, step by step, asked what to do.

    A player may also have ``waits``, True if it spends its time waiting, so that it is asked while
    others think; ``memory()`` and ``recall(memory)``, plain values for checkpoints; ``close()``.
    """

    @property
    def name(self) -> str:
        """What tables call the player."""
        ...

    def reset(self, scenario: Scenario) -> None:
        """Get ready to play the scenario from its start."""
        ...

    def act(self, observation: View) -> Any:
        """Return orders or messages, whatever the view's step asks for."""
        ...


LoadPlayer: TypeAlias = Callable[[str], Player]
"""Makes a player of its spec."""


def load_bot(spec: str) -> Player:
    """Return a new bot.

    Raises:
        OptionError: There is no such bot. Other players need a loader: see ``with_opponents``.
    """
    from ludus.games.diplomacy.bots import make_bot

    return make_bot(spec)
