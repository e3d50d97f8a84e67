"""What players that learn have in common: they try candidates, and are told what these scored.

A *candidate* is one way to play, such as the weights of a network. A *search* asks for candidates
to be played and is told their trials; from those it makes the next ones. In the learning track
every play is a trial; ``ludus train`` lets all cores play the trials of a round.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from ludus.agents.checkpoint import Arrays
from ludus.agents.platformer.policy import read_shipped
from ludus.errors import AgentError
from ludus.games.platformer.view import View

__all__ = ["Learner", "Search", "TrainedPlayer", "Trial"]

Candidate = TypeVar("Candidate")

WIN = 1


class Trial(NamedTuple, Generic[Candidate]):
    """A candidate that was played.

    Attributes:
        candidate: The way to play.
        score: What it scored.
        experience: What its player noted on the way; None if it notes nothing.
    """

    candidate: Candidate
    score: float
    experience: Any = None


class Search(Protocol[Candidate]):
    """Looks for better candidates, round by round."""

    def ask(self) -> list[Candidate]:
        """Return the candidates to be played next; the same ones until they are told of."""
        ...

    def tell(self, trials: Sequence[Trial[Candidate]]) -> None:
        """Learn from the trials of those that were asked for, or of the first of them."""
        ...

    def champion(self) -> Candidate:
        """Return the best way to play that was found so far."""
        ...

    def state(self) -> dict[str, Any]:
        """Return all that it takes to go on from here, as arrays by name."""
        ...

    def restore(self, state: Arrays) -> None:
        """Go on from what :meth:`state` returned."""
        ...


class TrainedPlayer(ABC, Generic[Candidate]):
    """A player that ``ludus train`` can make better; it plays its champion.

    Attributes:
        rounds: How many rounds ``ludus train`` takes unless it is told.
        levels: How many levels a candidate plays in each of them.

    Args:
        champion: The way it plays; the one that comes with Ludus if None.
    """

    name = "learner"
    rounds: ClassVar[int]
    levels: ClassVar[int]

    def __init__(self, champion: Candidate | None = None) -> None:
        self._fingerprint: str | None = None
        if champion is None:
            arrays = read_shipped(self.name)
            self._fingerprint = digest_arrays(arrays)
            champion = self.read_arrays(arrays)
        self._champion = champion
        self.play_as(champion)
        self.begin_level()

    @property
    def fingerprint(self) -> str | None:
        """A digest of what comes with Ludus, None for a player from a file of its own."""
        return self._fingerprint

    @classmethod
    def from_checkpoint(cls, arrays: Arrays) -> TrainedPlayer[Candidate]:
        """Return the player of a checkpoint."""
        try:
            return cls(cls.read_arrays(arrays))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise AgentError(f"the checkpoint holds no {cls.name}: {error}") from None

    # ---- what every player has in its own way

    @classmethod
    @abstractmethod
    def read_arrays(cls, arrays: Arrays) -> Candidate:
        """Return the candidate that arrays hold; raise an error unless they hold one."""

    @classmethod
    @abstractmethod
    def write_arrays(cls, candidate: Candidate) -> dict[str, Any]:
        """Return a candidate as arrays by name."""

    @classmethod
    @abstractmethod
    def training_settings(cls) -> Any:
        """Return the settings of its search under ``ludus train``."""

    @classmethod
    @abstractmethod
    def search(cls, champion: Candidate | None, seed: int, settings: Any) -> Search[Candidate]:
        """Return a search that begins with a candidate, or from nothing."""

    @abstractmethod
    def play_as(self, candidate: Candidate) -> None:
        """Play a candidate from the next level on."""

    @abstractmethod
    def act(self, observation: View) -> int:
        """Return the buttons that the candidate holds."""

    def begin_level(self) -> None:
        """Forget the level before."""

    def end_level(self, *, won: bool) -> None:
        """Note how the level ended."""

    def experience(self) -> Any:
        """Return what the player has noted since :meth:`play_as`."""
        return None

    def reset(self, scenario: Any) -> None:
        """Play the champion."""
        self.play_as(self._champion)
        self.begin_level()


class Learner(TrainedPlayer[Candidate]):
    """A trained player that also learns in the learning track, from the scores of its plays.

    It begins with its champion and plays what its search asks for. In the play that counts it shows
    the best that it has found.
    """

    @classmethod
    @abstractmethod
    def learning_settings(cls) -> Any:
        """Return the settings of its search in the learning track."""

    def __init__(self, champion: Candidate | None = None) -> None:
        self._search: Search[Candidate] | None = None
        self._asked: list[Candidate] = []
        self._trials: list[Trial[Candidate]] = []
        super().__init__(champion)

    def reset(self, scenario: Any) -> None:
        """Take the champion, or in a training the candidate whose turn it is."""
        play, plays = getattr(scenario, "play", 0), getattr(scenario, "plays", 0)
        if not plays:
            self.play_as(self._champion)
        elif play >= plays:
            self.play_as(self._find_best())
        else:
            if play == 1 or self._search is None:
                self._begin_search(int(scenario.seed))
            self.play_as(self._asked[len(self._trials)])
        self.begin_level()

    def learn(self, outcome: Mapping[str, Any]) -> None:
        """Note the score of the play; when a round is over, let the search make the next one."""
        if self._search is None:
            return
        self.end_level(won=outcome.get("status") == WIN)
        candidate = self._asked[len(self._trials)]
        self._trials.append(Trial(candidate, float(outcome["score"]), self.experience()))
        if len(self._trials) == len(self._asked):
            self._search.tell(self._trials)
            self._asked, self._trials = self._search.ask(), []

    def _begin_search(self, seed: int) -> None:
        self._search = self.search(self._champion, seed, self.learning_settings())
        self._asked, self._trials = self._search.ask(), []

    def _find_best(self) -> Candidate:
        """Return the best of all plays so far, those of a round that is not over included."""
        if self._search is None:
            return self._champion
        if self._trials:
            self._search.tell(self._trials)
            self._asked, self._trials = self._search.ask(), []
        return self._search.champion()


def digest_arrays(arrays: Arrays) -> str:
    """Return a digest of arrays, their names and their shapes."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]
