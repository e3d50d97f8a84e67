"""Headline values of the tracks, with 95 % intervals over the choice of levels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import fsum, sqrt
from statistics import fmean, variance

from ludus.benchmarks.benchmark import Number
from ludus.benchmarks.mario_ai.scoring import sum_of_means
from ludus.games.game import Facts
from ludus.stats.distributions import student_quantile

__all__ = ["sum_of_means_with_interval", "sum_with_interval"]

UPPER = 0.975

Estimated = Number | tuple[Number, Number, Number]


def sum_with_interval(facts: Sequence[Facts], totals: Sequence[Number]) -> Estimated:
    """Return the sum of the totals with its interval.

    Levels of one difficulty are drawn alike; those of different ones are fixed by the track.

    Example:
        >>> sum_with_interval([{"difficulty": 0}, {"difficulty": 3}], [100, 50])
        150
    """
    return _widen(sum(totals), _group(facts, totals), lambda size: size * size)


def sum_of_means_with_interval(facts: Sequence[Facts], totals: Sequence[Number]) -> Estimated:
    """Return the sum over difficulties of the mean distance, with its interval."""
    return _widen(sum_of_means(facts), _group(facts, totals), lambda size: 1)


def _group(facts: Sequence[Facts], totals: Sequence[Number]) -> list[list[float]]:
    groups: dict[Hashable, list[float]] = {}
    for level, total in zip(facts, totals, strict=True):
        groups.setdefault(level.get("difficulty"), []).append(float(total))
    return list(groups.values())


def _widen(
    value: Number, groups: Sequence[Sequence[float]], scale: Callable[[int], int]
) -> Estimated:
    """Return a value that adds up groups with its interval, by Student's t.

    Args:
        value: The value.
        groups: What it is made of.
        scale: How often the variance of a group's mean counts, for the group's size.
    """
    several = [group for group in groups if len(group) > 1]
    freedom = sum(len(group) - 1 for group in several)
    if not freedom:
        return value
    spread = fsum(
        scale(len(group)) * variance(group, fmean(group)) / len(group) for group in several
    )
    margin = student_quantile(UPPER, freedom) * sqrt(spread)
    return value, value - margin, value + margin
