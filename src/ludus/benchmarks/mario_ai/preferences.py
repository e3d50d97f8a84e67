"""Which generator makes the levels that are more fun: votes won, and strengths with intervals.

A vote is won by whoever it prefers. In a complete set every pair is judged in both orders by one
judge, so an entrant can win 2 (n - 1) votes and all scores add up to n (n - 1). Only the first
complete set scores; as long as there is none, all votes do, and the result says so. Answers "both"
and "neither" score for nobody. The strengths are of all votes: by the model of Bradley and Terry,
or, once a vote prefers nobody, by Davidson's, in which both answers are ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ludus.benchmarks.mario_ai.ballots import Ballot
from ludus.benchmarks.mario_ai.votes import PreferenceVote, first_complete_set
from ludus.errors import OptionError
from ludus.stats import Estimate, RatedGame, Ratings, bradley_terry, davidson, rate_interval

__all__ = ["PreferenceResult", "PreferenceRow", "rate_preferences", "score_preferences"]


class PreferenceRow(NamedTuple):
    """What an entrant got.

    Attributes:
        rank: Its place by score; equal scores share one.
        entrant: Its name.
        score: Votes won of those that score.
        won: Votes won of all.
        lost: Votes that preferred the other.
        both: Votes that found both as much fun.
        neither: Votes that found neither fun.
        strength: Its strength with an interval; None if the votes do not fix it.
    """

    rank: int
    entrant: str
    score: int
    won: int
    lost: int
    both: int
    neither: int
    strength: Estimate | None


@dataclass(frozen=True, slots=True)
class PreferenceResult:
    """The result of the level-generation track.

    Attributes:
        rows: The entrants, the best first.
        votes: How many votes there are.
        scoring_votes: How many of them score.
        complete: Whether they are a complete set.
        shown_first: Of the votes that prefer somebody, the share for whoever was shown first; None
            if none does.
        model: The model of the strengths, or why there are none.
    """

    rows: tuple[PreferenceRow, ...]
    votes: int
    scoring_votes: int
    complete: bool
    shown_first: Estimate | None
    model: str


def score_preferences(ballot: Ballot, votes: Sequence[PreferenceVote]) -> PreferenceResult:
    """Return who won how many votes, and how strong each is.

    Example:
        >>> ballot = Ballot("levels", ("a", "b"))
        >>> votes = [PreferenceVote("j", "a", "b", "A"), PreferenceVote("j", "b", "a", "A")]
        >>> result = score_preferences(ballot, votes)
        >>> [(row.rank, row.entrant, row.score) for row in result.rows], result.complete
        ([(1, 'a', 1), (1, 'b', 1)], True)
    """
    complete = first_complete_set(ballot, votes)
    scoring = votes if complete is None else complete
    scores = {name: _count_wins(scoring, name) for name in ballot.entrants}
    ratings, model = rate_preferences(votes)
    rows = [_make_row(name, scores, votes, ratings) for name in ballot.entrants]
    return PreferenceResult(
        rows=tuple(sorted(rows, key=lambda row: (row.rank, row.entrant))),
        votes=len(votes),
        scoring_votes=len(scoring),
        complete=complete is not None,
        shown_first=_measure_order(votes),
        model=model,
    )


def rate_preferences(votes: Sequence[PreferenceVote]) -> tuple[Ratings | None, str]:
    """Return the strengths and the model's name; or None, and why there are none."""
    worth = {"A": 1.0, "B": 0.0, "both": 0.5, "neither": 0.5}
    games = [RatedGame(vote.first, vote.second, worth[vote.answer]) for vote in votes]
    if not games:
        return None, "no votes"
    ties = any(game.score == 0.5 for game in games)
    try:
        ratings = davidson(games) if ties else bradley_terry(games)
    except OptionError as error:
        return None, f"no strengths: {error}"
    return ratings, "Davidson" if ties else "Bradley-Terry"


def _count_wins(votes: Sequence[PreferenceVote], name: str) -> int:
    return sum(vote.winner == name for vote in votes)


def _make_row(
    name: str,
    scores: dict[str, int],
    votes: Sequence[PreferenceVote],
    ratings: Ratings | None,
) -> PreferenceRow:
    own = [vote for vote in votes if name in vote.pair]
    answers = [vote.answer for vote in own]
    won = _count_wins(own, name)
    rated = ratings is not None and name in ratings.players
    return PreferenceRow(
        rank=1 + sum(score > scores[name] for score in scores.values()),
        entrant=name,
        score=scores[name],
        won=won,
        lost=sum(bool(vote.winner) for vote in own) - won,
        both=answers.count("both"),
        neither=answers.count("neither"),
        strength=ratings.estimate(name) if ratings is not None and rated else None,
    )


def _measure_order(votes: Sequence[PreferenceVote]) -> Estimate | None:
    answers = [vote.answer for vote in votes if vote.winner]
    if not answers:
        return None
    return rate_interval(answers.count("A"), len(answers), method="wilson")
