"""How sure a mean or a rate is: the intervals, and the record that every result carries."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from ludus.errors import OptionError
from ludus.stats.bootstrap import bca_limits, studentised_limits
from ludus.stats.distributions import Array, beta_quantile, normal_quantile, student_quantile
from ludus.stats.samples import as_sample, check_choice, check_level, check_resamples

__all__ = [
    "FEW",
    "RESAMPLES",
    "Estimate",
    "MeanMethod",
    "RateMethod",
    "mean_interval",
    "mean_intervals",
    "rate_interval",
]

FEW = 5
"""Below so many observations no interval deserves its name."""

BOOTSTRAP_FROM = 10
"""From so many observations on BCa covers better than Student's t."""

BOOTSTRAP_TO = 2_000
"""Beyond so many observations the two agree, and t takes no time."""

RESAMPLES = 10_000

MeanMethod = Literal["auto", "t", "bca", "studentised"]
RateMethod = Literal["wilson", "clopper-pearson", "jeffreys"]


class Estimate(NamedTuple):
    """A value and the interval it lies in.

    Attributes:
        value: What was measured: a mean, a rate, a difference, a rating.
        low: The lower end; ``nan`` where one observation tells nothing about the spread.
        high: The upper end; ``nan`` likewise.
        level: The confidence, such as 0.95.
        method: How the interval was found, such as ``"bca"`` or ``"wilson"``.
        n: How many observations stand behind it.
    """

    value: float
    low: float
    high: float
    level: float
    method: str
    n: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def too_few(self) -> bool:
        """Whether the observations are too few to believe the interval."""
        return self.n < FEW

    def mirrored(self) -> Estimate:
        """Return the estimate of the same thing counted with the other sign."""
        return self._replace(value=-self.value, low=-self.high, high=-self.low)


def mean_interval(
    sample: ArrayLike,
    level: float = 0.95,
    method: MeanMethod = "auto",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return the mean of a sample with its interval.

    ``"auto"`` takes the BCa bootstrap from 10 observations on and Student's t below, where
    the bootstrap is too narrow, and beyond 2,000, where the two agree. ``"studentised"`` is
    the widest and the safest: for results that decide a prize.

    Args:
        sample: The observations, in any order.
        level: The confidence.
        method: ``"auto"``, ``"t"``, ``"bca"`` or ``"studentised"``.
        resamples: How many resamples a bootstrap draws.
        seed: What a bootstrap draws them with; one seed, one interval.

    Raises:
        OptionError: The sample is empty or not finite, or an option is out of its range.

    Example:
        >>> mean_interval([1.0, 2.0, 3.0]).value
        2.0
    """
    columns = as_sample(sample)[:, np.newaxis]
    return mean_intervals(columns, level, method, resamples=resamples, seed=seed)[0]


def mean_intervals(
    columns: Array,
    level: float = 0.95,
    method: MeanMethod = "auto",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Estimate]:
    """Return the interval of each column's mean, all from the same resamples."""
    check_level(level)
    check_choice(method, get_args(MeanMethod), "method")
    check_resamples(resamples)
    size, count = columns.shape
    resolved = method if method != "auto" else _default_method(size)
    centres = _means(columns)
    if size == 1:
        limits = np.full((2, count), math.nan)
    elif resolved == "t":
        limits = _student_limits(columns, level)
    elif resolved == "bca":
        limits = bca_limits(columns, level, resamples, seed)
    else:
        pairs = [studentised_limits(column, level, resamples, seed) for column in columns.T]
        limits = np.transpose(pairs)
    lows, highs = np.minimum(limits[0], centres), np.maximum(limits[1], centres)
    return [
        Estimate(float(value), float(low), float(high), level, resolved, size)
        for value, low, high in zip(centres, lows, highs, strict=True)
    ]


def _default_method(size: int) -> MeanMethod:
    """Return the method that simulations favour for so many observations."""
    return "bca" if BOOTSTRAP_FROM <= size <= BOOTSTRAP_TO else "t"


def _means(columns: Array) -> Array:
    """Return each column's mean, whatever order its values stand in."""
    return np.asarray(np.sort(columns, axis=0).mean(axis=0))


def _student_limits(columns: Array, level: float) -> Array:
    """Return Student's limits of each column's mean (2 × columns)."""
    size = len(columns)
    ordered = np.sort(columns, axis=0)
    errors = ordered.std(axis=0, ddof=1) / math.sqrt(size)
    margins = student_quantile((1 + level) / 2, size - 1) * errors
    centres = ordered.mean(axis=0)
    return np.stack([centres - margins, centres + margins])


def rate_interval(
    successes: int, trials: int, level: float = 0.95, method: RateMethod = "wilson"
) -> Estimate:
    """Return a success rate with its interval.

    Args:
        successes: How often it went well.
        trials: How often it was tried.
        level: The confidence.
        method: ``"wilson"`` covers the level on average and suits a screen;
            ``"clopper-pearson"`` never covers less and suits a verdict; ``"jeffreys"`` is the
            Bayesian interval between them.

    Raises:
        OptionError: There are no trials, more successes than trials, or no such method.

    Example:
        >>> [round(end, 3) for end in rate_interval(8, 10)[:3]]
        [0.8, 0.49, 0.943]
    """
    check_level(level)
    check_choice(method, get_args(RateMethod), "method")
    if trials < 1 or not 0 <= successes <= trials:
        raise OptionError(f"no rate of {successes} successes in {trials} trials")
    limits = {"wilson": _wilson, "clopper-pearson": _clopper_pearson, "jeffreys": _jeffreys}
    low, high = limits[method](successes, trials, (1 - level) / 2)
    return Estimate(successes / trials, low, high, level, method, trials)


def _wilson(successes: int, trials: int, tail: float) -> tuple[float, float]:
    """Return where the normal test of a rate would just reject (Wilson 1927)."""
    z2 = normal_quantile(tail) ** 2
    rate = successes / trials
    centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = rate * (1 - rate) / trials + z2 / (4 * trials**2)
    margin = math.sqrt(z2 * spread) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else centre - margin
    return low, 1.0 if successes == trials else centre + margin


def _clopper_pearson(successes: int, trials: int, tail: float) -> tuple[float, float]:
    """Return where the exact binomial test of a rate would just reject."""
    failures = trials - successes
    low = beta_quantile(tail, successes, failures + 1) if successes else 0.0
    return low, beta_quantile(1 - tail, successes + 1, failures) if failures else 1.0


def _jeffreys(successes: int, trials: int, tail: float) -> tuple[float, float]:
    """Return the credible interval from Jeffreys' prior, opened where nothing or all succeeded."""
    a, b = successes + 0.5, trials - successes + 0.5
    low = beta_quantile(tail, a, b) if successes else 0.0
    return low, beta_quantile(1 - tail, a, b) if successes < trials else 1.0
