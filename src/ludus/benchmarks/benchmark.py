"""What a benchmark is: scenarios for a seed, a scoring rule, a summary rule, columns to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ludus.games.game import Facts

__all__ = ["Benchmark", "Column", "Number", "Score", "TieBreaker"]

Number: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class Score:
    """What an episode is worth.

    Attributes:
        total: The points.
        parts: What they are made of, by name; they add up to the total.
    """

    total: Number
    parts: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TieBreaker:
    """What decides between agents of equal headline value.

    Attributes:
        name: What tables call it.
        value: Its value for one episode, from the facts; an agent has the mean of it.
        better: Whether more or less of it is better.
    """

    name: str
    value: Callable[[Facts], Number]
    better: Literal["more", "less"] = "more"


@dataclass(frozen=True, slots=True)
class Column:
    """A figure that tables show beside the score: the mean of a value over the episodes."""

    name: str
    value: Callable[[Facts], Number]
    digits: int = 1


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A question to agents, fixed for ever: a change of behaviour is a new version.

    Attributes:
        id: Its name, such as ``platformer/sprint``.
        version: Counted from 1; boards of different versions never mix.
        title: One line on what it asks.
        game: The game it is played in.
        scenarios: Plain descriptions of what is to be played, for a seed and a number of episodes.
        episodes: How many an agent plays unless told otherwise.
        score: The rule: from the facts of a finished episode to its score.
        formula: The rule in words and signs, for people.
        headline: What the mean of the totals is called.
        tie_breakers: What decides between equals, in this order.
        columns: What tables show beside.
    """

    id: str
    version: int
    title: str
    game: str
    scenarios: Callable[[int, int], Sequence[Mapping[str, Any]]]
    episodes: int
    score: Callable[[Facts], Score]
    formula: str
    headline: str = "score"
    tie_breakers: tuple[TieBreaker, ...] = ()
    columns: tuple[Column, ...] = ()

    @property
    def rule(self) -> str:
        """The scoring rule's name and version."""
        return f"{self.id}@{self.version}"
