"""The mean of scores that have a least and a greatest value: limits that hold at any size.

Whatever the scores have not shown yet may lie at the bound. Gaffke's limit takes the bound for
one score more and asks how the mean moves when the n + 1 scores are weighted at random: the
weights are the gaps between n random numbers from 0 to 1. For scores of 0 and 1 it is the limit
of Clopper and Pearson. Gaffke, *Three test statistics for a nonparametric one-sided hypothesis on
the mean of a nonnegative variable* (2005); Learned-Miller and Thomas, *A new confidence interval
for the mean of a bounded random variable* (2019), who conjecture that it never covers less than it
says, and found no case in which it does.

The distribution of the weighted mean is taken from its saddle point (Lugannani and Rice 1980): no
random draws, and the same limits on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ludus.stats.distributions import Array, normal_quantile

__all__ = ["Bounds", "bounded_limits"]

Bounds = tuple[float, float]
"""The least and the greatest value that a score can have."""

TURNS = 50
NEAR = 1e-12
"""Places that are nearer to each other count as one, as logarithms."""

FARTHEST = 40.0
"""Weights from all at the bound to all alike, as logarithms in ranges of the scores."""

CHUNK = 1_000_000
CLOSE = 1e-6

STEPS = 4_096
"""More scores than this are counted in so many steps of their range, rounded to the safe side."""


def bounded_limits(columns: Array, level: float, bounds: Bounds) -> Array:
    """Return the limits of each column's mean (2 × columns), for scores within bounds."""
    low, high = bounds
    tail = (1 - level) / 2
    unit = np.sort(np.clip((columns - low) / (high - low), 0.0, 1.0), axis=0)
    sides = np.hstack([1 - unit, unit])
    limits = np.concatenate([_upper_limits(block, tail) for block in _blocks(sides)])
    lower, upper = limits.reshape(2, -1)
    return np.asarray(low + (high - low) * np.stack([1 - lower, upper]))


def _blocks(columns: Array) -> Iterator[Array]:
    """Yield as many columns at a time as fit into memory."""
    width = max(1, CHUNK // min(len(columns), STEPS))
    for start in range(0, columns.shape[1], width):
        yield columns[:, start : start + width]


def _upper_limits(columns: Array, tail: float) -> Array:
    """Return the upper limits of means of values from 0 to 1.

    Tilted by a point beyond 1, the weights are in proportion to 1 / (point − value). The nearer
    the point, the higher the mean that they give; it is moved until that mean is exceeded with
    the probability of the tail.
    """
    gaps, counts = _count_gaps(1 - columns)
    wanted = -normal_quantile(tail)
    point = _find_crossing(lambda at: _tilt(gaps, counts, at)[0] - wanted, columns.shape[1])
    return np.where(columns.min(axis=0) < 1, _tilt(gaps, counts, point)[1], 1.0)


def _find_crossing(excess: Callable[[Array], Array], width: int) -> Array:
    """Return where each column's excess, positive at −FARTHEST, is gone.

    Chandrupatla (1997): the next place is interpolated where that is safe, and halfway elsewhere.
    """
    last, other = (np.full(width, end) for end in (FARTHEST, -FARTHEST))
    at_last, at_other = excess(last), excess(other)
    part = np.full(width, 0.5)
    for _ in range(TURNS):
        place = last + part * (other - last)
        value = excess(place)
        stays = (value > 0) == (at_last > 0)
        before, at_before = np.where(stays, last, other), np.where(stays, at_last, at_other)
        other, at_other = np.where(stays, other, last), np.where(stays, at_other, at_last)
        last, at_last = place, value
        room = NEAR / np.maximum(np.abs(other - last), NEAR)
        if np.all(room >= 0.5):
            break
        guess = _interpolate(last, other, before, at_last, at_other, at_before)
        part = np.clip(guess, np.minimum(room, 0.5), np.maximum(1 - room, 0.5))
    return np.where(at_last > 0, other, last)


def _interpolate(a: Array, b: Array, c: Array, at_a: Array, at_b: Array, at_c: Array) -> Array:
    """Return how far from a to b a parabola through three places crosses 0; a half if unsafe."""
    with np.errstate(divide="ignore", invalid="ignore"):
        across, up = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        safe = (up**2 < across) & ((1 - up) ** 2 < 1 - across)
        straight = at_a / (at_b - at_a) * at_c / (at_b - at_c)
        bent = (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
        return np.where(safe, straight + bent, 0.5)


def _count_gaps(gaps: Array) -> tuple[Array, Array]:
    """Return the distances from the bound, that of the bound itself first, and their counts."""
    zero = np.zeros((1, gaps.shape[1]))
    if len(gaps) <= STEPS:
        return np.vstack([zero, gaps]), np.ones((len(gaps) + 1, 1))
    steps = np.minimum((gaps * STEPS).astype(np.intp), STEPS - 1)
    counts = [np.bincount(column, minlength=STEPS) for column in steps.T]
    grid = np.linspace(0, 1, STEPS, endpoint=False)[:, np.newaxis]
    return np.broadcast_to(grid, (STEPS, len(counts))), np.transpose(counts) + (grid == 0)


def _tilt(gaps: Array, counts: Array, logarithm: Array) -> tuple[Array, Array]:
    """Return how many normal deviations a tilted mean is from the middle, and that mean."""
    size = counts.sum(axis=0)
    ratios = 1 / (gaps + np.exp(logarithm))
    stake = (counts * ratios).sum(axis=0) / size
    weights = ratios / stake
    mean_gap = (counts * weights * gaps).sum(axis=0) / size
    likelihood = np.sqrt(np.maximum(-2 * (counts * np.log(weights)).sum(axis=0), 0.0))
    spread = stake * np.sqrt((counts * ((mean_gap - gaps) * weights) ** 2).sum(axis=0))
    apart = (likelihood > CLOSE) & (spread > 0)
    divisor = np.where(apart, likelihood, 1.0)
    correction = np.log(np.where(apart, spread, 1.0) / divisor) / divisor
    return likelihood + np.where(apart, correction, 0.0), 1 - mean_gap
