"""Could it be chance: tests on paired differences, effect sizes, and many tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ludus.errors import OptionError
from ludus.stats.distributions import Array, beta_cdf
from ludus.stats.samples import as_sample

__all__ = [
    "Adjustment",
    "adjust",
    "benjamini_hochberg",
    "cliffs_delta",
    "cohens_d",
    "holm",
    "mcnemar",
    "rank_biserial",
    "sign_flip_test",
    "sign_flip_tests",
    "swap_tests_of_best",
]

EXACT_TO = 30
"""Up to so many differences that are not zero all their 2ⁿ signs are counted."""

DRAWS = 10_000
CHUNK = 2_000_000
Adjustment = Literal["holm", "benjamini-hochberg", "none"]


def sign_flip_test(differences: ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> float:
    """Return how often random signs would give a mean difference as far from zero.

    If neither agent is better, each difference could as well have the other sign. Up to 30
    differences that are not zero every choice of signs is counted, so the p-value is exact;
    beyond, signs are drawn, and the p-value is at most Hoeffding's bound, which goes on where
    the draws end.

    Raises:
        OptionError: There are no differences or one is not finite.

    Example:
        >>> sign_flip_test([1, 2, 3, 4])
        0.125
    """
    return sign_flip_tests(as_sample(differences)[:, np.newaxis], draws=draws, seed=seed)[0]


def sign_flip_tests(columns: Array, *, draws: int = DRAWS, seed: int = 0) -> list[float]:
    """Return the p-value of each column of differences, those drawn with the same signs."""
    p_values = [1.0] * columns.shape[1]
    drawn = []
    for number, column in enumerate(columns.T):
        nonzero = column[column != 0]
        if nonzero.size > EXACT_TO:
            drawn.append(number)
        elif nonzero.size:
            p_values[number] = _exact_sign_flip(nonzero)
    if drawn:
        for number, p in zip(drawn, _drawn_sign_flips(columns[:, drawn], draws, seed), strict=True):
            p_values[number] = float(p)
    return p_values


def _exact_sign_flip(differences: Array) -> float:
    """Return the exact p-value, from the signed sums of two halves that meet in the middle."""
    ordered = np.sort(np.abs(differences))
    reached = abs(math.fsum(differences)) - 1e-9 * float(ordered.sum())
    if reached <= 0:
        return 1.0
    ours, theirs = np.sort(_signed_sums(ordered[::2])), _signed_sums(ordered[1::2])
    as_far = ours.size * theirs.size - int(np.searchsorted(ours, reached - theirs).sum())
    return 2 * as_far / (ours.size * theirs.size)


def _signed_sums(values: Array) -> Array:
    """Return the sums of the values under every choice of signs."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _drawn_sign_flips(columns: Array, draws: int, seed: int) -> Array:
    """Return p-values from drawn signs, the data's own among them."""
    sizes = np.sort(np.abs(columns), axis=0)
    reached = np.abs(columns.sum(axis=0)) - 1e-9 * sizes.sum(axis=0)
    generator = np.random.default_rng(seed)
    as_far = np.ones(columns.shape[1])
    remaining = draws
    while remaining > 0:
        rows = min(remaining, max(1, CHUNK // max(columns.shape)))
        signs = 2.0 * generator.integers(0, 2, (rows, len(sizes)), dtype=np.int8) - 1
        as_far += (np.abs(signs @ sizes) >= reached).sum(axis=0)
        remaining -= rows
    bound = 2 * np.exp(-(np.maximum(reached, 0) ** 2) / (2 * (sizes**2).sum(axis=0)))
    return np.asarray(np.minimum(as_far / (draws + 1), bound))


def swap_tests_of_best(columns: Array, pairs: Sequence[tuple[int, int]]) -> list[float]:
    """Return for pairs of columns how often random swaps leave their best values as far apart.

    If neither agent is better, their scores in a scenario could as well be swapped. Then the best
    scores are as far apart only if all scores above the loser's best stay on one side: with m such
    scores that has the probability 2^(1 − m).

    Example:
        >>> swap_tests_of_best(np.array([[9.0, 5.0], [8.0, 1.0], [7.0, 2.0]]), [(0, 1)])
        [0.25]
    """
    best = columns.max(axis=0)
    p_values = []
    for one, other in pairs:
        winner, loser = (one, other) if best[one] > best[other] else (other, one)
        above = int((columns[:, winner] > best[loser]).sum())
        p_values.append(min(1.0, 2.0 ** (1 - above)))
    return p_values


def mcnemar(first_only: int, second_only: int) -> float:
    """Return the exact p-value of the episodes that only one of two agents won.

    Raises:
        OptionError: A count is negative.

    Example:
        >>> round(mcnemar(8, 1), 6)
        0.039062
    """
    if min(first_only, second_only) < 0:
        raise OptionError(f"no test of {first_only} against {second_only} wins")
    fewer, more = sorted((first_only, second_only))
    if fewer == more:
        return 1.0
    return min(1.0, 2 * beta_cdf(0.5, more, fewer + 1))


def cohens_d(differences: ArrayLike) -> float:
    """Return the mean difference in standard deviations of the differences (d_z).

    Equal differences, or a single one, are infinitely many deviations away from zero.

    Example:
        >>> round(cohens_d([1, 2, 3]), 6)
        2.0
    """
    row = np.sort(as_sample(differences))
    centre = float(row.mean())
    if row[0] == row[-1]:
        return math.copysign(math.inf, centre) if centre else 0.0
    return centre / float(row.std(ddof=1))


def rank_biserial(differences: ArrayLike) -> float:
    """Return the share of rank sum for the first less that for the second, from −1 to 1.

    Zeros are left out; without any difference the balance is 0.

    Example:
        >>> rank_biserial([1, 2, -3])
        0.0
    """
    row = as_sample(differences)
    row = row[row != 0]
    if row.size == 0:
        return 0.0
    _, inverse, counts = np.unique(np.abs(row), return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float(np.sign(row) @ ranks / ranks.sum())


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """Return how much more often the first sample is above the second than below, −1 to 1.

    Example:
        >>> cliffs_delta([2, 3], [1, 2])
        0.75
    """
    one, two = as_sample(first, "first sample"), np.sort(as_sample(second, "second sample"))
    above = np.searchsorted(two, one, side="left") + np.searchsorted(two, one, side="right")
    return float(above.mean() / two.size - 1)


def holm(p_values: ArrayLike) -> Array:
    """Return the p-values adjusted so that the chance of any false find stays at the level.

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    row = _as_probabilities(p_values)
    order = np.argsort(row, kind="stable")
    steps = row[order] * np.arange(row.size, 0, -1)
    adjusted = np.empty_like(row)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> Array:
    """Return the p-values adjusted so that the share of false finds stays at the level.

    Example:
        >>> benjamini_hochberg([0.01, 0.04, 0.02]).tolist()
        [0.03, 0.04, 0.03]
    """
    row = _as_probabilities(p_values)
    order = np.argsort(row, kind="stable")[::-1]
    steps = row[order] * (row.size / np.arange(row.size, 0, -1))
    adjusted = np.empty_like(row)
    adjusted[order] = np.minimum(1, np.minimum.accumulate(steps))
    return adjusted


def adjust(p_values: ArrayLike, how: Adjustment) -> Array:
    """Return the p-values adjusted for their number in the way named."""
    if how == "none":
        return _as_probabilities(p_values)
    return holm(p_values) if how == "holm" else benjamini_hochberg(p_values)


def _as_probabilities(values: ArrayLike) -> Array:
    """Return the values as a row of numbers from 0 to 1, which may be empty."""
    if np.size(values) == 0:
        return np.empty(0)
    row = as_sample(values, "list of p-values")
    if row.min() < 0 or row.max() > 1:
        odd = row.min() if row.min() < 0 else row.max()
        raise OptionError(f"the list of p-values holds {odd}, which is not from 0 to 1")
    return row
