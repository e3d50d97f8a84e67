"""Ballots of the two tracks that people judge, and the pairs that each judge is shown."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from typing import Literal, NamedTuple

from ludus.errors import OptionError, clean_text

__all__ = [
    "LONGEST",
    "Answer",
    "Ballot",
    "Session",
    "check_name",
    "find_session",
    "schedule_sessions",
]

Track = Literal["levels", "turing"]
Answer = Literal["A", "B", "both", "neither"]

TRACKS = ("levels", "turing")
TWO_WAY: tuple[Answer, ...] = ("A", "B")
FOUR_WAY: tuple[Answer, ...] = ("A", "B", "both", "neither")
MOST_ENTRANTS, LONGEST = 200, 64


@dataclass(frozen=True, slots=True)
class Ballot:
    """What is voted on.

    Attributes:
        track: ``levels``: which level was more fun; ``turing``: who is human.
        entrants: Generators or players, by name.
        answers: 2 for A or B; 4 for both equally and neither as well.
        humans: Those of the entrants who are people.
        pairs_each: The most pairs that one voter judges, each in both orders.
        seed: What the order of the pairs is drawn by.

    Raises:
        OptionError: There are fewer than two entrants, one twice, or a name that cannot be shown.

    Example:
        >>> Ballot("levels", ("hopper", "promp")).pairs
        [('hopper', 'promp')]
    """

    track: Track
    entrants: tuple[str, ...]
    answers: int = 2
    humans: tuple[str, ...] = ()
    pairs_each: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.track not in TRACKS:
            raise OptionError(f"no voted track {self.track!r:.40}: give {' or '.join(TRACKS)}")
        if not 2 <= len(self.entrants) <= MOST_ENTRANTS:
            raise OptionError(
                f"{len(self.entrants)} entrants are out of range: give 2 to {MOST_ENTRANTS}"
            )
        for name in self.entrants:
            check_name("entrant", name)
            if self.entrants.count(name) > 1:
                raise OptionError(f"entrant {name!r} is there twice: give every name once")
        strangers = [name for name in self.humans if name not in self.entrants]
        if strangers:
            raise OptionError(f"{strangers[0]!r:.60} is human but no entrant: add it, or leave it")
        if self.answers not in (2, 4):
            raise OptionError(f"{self.answers} answers are out of range: give 2 or 4")
        if self.pairs_each < 1:
            raise OptionError(f"{self.pairs_each} pairs each are too few: give 1 or more")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every pair of entrants once."""
        return list(combinations(self.entrants, 2))

    @property
    def allowed_answers(self) -> tuple[Answer, ...]:
        """What a voter may answer about a pair."""
        return TWO_WAY if self.answers == 2 else FOUR_WAY


class Session(NamedTuple):
    """What one judge is shown: A and B, a vote, then B and A, a vote.

    Attributes:
        number: Counts from 0.
        first: Who is A in the first order.
        second: Who is B in it.
        ticket: What votes of the session have to show; empty without a key.
    """

    number: int
    first: str
    second: str
    ticket: str = ""

    @property
    def orders(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Both orders."""
        return (self.first, self.second), (self.second, self.first)


def schedule_sessions(ballot: Ballot, sessions: int, key: bytes = b"") -> list[Session]:
    """Return the first sessions of a ballot, the same whenever it is asked.

    Every pair is unplayed at first. A session takes an unplayed one, in an order drawn by the
    ballot's seed; when none is left, all are unplayed again. From one round to the next, who is
    shown first changes.

    Args:
        ballot: What is voted on.
        sessions: How many.
        key: The organiser's secret, by which tickets are made; none without.

    Example:
        >>> sessions = schedule_sessions(Ballot("levels", ("a", "b", "c")), 6)
        >>> sorted(tuple(sorted(one[1:3])) for one in sessions[:3])
        [('a', 'b'), ('a', 'c'), ('b', 'c')]
        >>> {one[1:3] for one in sessions} == {(b, a) for _, a, b, _ in sessions}
        True
    """
    return [find_session(ballot, number, key) for number in range(sessions)]


def find_session(ballot: Ballot, number: int, key: bytes) -> Session:
    """Return a session by its number."""
    played, place = divmod(number, len(ballot.pairs))
    pair = _draw_round(ballot, played)[place]
    return Session(number, *pair, _make_ticket(ballot, number, pair, key))


@lru_cache(maxsize=16)
def _draw_round(ballot: Ballot, played: int) -> list[tuple[str, str]]:
    """Return every pair once, in the order in which a round plays them."""
    pairs = []
    for first, second in sorted(ballot.pairs, key=partial(_draw, ballot.seed, played)):
        turned = _draw(ballot.seed, "turned", (first, second)) % 2
        pairs.append((second, first) if (turned + played) % 2 else (first, second))
    return pairs


def _draw(*words: object) -> int:
    """Return a number that is drawn by some words, the same whenever they are given."""
    return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:8], "big")


def _make_ticket(ballot: Ballot, number: int, pair: tuple[str, str], key: bytes) -> str:
    if not key:
        return ""
    words = "\n".join([ballot.track, str(ballot.seed), str(number), *pair])
    return hmac.new(key, words.encode(), hashlib.sha256).hexdigest()[:32]


def check_name(what: str, name: str, error: type[OptionError] = OptionError) -> None:
    """Refuse a name that is empty, too long or cannot be seen whole."""
    shown = clean_text(name, LONGEST)
    if not name or shown != name:
        raise error(f"{what} {shown!r} is no name: give 1 to {LONGEST} signs that can be seen")
