"""Ratings that follow each game as it is played: for pairing, not for publishing.

The model is Weng and Lin's approximation of Plackett and Luce's (*A Bayesian Approximation Method
for Online Ranking*, 2011), for players on their own. The result depends on the order of the
games; a published table takes :mod:`ludus.stats.rating`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from ludus.errors import OptionError

__all__ = ["Belief", "informative_pair", "rate_online"]

MEAN = 25.0
DEVIATION = MEAN / 3
BETA = DEVIATION / 2
"""The deviation of a single performance from a player's strength."""

DRIFT = MEAN / 300
"""The deviation by which a strength may change between two games."""

KAPPA = 1e-4
"""The share of its variance that a belief keeps at least after one game."""


class Belief(NamedTuple):
    """What is believed of a player's strength.

    Attributes:
        mean: The strength expected.
        deviation: How far it may be off.
    """

    mean: float = MEAN
    deviation: float = DEVIATION

    @property
    def cautious(self) -> float:
        """A strength the player very likely has: three deviations below the mean."""
        return self.mean - 3 * self.deviation


def rate_online(
    beliefs: Mapping[str, Belief], ranking: Sequence[str | Iterable[str]]
) -> dict[str, Belief]:
    """Return the beliefs after one more game.

    Args:
        beliefs: What was believed before; players that are missing are new.
        ranking: The players of the game, the best first; those who tied stand together in a
            list.

    Returns:
        All beliefs, those of the game's players revised.

    Raises:
        OptionError: The ranking has fewer than two players or one twice.

    Example:
        >>> after = rate_online({}, ["ann", "bob"])
        >>> round(after["ann"].mean, 3), round(after["bob"].mean, 3)
        (27.635, 22.365)
        >>> rate_online(after, [["ann", "bob"]])["ann"].mean < after["ann"].mean
        True
    """
    tiers = [[tier] if isinstance(tier, str) else list(tier) for tier in ranking]
    players = [player for tier in tiers for player in tier]
    if len(players) < 2 or len(set(players)) < len(players):
        raise OptionError(f"{players} is no ranking of two or more different players")
    ranks = [rank for rank, tier in enumerate(tiers) for _ in tier]
    before = [_drift(beliefs.get(player, Belief())) for player in players]
    return {**beliefs, **dict(zip(players, _update_beliefs(before, ranks), strict=True))}


def _drift(belief: Belief) -> Belief:
    """Return a belief as it is by the next game."""
    return Belief(belief.mean, math.hypot(belief.deviation, DRIFT))


def _update_beliefs(before: Sequence[Belief], ranks: Sequence[int]) -> list[Belief]:
    """Return the beliefs of players with those ranks after their game."""
    scale = math.sqrt(sum(belief.deviation**2 + BETA**2 for belief in before))
    top = max(belief.mean for belief in before)
    odds = [math.exp((belief.mean - top) / scale) for belief in before]
    behind = [
        sum(other for other, rank in zip(odds, ranks, strict=True) if rank >= limit)
        for limit in ranks
    ]
    tied = [ranks.count(rank) for rank in ranks]
    return [
        _step(belief, _pull(player, odds, behind, ranks, tied), scale)
        for player, belief in enumerate(before)
    ]


def _pull(
    player: int,
    odds: Sequence[float],
    behind: Sequence[float],
    ranks: Sequence[int],
    tied: Sequence[int],
) -> tuple[float, float]:
    """Return the slope and the curvature of the ranking's likelihood for one player."""
    slope = curvature = 0.0
    for other, rank in enumerate(ranks):
        if rank <= ranks[player]:
            share = odds[player] / behind[other]
            slope += ((player == other) - share) / tied[other]
            curvature += share * (1 - share) / tied[other]
    return slope, curvature


def _step(belief: Belief, pull: tuple[float, float], scale: float) -> Belief:
    """Return a belief moved along the slope and narrowed by the curvature."""
    variance = belief.deviation**2
    slope, curvature = pull
    damping = belief.deviation / scale
    remaining = max(1 - variance / scale**2 * curvature * damping, KAPPA)
    mean = belief.mean + variance / scale * slope
    return Belief(mean, belief.deviation * math.sqrt(remaining))


def informative_pair(
    beliefs: Mapping[str, Belief], games: Mapping[tuple[str, str], int] | None = None
) -> tuple[str, str]:
    """Return the two players whose game would be most informative.

    That is where the outcome is open and the beliefs are vague: p (1 − p) times the variance of
    their difference, divided by one more than the games they have had.

    Args:
        beliefs: What is believed of each player.
        games: By pair, in either order, how often they met.

    Raises:
        OptionError: There are fewer than two players.

    Example:
        >>> informative_pair({"a": Belief(25, 2), "b": Belief(40, 2), "c": Belief(26, 2)})
        ('a', 'c')
    """
    if len(beliefs) < 2:
        raise OptionError(f"{len(beliefs)} players make no pair; give 2 at least")
    met = games or {}
    return max(
        combinations(sorted(beliefs), 2),
        key=lambda pair: (
            _information(beliefs[pair[0]], beliefs[pair[1]])
            / (1 + met.get(pair, 0) + met.get(pair[::-1], 0))
        ),
    )


def _information(one: Belief, two: Belief) -> float:
    """Return how open a game is times how vague the difference of its players is."""
    variance = one.deviation**2 + two.deviation**2
    gap = (one.mean - two.mean) / math.sqrt(variance + 2 * BETA**2)
    chance = math.erfc(-gap / math.sqrt(2)) / 2
    return chance * (1 - chance) * variance
