"""Values that come with their intervals alone: which of them can be told apart?"""

from __future__ import annotations

import math

import numpy as np

from ludus.stats.compare import Comparison
from ludus.stats.distributions import normal_cdf, normal_quantile
from ludus.stats.intervals import Estimate

__all__ = ["compare_estimates"]


def compare_estimates(
    first: Estimate, second: Estimate, names: tuple[str, str] = ("first", "second")
) -> Comparison:
    """Compare two values by their intervals, as if they did not depend on each other.

    Values from the same scenarios mostly rise and fall together; then this is on the safe side.

    Example:
        >>> high = Estimate(0.9, 0.88, 0.92, 0.95, "composite", 50)
        >>> low = Estimate(0.8, 0.78, 0.82, 0.95, "composite", 50)
        >>> compare_estimates(high, low).separated
        True
    """
    value, margin = first.value - second.value, math.hypot(first.margin, second.margin)
    n = min(first.n, second.n)
    difference = Estimate(value, value - margin, value + margin, first.level, first.method, n)
    p = _p_value(value, margin, first.level)
    return Comparison(*names, difference, p, p, math.nan, math.nan)


def _p_value(value: float, margin: float, level: float) -> float:
    """Return how likely a value is as far from 0; nothing is unlikely of what has no interval."""
    if math.isnan(margin) or value == 0:
        return 1.0
    error = margin / normal_quantile((1 + level) / 2)
    return float(2 * normal_cdf(np.array(-abs(value) / error))) if error else 0.0
