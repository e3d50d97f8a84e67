"""How sure a composite score is: trainings drawn again and again, the whole score each time."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks.nematode.scoring import WEIGHTS, stability
from ludus.stats import mean_interval
from ludus.stats.bootstrap import percentile_limits, resample_counts

__all__ = ["bootstrap_interval", "jackknife_interval"]

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 0
FEWEST = 3


def jackknife_interval(
    sums: Sequence[float], finals: Sequence[float]
) -> tuple[float, float] | None:
    """Return the 95 % interval of a composite, stability included; None for fewer than three.

    Each training is left out in turn. What that changes is the training's own value, and the mean
    of those values is as sure as that of scores: also where a few trainings fail.

    Args:
        sums: What each training brings to the score without stability.
        finals: The final success rate of each.
    """
    n = len(sums)
    if n < FEWEST:
        return None
    values, rates = np.asarray(sums, np.float64), np.asarray(finals, np.float64)
    without = _composites_without_one(values, rates)
    whole = values.mean() + WEIGHTS["stability"] * stability(finals)
    estimate = mean_interval(n * whole - (n - 1) * without, LEVEL, "hall")
    if estimate.low != estimate.low:  # all trainings are alike
        return float(whole), float(whole)
    return min(estimate.low, float(whole)), max(estimate.high, float(whole))


def _composites_without_one(
    sums: NDArray[np.float64], rates: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the composite of all trainings but the first, all but the second, and so on."""
    others = len(sums) - 1
    means = (rates.sum() - rates) / others
    squares = ((rates**2).sum() - rates**2) / others
    spread = np.sqrt(np.maximum(squares - means**2, 0.0))
    ratio = np.divide(spread, means, out=np.ones_like(means), where=means > 0)
    steady = WEIGHTS["stability"] * np.clip(1 - ratio, 0.0, 1.0)
    return np.asarray((sums.sum() - sums) / others + steady)


def bootstrap_interval(
    sums: Sequence[float], finals: Sequence[float], *, resamples: int = RESAMPLES
) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of a composite, stability included; None for one.

    Args:
        sums: What each training brings to the score without stability.
        finals: The final success rate of each.
        resamples: How often trainings are drawn.
    """
    if len(sums) < 2:
        return None
    centre = fmean(finals)
    offsets = np.array([value - centre for value in finals])
    columns = np.column_stack([sums, offsets, offsets**2])
    totals = []
    for counts in resample_counts(len(sums), resamples, SEED):
        mean_sum, shift, square = (counts @ columns / len(sums)).T
        mean = centre + shift
        spread = np.sqrt(np.maximum(square - shift**2, 0.0))
        ratio = np.divide(spread, mean, out=np.ones_like(mean), where=mean > 0)
        totals.append(mean_sum + WEIGHTS["stability"] * np.clip(1 - ratio, 0.0, 1.0))
    low, high = percentile_limits(np.concatenate(totals), LEVEL)
    return float(low), float(high)
