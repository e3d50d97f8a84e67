"""How sure a composite score is: trainings drawn again and again, the whole score each time."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from ludus.benchmarks.nematode.scoring import WEIGHTS
from ludus.stats.bootstrap import percentile_limits, resample_counts

__all__ = ["bootstrap_interval"]

LEVEL = 0.95
RESAMPLES = 10_000
SEED = 0


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
