"""Votes of the tracks that people judge, and the box that refuses those which do not count.

A vote is refused with a reason if it is forged, given twice, of an entrant against itself, of an
unknown entrant, or one too many of a voter.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ludus.benchmarks.mario_ai.ballots import (
    LONGEST,
    Answer,
    Ballot,
    check_name,
    find_session,
)
from ludus.errors import OptionError, clean_text

__all__ = [
    "EXPERTISE",
    "HumannessVote",
    "PreferenceVote",
    "VoteRefused",
    "VotingBox",
    "first_complete_set",
]

EXPERTISE = ("novice", "player", "expert")
CONFIDENCE = range(1, 6)


class VoteRefused(OptionError):
    """A vote does not count; the message says why."""


class PreferenceVote(NamedTuple):
    """Which of two was more fun, or more human.

    Attributes:
        voter: Who votes, by any word that is the voter's own.
        first: Who was shown first, as A.
        second: Who was shown second, as B.
        answer: A, B, both or neither.
        session: The number of the session, if there are tickets.
        ticket: The session's ticket.
    """

    voter: str
    first: str
    second: str
    answer: Answer
    session: int = -1
    ticket: str = ""

    @property
    def winner(self) -> str:
        """Who is preferred; empty if neither is."""
        return {"A": self.first, "B": self.second}.get(self.answer, "")

    @property
    def pair(self) -> tuple[str, str]:
        """The two, in the order of their names."""
        return (min(self.first, self.second), max(self.first, self.second))


class HumannessVote(NamedTuple):
    """Whether the player in a clip is human.

    Attributes:
        voter: Who votes.
        player: Who plays in the clip.
        clip: Which clip of the player.
        answer: human or machine.
        confidence: How sure the voter is, 1 to 5.
        expertise: How well the voter knows the game: novice, player or expert.
        session: The number of the session, if there are tickets.
        ticket: The session's ticket.
    """

    voter: str
    player: str
    clip: str
    answer: Literal["human", "machine"]
    confidence: int = 3
    expertise: str = "player"
    session: int = -1
    ticket: str = ""


@dataclass
class VotingBox:
    """Takes in votes of a ballot one after the other, and refuses what does not count.

    Attributes:
        ballot: What is voted on.
        key: The organiser's secret; with one, every vote has to show its session's ticket.
        preferences: The votes on pairs that count.
        judgements: The votes on single players that count.

    Example:
        >>> box = VotingBox(Ballot("levels", ("a", "b")))
        >>> box.add(PreferenceVote("judge-1", "a", "b", "A"))
        >>> box.add(PreferenceVote("judge-1", "a", "b", "B"))
        Traceback (most recent call last):
        ludus.benchmarks.mario_ai.votes.VoteRefused: 'judge-1' has voted on a, b in this order
    """

    ballot: Ballot
    key: bytes = b""
    preferences: list[PreferenceVote] = field(default_factory=list)
    judgements: list[HumannessVote] = field(default_factory=list)
    _seen: set[tuple[str, ...]] = field(default_factory=set)
    _holders: dict[int, str] = field(default_factory=dict)
    _pairs: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    _clips: Counter[str] = field(default_factory=Counter)

    def add(self, vote: PreferenceVote | HumannessVote) -> None:
        """Count a vote.

        Raises:
            VoteRefused: It does not count.
        """
        check_name("voter", vote.voter, VoteRefused)
        if isinstance(vote, PreferenceVote):
            self._check_preference(vote)
            self.preferences.append(vote)
            self._pairs.setdefault(vote.voter, set()).add(vote.pair)
        else:
            self._check_judgement(vote)
            self.judgements.append(vote)
            self._clips[vote.voter] += 1
        self._seen.add(_identity(vote))
        if self.key:
            self._holders[vote.session] = vote.voter

    def _check_preference(self, vote: PreferenceVote) -> None:
        self._check_entrants(vote.first, vote.second)
        if vote.first == vote.second:
            raise VoteRefused(f"{vote.first!r} is compared with itself")
        if vote.answer not in self.ballot.allowed_answers:
            allowed = ", ".join(self.ballot.allowed_answers)
            raise VoteRefused(f"no answer {vote.answer!r:.40}: this ballot has {allowed}")
        if _identity(vote) in self._seen:
            order = f"{vote.first}, {vote.second}"
            raise VoteRefused(f"{vote.voter!r} has voted on {order} in this order")
        pairs = self._pairs.get(vote.voter, set())
        if vote.pair not in pairs and len(pairs) >= self.ballot.pairs_each:
            raise VoteRefused(
                f"{vote.voter!r} has judged {len(pairs)} pairs, the most that one voter may"
            )
        self._check_ticket(vote, {vote.first, vote.second})

    def _check_judgement(self, vote: HumannessVote) -> None:
        if self.ballot.track != "turing":
            raise VoteRefused("this ballot asks nobody who is human")
        self._check_entrants(vote.player)
        check_name("clip", vote.clip, VoteRefused)
        if vote.answer not in ("human", "machine"):
            raise VoteRefused(f"no answer {vote.answer!r:.40}: give human or machine")
        if vote.confidence not in CONFIDENCE:
            raise VoteRefused(f"confidence {vote.confidence!r:.40} is not from 1 to 5")
        if vote.expertise not in EXPERTISE:
            raise VoteRefused(f"no expertise {vote.expertise!r:.40}: give {', '.join(EXPERTISE)}")
        if _identity(vote) in self._seen:
            raise VoteRefused(f"{vote.voter!r} has judged clip {vote.clip} of {vote.player}")
        judged = self._clips[vote.voter]
        if judged >= 2 * self.ballot.pairs_each:
            raise VoteRefused(f"{vote.voter!r} has judged {judged} clips, the most one voter may")
        self._check_ticket(vote, {vote.player})

    def _check_entrants(self, *names: str) -> None:
        for name in names:
            if name not in self.ballot.entrants:
                raise VoteRefused(f"no entrant {clean_text(name, LONGEST)!r} on this ballot")

    def _check_ticket(self, vote: PreferenceVote | HumannessVote, shown: set[str]) -> None:
        if not self.key:
            return
        session = find_session(self.ballot, max(0, vote.session), self.key)
        if not hmac.compare_digest(session.ticket.encode(), vote.ticket.encode()):
            raise VoteRefused(f"the ticket is not that of session {vote.session}: it is forged")
        if not shown <= {session.first, session.second}:
            raise VoteRefused(f"session {vote.session} does not show {', '.join(sorted(shown))}")
        holder = self._holders.get(vote.session, vote.voter)
        if holder != vote.voter:
            raise VoteRefused(f"session {vote.session} is that of another voter")


def _identity(vote: PreferenceVote | HumannessVote) -> tuple[str, ...]:
    if isinstance(vote, PreferenceVote):
        return ("preference", vote.voter, vote.first, vote.second)
    return ("humanness", vote.voter, vote.player, vote.clip)


def first_complete_set(
    ballot: Ballot, votes: Sequence[PreferenceVote]
) -> list[PreferenceVote] | None:
    """Return the votes of the first judge of every pair who judged it in both orders.

    None if a pair has no such judge yet.
    """
    first: dict[tuple[str, str], list[PreferenceVote]] = {}
    orders: dict[tuple[str, tuple[str, str]], list[PreferenceVote]] = {}
    for vote in votes:
        both = orders.setdefault((vote.voter, vote.pair), [])
        both.append(vote)
        if len(both) == 2:
            first.setdefault(vote.pair, both)
    wanted = [(min(pair), max(pair)) for pair in ballot.pairs]
    if any(pair not in first for pair in wanted):
        return None
    return [vote for pair in wanted for vote in first[pair]]
