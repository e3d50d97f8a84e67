"""Resampling: bootstrap means, and the limits that BCa and studentising draw from them.

Samples are sorted before they are resampled and every resample is used with its mirror image,
so that limits depend neither on the order of the observations nor on the sign they are counted
with, and the same seed gives the same limits on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ludus.stats.distributions import Array, normal_cdf, normal_quantile

__all__ = ["bca_limits", "percentile_limits", "resample_counts", "studentised_limits"]

CHUNK = 2_000_000

ROUNDING = 1e-12
"""Means this close to the sample's, in ranges of the sample, are equal to it."""


def resample_counts(size: int, resamples: int, seed: int) -> Iterator[Array]:
    """Yield, in chunks of rows, how often each of so many observations is in each resample."""
    generator = np.random.default_rng(seed)
    remaining = resamples
    while remaining > 0:
        rows = min(remaining, max(1, CHUNK // size))
        picks = generator.integers(0, size, (rows, size))
        picks += size * np.arange(rows)[:, np.newaxis]
        counts = np.bincount(picks.ravel(), minlength=rows * size)
        yield counts.reshape(rows, size).astype(np.float64)
        remaining -= rows


def _mirrored_means(columns: Array, resamples: int, seed: int) -> Array:
    """Return the means of each column's resamples and of their mirror images, row by row."""
    parts = []
    for counts in resample_counts(len(columns), (resamples + 1) // 2, seed):
        parts += [counts @ columns, counts[:, ::-1] @ columns]
    return np.concatenate(parts) / len(columns)


def bca_limits(columns: Array, level: float, resamples: int, seed: int) -> Array:
    """Return the bias-corrected and accelerated limits of each column's mean (2 × columns)."""
    width = max(1, 2 * CHUNK // resamples)
    starts = range(0, columns.shape[1], width)
    blocks = [columns[:, start : start + width] for start in starts]
    return np.hstack([_bca_block(block, level, resamples, seed) for block in blocks])


def _bca_block(columns: Array, level: float, resamples: int, seed: int) -> Array:
    """Return the limits of as many columns as fit into memory with their resamples."""
    columns = np.sort(columns, axis=0)
    centre = columns.mean(axis=0)
    spread = columns[-1] > columns[0]
    scale = np.where(spread, columns[-1] - columns[0], 1.0)
    offsets = np.where(spread, columns - centre, 0.0) / scale
    means = _mirrored_means(offsets, resamples, seed)
    squares = np.maximum((offsets**2).sum(axis=0), 0.25)
    acceleration = (offsets**3).sum(axis=0) / (6 * squares**1.5)
    below = ((means < -ROUNDING).mean(axis=0) + (means <= ROUNDING).mean(axis=0)) / 2
    limits = [_bca_pair(means[:, k], below[k], acceleration[k], level) for k in range(len(centre))]
    return np.asarray(centre + np.transpose(limits) * scale)


def _bca_pair(means: Array, below: float, acceleration: float, level: float) -> Array:
    """Return the two quantiles that correct for bias and for skewness (Efron 1987)."""
    floor = 0.5 / len(means)
    z0 = normal_quantile(min(max(below, floor), 1 - floor))
    z = normal_quantile((1 + level) / 2)
    shifts = z0 + np.array([-z, z])
    return np.quantile(means, normal_cdf(z0 + shifts / (1 - acceleration * shifts)))


def studentised_limits(sample: Array, level: float, resamples: int, seed: int) -> Array:
    """Return the bootstrap-t limits of the mean, which hold in the tails at some width.

    A resample of few different values is measured by 1 / √n of the sample's own deviation at
    least: left out, such resamples would make the limits too narrow; taken as they are,
    infinite.
    """
    ordered = np.sort(sample)
    size, centre, scale = len(ordered), float(ordered.mean()), float(ordered[-1] - ordered[0])
    if scale == 0:
        return np.array([centre, centre])
    offsets = (ordered - centre) / scale
    deviation = math.sqrt(float(offsets @ offsets) / (size - 1))
    moments = _mirrored_means(np.column_stack([offsets, offsets**2]), resamples, seed)
    variances = (moments[:, 1] - moments[:, 0] ** 2) * size / (size - 1)
    ratios = moments[:, 0] / np.sqrt(np.maximum(variances, deviation**2 / size))
    limits = np.quantile(ratios, [(1 + level) / 2, (1 - level) / 2])
    return np.asarray(centre - scale * deviation * limits)


def percentile_limits(resampled: Array, level: float) -> Array:
    """Return the quantiles that leave out as much at both ends (2 × columns)."""
    return np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0)
