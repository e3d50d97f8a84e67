"""How sure a mean is: Student's interval, computed without any library but numpy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ludus.errors import OptionError

__all__ = ["Estimate", "mean_interval", "student_quantile"]


class Estimate(NamedTuple):
    """A value and the interval it lies in.

    Attributes:
        value: The mean of the sample.
        low: The lower end; ``nan`` where one observation tells nothing about the spread.
        high: The upper end; ``nan`` likewise.
        level: The confidence, such as 0.95.
        n: How many observations stand behind it.
    """

    value: float
    low: float
    high: float
    level: float
    n: int

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def mean_interval(sample: Sequence[float], level: float = 0.95) -> Estimate:
    """Return the mean of a sample with its Student t interval.

    Raises:
        OptionError: The sample is empty or the level is not between 0 and 1.

    Example:
        >>> mean_interval([1.0, 2.0, 3.0]).value
        2.0
    """
    values = np.asarray(sample, dtype=np.float64)
    n = values.size
    if n == 0:
        raise OptionError("no mean of an empty sample")
    if not 0 < level < 1:
        raise OptionError(f"confidence level {level} is not between 0 and 1")
    mean = float(values.mean())
    if n == 1:
        return Estimate(mean, math.nan, math.nan, level, 1)
    error = float(values.std(ddof=1)) / math.sqrt(n)
    margin = student_quantile((1 + level) / 2, n - 1) * error
    return Estimate(mean, mean - margin, mean + margin, level, n)


def student_quantile(probability: float, freedom: int) -> float:
    """Return the t below which Student's distribution has that probability.

    Found by halving an interval on the distribution function, to the last bits of a float.
    """
    if not 0 < probability < 1 or freedom < 1:
        raise OptionError(
            f"no t quantile at probability {probability}, {freedom} degrees of freedom"
        )
    if probability < 0.5:
        return -student_quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while _student_cdf(high, freedom) < probability:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        if _student_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


def _student_cdf(t: float, freedom: int) -> float:
    """Return the probability of a value up to t, for t ≥ 0, by the finite sums in the angle.

    For whole degrees of freedom the distribution is a finite series in cos² of
    θ = arctan(t / √ν) (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    theta = math.atan(t / math.sqrt(freedom))
    cos_squared = math.cos(theta) ** 2
    odd = freedom % 2
    term = math.cos(theta) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cos_squared * (k - 1) / k
        total += term
    inside = total * math.sin(theta)
    if odd:
        inside = (theta + inside) * 2 / math.pi
    return 0.5 + inside / 2
