"""Ratings of agents that sat at one table: seven seats, one ranking a game.

A game ranks its agents by game score, then by centres; an agent with several seats has the mean of
them. Those who are still equal are ordered by lot, the same whenever the same games are rated.
Strengths are Plackett and Luce's with their intervals. Where somebody never lost, no such strengths
exist, and the ratings of Weng and Lin take their place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ludus.benchmarks.diplomacy.protocols import solo_of, year_of
from ludus.benchmarks.diplomacy.scoring import POWERS, Fate, Verdict, judge
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.stats import Belief, plackett_luce, rate_online

__all__ = ["Rated", "Seated", "rank_game", "rate_league", "verdicts_of"]

ELO = 400 / 2.302585092994046
SURE = 1.959964


@dataclass(frozen=True, slots=True)
class Seated:
    """One seat of a game: who sat in it, and what the game is worth for it."""

    player: str
    score: float
    centres: int


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's rating.

    Attributes:
        player: Its name.
        rating: On a scale where 400 points are odds of ten to one; 1500 is the average.
        low: The lower end of its 95 % interval.
        high: The upper end.
        score: The mean game score.
        games: How many games it sat in.
        method: ``plackett-luce`` or ``weng-lin``.
    """

    player: str
    rating: float
    low: float
    high: float
    score: float
    games: int
    method: str


def verdicts_of(facts: Facts, rule: str) -> dict[str, Verdict]:
    """Return what a game of a run is worth for each of the seven powers."""
    solo, last = solo_of(facts), int(facts["max_year"] or 0)
    fates = [
        Fate(power, int(facts[f"centres_{power}"] or 0), year_of(facts, f"emptied_{power}"))
        for power in POWERS
    ]
    return {fate.power: judge(fate, solo, last, rule) for fate in fates}


def rank_game(name: str, seats: Sequence[Seated]) -> list[str]:
    """Return a game's players, the best first.

    Args:
        name: What the game is called; lots are drawn from it.
        seats: The seats.
    """
    own: dict[str, list[Seated]] = {}
    for seat in seats:
        own.setdefault(seat.player, []).append(seat)

    def merit(player: str) -> tuple[float, float, str]:
        score = fmean(seat.score for seat in own[player])
        centres = fmean(seat.centres for seat in own[player])
        return -score, -centres, hashlib.sha256(f"{name} {player}".encode()).hexdigest()

    return sorted(own, key=merit)


def rate_league(games: Mapping[str, Sequence[Seated]]) -> list[Rated]:
    """Return the players' ratings, the strongest first.

    Raises:
        OptionError: No game has two different players.
    """
    rankings = [
        ranking for name, seats in games.items() if len(ranking := rank_game(name, seats)) > 1
    ]
    if not rankings:
        raise OptionError("no game has two different players, so nobody can be rated")
    scores: dict[str, list[float]] = {}
    for seats in games.values():
        for seat in seats:
            scores.setdefault(seat.player, []).append(seat.score)
    played = {name: sum(name in ranking for ranking in rankings) for name in scores}
    try:
        found, method = _by_likelihood(rankings), "plackett-luce"
    except OptionError:  # somebody never lost, or some never met
        found, method = _online(rankings), "weng-lin"
    rated = [
        Rated(name, *ends, fmean(scores[name]), played[name], method)
        for name, ends in found.items()
    ]
    return sorted(rated, key=lambda one: (-one.rating, one.player))


def _by_likelihood(rankings: Sequence[Sequence[str]]) -> dict[str, tuple[float, float, float]]:
    ratings = plackett_luce(rankings)
    return {name: ratings.elo(name)[:3] for name in ratings.players}


def _online(rankings: Sequence[Sequence[str]]) -> dict[str, tuple[float, float, float]]:
    """Return ratings that follow the games one by one, on the scale of the others."""
    beliefs: dict[str, Belief] = {}
    for ranking in rankings:
        beliefs = rate_online(beliefs, ranking)
    centre = fmean(one.mean for one in beliefs.values())
    scale = ELO / (Belief().deviation / 2)  # a deviation of play is about one unit of strength
    return {
        name: (
            1500 + scale * (one.mean - centre),
            1500 + scale * (one.mean - centre - SURE * one.deviation),
            1500 + scale * (one.mean - centre + SURE * one.deviation),
        )
        for name, one in beliefs.items()
    }
