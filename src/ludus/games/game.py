"""What a game has to offer so that agents can be played through it and their play checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from ludus.errors import OptionError

__all__ = ["Facts", "Filmed", "Game", "Lasting", "Match", "Resumable", "Rounds", "find_game"]

Facts: TypeAlias = Mapping[str, int | float | str | None]
"""What happened in a play: plain values by name, the same on every machine."""


class Match(Protocol):
    """One play of a scenario, under way."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        ...

    @property
    def observation(self) -> Any:
        """What the player is shown now."""
        ...

    def act(self, action: Any) -> None:
        """Play the player's action.

        Raises:
            ActionError: It is not an action of the game; nothing was played.
        """
        ...

    def record(self) -> bytes:
        """Return the actions so far, from which the play can be repeated."""
        ...

    def facts(self) -> Facts:
        """Return what has happened so far."""
        ...


class Game(Protocol):
    """A game, known by its name."""

    @property
    def name(self) -> str:
        """What scenarios call the game."""
        ...

    @property
    def players(self) -> str:
        """The game whose agents play it: its own name, or that of the game it is made of."""
        ...

    @property
    def engine(self) -> str:
        """The identity of the rules: plays by equal engines can be compared."""
        ...

    def scenario(self, description: Mapping[str, Any]) -> Any:
        """Return the scenario that these plain values describe, as players are given it."""
        ...

    def begin(self, scenario: Any) -> Match:
        """Begin a play of the scenario."""
        ...

    def replay(self, scenario: Any, record: bytes) -> Facts:
        """Play recorded actions again and return what happened.

        Raises:
            LudusError: The record is not one of this game's.
        """
        ...


@runtime_checkable
class Rounds(Protocol):
    """A match of several rounds, for each of which its player gets ready; none has to be."""

    def before_each(self, ready: Callable[[Any], None], declared: Mapping[str, Any]) -> None:
        """Call ``ready`` with what is played next whenever another round begins.

        Args:
            ready: Gets the player ready.
            declared: What the player says about itself, for the record.
        """
        ...


@runtime_checkable
class Filmed(Protocol):
    """A game that can also show what was played; none has to."""

    def film(self, scenario: Any, record: bytes, path: Path) -> None:
        """Write recorded actions as a picture or a film, whatever the path's suffix asks for.

        Raises:
            OptionError: The suffix asks for something the game does not draw.
            MissingExtra: What draws it is not installed.
        """
        ...


@runtime_checkable
class Lasting(Protocol):
    """A match that takes long enough to be worth going on with after a kill; none has to.

    Attributes:
        memory: What the player had remembered, if the match was restored; else None.
    """

    memory: Any

    @property
    def worth_keeping(self) -> bool:
        """Whether opponents have something to lose; else it is up to the player."""
        ...

    def checkpoint(self, memory: Any = None) -> bytes:
        """Return all it takes to go on from here, with the player's memory as plain values."""
        ...


@runtime_checkable
class Resumable(Protocol):
    """A game whose matches are :class:`Lasting`; none has to be."""

    def restore(self, scenario: Any, checkpoint: bytes) -> Match:
        """Return the match of a checkpoint.

        Raises:
            LudusError: The checkpoint is not one of this scenario.
        """
        ...


GAMES = {
    "platformer": "ludus.games.platformer.game:PlatformerGame",
    "arena": "ludus.games.platformer.arena.game:ArenaGame",
    "guest": "ludus.games.guest:GuestGame",
    "worm": "ludus.games.worm.game:WormGame",
    "worm-training": "ludus.games.worm.training.game:TrainingGame",
    "diplomacy": "ludus.games.diplomacy.game:DiplomacyGame",
}
"""The games of Ludus; each is imported when it is asked for."""


@cache
def find_game(name: str) -> Game:
    """Return the game of this name: one of Ludus, or one that an installed package offers.

    Raises:
        OptionError: There is none; the message lists those there are.
    """
    plugins = {entry.name: entry.value for entry in entry_points(group="ludus.games")}
    known = plugins | GAMES
    if name not in known:
        raise OptionError(f"no game {name!r}; there are {', '.join(sorted(known))}")
    module, _, attribute = known[name].partition(":")
    game: Game = getattr(import_module(module), attribute)()
    return game
