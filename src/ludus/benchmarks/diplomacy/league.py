"""Ratings of agents that sat at one table: seven seats, one ranking a game.

A game ranks its agents by game score, then by centres; an agent with several seats has the mean of
them. Those who are still equal share a place. Strengths are Plackett and Luce's with their
intervals. Where somebody never lost, no such strengths exist, and one game is added in which all
are equal. Neither names nor the order of games change a rating. Only if more than twelve players
are rated so, the ratings of Weng and Lin take their place, which follow games in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import TypeAlias

from ludus.benchmarks.diplomacy.protocols import read_solo, read_year
from ludus.benchmarks.diplomacy.scoring import POWERS, Fate, PowerScore, judge
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.stats import Belief, plackett_luce, rate_online

__all__ = ["PlayerRating", "SeatResult", "judge_powers", "rank_game", "rate_league"]

ELO = 400 / 2.302585092994046
SURE = 1.959964
LIKELIHOOD = "plackett-luce"
Ranking: TypeAlias = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a game: who sat in it, what it is worth, and whether its fault ended the game."""

    player: str
    score: float
    centres: int
    faulty: bool = False


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player's rating.

    Attributes:
        player: Its name.
        rating: On a scale where 400 points are odds of ten to one; 1500 is the average.
        low: The lower end of its 95 % interval.
        high: The upper end.
        score: The mean game score.
        games: How many games it sat in.
        method: ``plackett-luce``, the same ``with one draw added``, or ``weng-lin``.
    """

    player: str
    rating: float
    low: float
    high: float
    score: float
    games: int
    method: str


def judge_powers(facts: Facts, rule: str) -> dict[str, PowerScore]:
    """Return what a game of a run is worth for each of the seven powers."""
    solo, last = read_solo(facts), int(facts["max_year"] or 0)
    fates = [
        Fate(power, int(facts[f"centres_{power}"] or 0), read_year(facts, f"emptied_{power}"))
        for power in POWERS
    ]
    return {fate.power: judge(fate, solo, last, rule) for fate in fates}


def rank_game(seats: Sequence[SeatResult]) -> list[list[str]]:
    """Return a game's players by place, the best first; equals share a place.

    One whose fault ended the game is last.
    """
    by_player: dict[str, list[SeatResult]] = {}
    for seat in seats:
        by_player.setdefault(seat.player, []).append(seat)
    places: dict[tuple[bool, float, float], list[str]] = {}
    for player, own in sorted(by_player.items()):
        score, centres = fmean(seat.score for seat in own), fmean(seat.centres for seat in own)
        merit = any(seat.faulty for seat in own), -round(score, 9), -round(centres, 9)
        places.setdefault(merit, []).append(player)
    return [places[merit] for merit in sorted(places)]


def rate_league(games: Mapping[str, Sequence[SeatResult]]) -> list[PlayerRating]:
    """Return the players' ratings, the strongest first.

    Raises:
        OptionError: No game has two different players.
    """
    every = [rank_game(seats) for seats in games.values()]
    rankings = [ranking for ranking in every if sum(map(len, ranking)) > 1]
    if not rankings:
        raise OptionError("no game has two different players, so nobody can be rated")
    scores: dict[str, list[float]] = {}
    for seats in games.values():
        for seat in seats:
            scores.setdefault(seat.player, []).append(seat.score)
    played = {name: sum(name in chain(*ranking) for ranking in rankings) for name in scores}
    ratings, method = _rate_rankings(rankings)
    rated = [
        PlayerRating(name, *ends, fmean(scores[name]), played[name], method)
        for name, ends in ratings.items()
    ]
    return sorted(rated, key=lambda rating: (-rating.rating, rating.player))


def _rate_rankings(
    rankings: Sequence[Ranking],
) -> tuple[dict[str, tuple[float, float, float]], str]:
    """Return ratings and the method that has any."""
    draw = [sorted(set(chain.from_iterable(chain.from_iterable(rankings))))]
    for extra, method in (((), LIKELIHOOD), ((draw,), f"{LIKELIHOOD} with one draw added")):
        try:
            return _rate_by_likelihood([*rankings, *extra]), method
        except OptionError:  # somebody never lost, some never met, or too many are equal
            continue
    return _rate_one_by_one(rankings), "weng-lin"


def _rate_by_likelihood(
    rankings: Sequence[Ranking],
) -> dict[str, tuple[float, float, float]]:
    ratings = plackett_luce(rankings)
    return {name: ratings.elo(name)[:3] for name in ratings.players}


def _rate_one_by_one(
    rankings: Sequence[Ranking],
) -> dict[str, tuple[float, float, float]]:
    """Return ratings that follow the games one by one, on the scale of the others."""
    beliefs: dict[str, Belief] = {}
    for ranking in rankings:
        beliefs = rate_online(beliefs, ranking)
    centre = fmean(belief.mean for belief in beliefs.values())
    scale = ELO / (Belief().deviation / 2)  # a deviation of play is about one unit of strength
    return {
        name: (
            1500 + scale * (belief.mean - centre),
            1500 + scale * (belief.mean - centre - SURE * belief.deviation),
            1500 + scale * (belief.mean - centre + SURE * belief.deviation),
        )
        for name, belief in beliefs.items()
    }
