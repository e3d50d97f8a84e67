"""Who sits at the table: bots by name, and others through the agents' own loader."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ludus.errors import OptionError

if TYPE_CHECKING:  # whoever only opens seats need not load the bots
    from ludus.games.diplomacy.scenario import Scenario
    from ludus.games.diplomacy.view import View

__all__ = ["Player", "open_seats", "seat"]


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


_loaders: list[Callable[[str], Player]] = []


def open_seats(loader: Callable[[str], Player]) -> None:
    """Let the loader find opponents that are no bots; the one given last is asked."""
    _loaders[:] = [loader]


def seat(spec: str) -> Player:
    """Return a new player.

    Raises:
        OptionError: There is no such bot, and nobody else to ask.
    """
    from ludus.games.diplomacy.bots import BOTS, make_bot

    if spec.partition("#")[0] in BOTS:
        return make_bot(spec)
    if not _loaders:
        raise OptionError(f"no bot {spec!r}; there are {', '.join(BOTS)}")
    return _loaders[0](spec)
