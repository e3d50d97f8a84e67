"""How much a variant changes a model's score, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, variance
from typing import TYPE_CHECKING

from ludus.stats import Estimate, mean_interval, student_quantile

if TYPE_CHECKING:
    from ludus.benchmarks.diplomacy.results import PlayedGame

__all__ = ["LEVEL", "estimate_difference", "is_distinguishable"]

LEVEL = 0.95


def estimate_difference(before: Sequence[PlayedGame], after: Sequence[PlayedGame]) -> Estimate:
    """Return a difference of means: game by game where seeds are shared, else by Welch."""
    first, second = (
        {game.pair: game.score for game in games if game.pair} for games in (before, after)
    )
    if first and first.keys() == second.keys() and len(first) == len(before) == len(after):
        return mean_interval([second[pair] - first[pair] for pair in first], LEVEL)
    return _welch([game.score for game in before], [game.score for game in after])


def is_distinguishable(difference: Estimate) -> bool:
    """Return whether a difference has an interval, and 0 is not in it."""
    return difference.low > 0 or difference.high < 0


def _welch(before: Sequence[float], after: Sequence[float]) -> Estimate:
    value, games = fmean(after) - fmean(before), min(len(before), len(after))
    equal = len(set(before)) == len(set(after)) == 1
    if games < 2 or equal:
        return Estimate(value, math.nan, math.nan, LEVEL, "welch", games)
    first, second = (variance(scores) / len(scores) for scores in (before, after))
    freedom = (first + second) ** 2 / (first**2 / (len(before) - 1) + second**2 / (len(after) - 1))
    margin = student_quantile((1 + LEVEL) / 2, freedom) * math.sqrt(first + second)
    return Estimate(value, value - margin, value + margin, LEVEL, "welch", games)
