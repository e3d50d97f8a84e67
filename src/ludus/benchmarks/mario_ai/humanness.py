"""Who is taken for a human: the share of answers, with people as the yardstick.

Humanness is the share of "human" among the answers about a player, with its Wilson interval.
Players are ranked by it; equal ones by the votes of pairs that they won, "which of the two is more
human-like". Beside it stands the share in which every answer weighs as much as its voter was sure,
1 to 5; the ranking does not use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ludus.benchmarks.mario_ai.ballots import Ballot
from ludus.benchmarks.mario_ai.votes import EXPERTISE, HumannessVote, PreferenceVote
from ludus.stats import Estimate, rate_interval

__all__ = ["HumannessResult", "HumannessRow", "score_humanness"]


class HumannessRow(NamedTuple):
    """How human a player looks.

    Attributes:
        rank: Its place; players who are equal in all share one.
        player: Its name.
        is_human: Whether it is a person.
        answers: How many answers there are about it.
        humanness: The share of "human", with its interval; None without answers.
        weighted: The share weighted by confidence; None without answers.
        pair_wins: Votes of pairs that called it more human-like.
        by_expertise: The share of "human" and the number of answers, by the voters' expertise.
    """

    rank: int
    player: str
    is_human: bool
    answers: int
    humanness: Estimate | None
    weighted: float | None
    pair_wins: int
    by_expertise: dict[str, tuple[float, int]]


@dataclass(frozen=True, slots=True)
class HumannessResult:
    """The result of the Turing-test track.

    Attributes:
        rows: The players, the most human first.
        people: The share of "human" among all answers about people; None if there are none.
        accuracy: The share of answers that are right, over all players.
        voters: How many people voted.
    """

    rows: tuple[HumannessRow, ...]
    people: Estimate | None
    accuracy: Estimate | None
    voters: int


def score_humanness(
    ballot: Ballot,
    judgements: Sequence[HumannessVote],
    preferences: Sequence[PreferenceVote] = (),
) -> HumannessResult:
    """Return how human every player looks.

    Example:
        >>> ballot = Ballot("turing", ("ann", "astar"), humans=("ann",))
        >>> votes = [
        ...     HumannessVote("j", "ann", "1", "human", 5),
        ...     HumannessVote("j", "astar", "1", "machine", 2),
        ... ]
        >>> [(row.player, row.humanness.value) for row in score_humanness(ballot, votes).rows]
        [('ann', 1.0), ('astar', 0.0)]
    """
    wins = {name: sum(vote.winner == name for vote in preferences) for name in ballot.entrants}
    places = {name: _place(_about(judgements, name), wins[name]) for name in ballot.entrants}
    rows = [
        _make_row(name, name in ballot.humans, _about(judgements, name), wins[name], places)
        for name in ballot.entrants
    ]
    people = [vote for vote in judgements if vote.player in ballot.humans]
    right = [(vote.answer == "human") == (vote.player in ballot.humans) for vote in judgements]
    return HumannessResult(
        rows=tuple(sorted(rows, key=lambda row: (row.rank, row.player))),
        people=_share(people),
        accuracy=rate_interval(sum(right), len(right), method="wilson") if right else None,
        voters=len({vote.voter for vote in judgements} | {vote.voter for vote in preferences}),
    )


def _about(votes: Sequence[HumannessVote], name: str) -> list[HumannessVote]:
    return [vote for vote in votes if vote.player == name]


def _share(votes: Sequence[HumannessVote]) -> Estimate | None:
    if not votes:
        return None
    human = sum(vote.answer == "human" for vote in votes)
    return rate_interval(human, len(votes), method="wilson")


def _place(votes: Sequence[HumannessVote], wins: int) -> tuple[float, int]:
    """Return what players are ranked by; one without answers comes last."""
    share = _share(votes)
    return (share.value if share else -1.0, wins)


def _make_row(
    name: str,
    is_human: bool,
    votes: Sequence[HumannessVote],
    wins: int,
    places: dict[str, tuple[float, int]],
) -> HumannessRow:
    weight = sum(vote.confidence for vote in votes)
    sure = sum(vote.confidence for vote in votes if vote.answer == "human")
    by_expertise = {}
    for expertise in EXPERTISE:
        theirs = _share([vote for vote in votes if vote.expertise == expertise])
        if theirs:
            by_expertise[expertise] = (theirs.value, theirs.n)
    return HumannessRow(
        rank=1 + sum(place > places[name] for place in places.values()),
        player=name,
        is_human=is_human,
        answers=len(votes),
        humanness=_share(votes),
        weighted=sure / weight if weight else None,
        pair_wins=wins,
        by_expertise=by_expertise,
    )
