"""The mean of scores without known bounds: Student's t, widened where the scores are skewed."""

from __future__ import annotations

import math

import numpy as np

from ludus.stats.distributions import Array, student_quantile

__all__ = ["skewed_limits"]

FLAT = 1e-6
"""A skewness this small moves nothing."""

LEAST_SHARE = 0.2


def skewed_limits(columns: Array, level: float) -> Array:
    """Return the limits of each column's mean (2 × columns), for two values or more.

    At each end the wider of two limits is taken: Student's, and Hall's, who removes the skewness by
    a cubic transformation (*On the removal of skewness by transformation*, 1992). A small sample
    shows too little of a long tail, so the tails are narrowed to 1 − 4 / n of what they were.
    """
    size = len(columns)
    ordered = np.sort(columns, axis=0)
    centres, deviations = ordered.mean(axis=0), ordered.std(axis=0, ddof=1)
    tail = (1 - level) / 2 * max(1 - 4 / size, LEAST_SHARE)
    quantile = student_quantile(1 - tail, size - 1)
    skewness = _skewness(ordered, centres, deviations) / math.sqrt(size)
    below = np.maximum(_untransform(quantile, skewness), quantile)
    above = np.minimum(_untransform(-quantile, skewness), -quantile)
    errors = deviations / math.sqrt(size)
    return np.stack([centres - errors * below, centres - errors * above])


def _skewness(columns: Array, centres: Array, deviations: Array) -> Array:
    """Return each column's skewness, 0 where its values are equal or too few to be skewed."""
    size = len(columns)
    if size < 3:
        return np.zeros(columns.shape[1])
    spread = columns[-1] > columns[0]
    offsets = np.where(spread, (columns - centres) / np.where(spread, deviations, 1.0), 0.0)
    return np.asarray((offsets**3).sum(axis=0) * size / ((size - 1) * (size - 2)))


def _untransform(quantile: float, skewness: Array) -> Array:
    """Return the t whose transformed value is the quantile; the skewness is over √n."""
    flat = np.abs(skewness) < FLAT
    steep = np.where(flat, 1.0, skewness)
    bent = 3 / steep * (np.cbrt(1 + steep * (quantile - steep / 6)) - 1)
    return np.where(flat, quantile, bent)
