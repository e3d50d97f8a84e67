"""The distributions that intervals and tests rest on, computed without any library but numpy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError

__all__ = [
    "Array",
    "beta_cdf",
    "beta_quantile",
    "gauss_legendre",
    "normal_cdf",
    "normal_quantile",
    "student_cdf",
    "student_power",
    "student_quantile",
]

Array = NDArray[np.float64]

_NORMAL = NormalDist()
_TINY = 1e-300
NEWTON_STEPS = 12
CLOSE = 4e-15
"""A guess that is off by this share is close enough to look for the last bits from there."""


def normal_cdf(x: Array) -> Array:
    """Return the standard normal probabilities of a value up to each x."""
    flat = map(math.erfc, (-np.ravel(x) / math.sqrt(2)).tolist())
    return np.fromiter(flat, np.float64, np.size(x)).reshape(np.shape(x)) / 2


def normal_quantile(probability: float) -> float:
    """Return the z below which the standard normal distribution has that probability."""
    if probability <= 0 or probability >= 1:
        return math.copysign(math.inf, probability - 0.5)
    return _NORMAL.inv_cdf(probability)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the probability of a value up to x under the beta distribution."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) * _beta_fraction(x, a, b) / a


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method.

    It converges in about √max(a, b) turns where x is below the mean.
    """
    c = 1.0
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    fraction = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 + term * d
            c = 1 + term / c
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return fraction


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the x below which the beta distribution has that probability."""
    near = _near_quantile(probability, a, b)
    low, high = near * (1 - CLOSE), near * (1 + CLOSE)
    if not beta_cdf(low, a, b) < probability <= beta_cdf(high, a, b):
        low, high = 0.0, 1.0
    return _crossing(lambda x: beta_cdf(x, a, b), probability, low, high)


def _near_quantile(probability: float, a: float, b: float) -> float:
    """Return a guess at the quantile, by Newton's method from that of a normal distribution."""
    x, spread = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
    log_scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    step = -normal_quantile(probability) * spread
    for _ in range(NEWTON_STEPS):
        x = min(max(x - step, x / 4), (3 + x) / 4)  # never beyond 0 or 1
        if abs(step) < CLOSE * x:
            break
        density = math.exp(log_scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        step = (beta_cdf(x, a, b) - probability) / max(density, _TINY)
    return x


def student_cdf(t: float, freedom: float) -> float:
    """Return the probability of a value up to t under Student's distribution."""
    if abs(t) < 1:
        return 0.5 + math.copysign(beta_cdf(t * t / (freedom + t * t), 0.5, freedom / 2) / 2, t)
    tail = beta_cdf(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return tail if t < 0 else 1 - tail


@lru_cache(maxsize=4096)
def student_quantile(probability: float, freedom: float) -> float:
    """Return the t below which Student's distribution has that probability.

    Example:
        >>> round(student_quantile(0.975, 9), 4)
        2.2622
    """
    if not 0 < probability < 1 or not freedom > 0:
        raise OptionError(
            f"no t quantile at probability {probability}, {freedom} degrees of freedom"
        )
    if probability > 0.5:
        return -student_quantile(1 - probability, freedom)
    low = -1.0
    while student_cdf(low, freedom) > probability:
        low *= 2
    return _crossing(lambda t: student_cdf(t, freedom), probability, low, 0.0)


def _crossing(rising: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Return where a rising function reaches the target, by halving down to the last bits."""
    while low < (middle := (low + high) / 2) < high:
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return high


def student_power(shift: float, freedom: float, level: float) -> float:
    """Return how likely a two-sided t test rejects when its statistic is shifted so far.

    The noncentral t distribution is a normal distribution averaged over the spread of the
    estimated deviation, which is integrated here by Gauss's rule.
    """
    t = student_quantile((1 + level) / 2, freedom)
    reach = 1 / math.sqrt(2 * freedom)
    nodes, weights = gauss_legendre(max(0.0, 1 - 9 * reach), 1 + 12 * reach, 128)
    half = freedom / 2
    log_density = math.log(2) + half * math.log(half) - math.lgamma(half)
    density = np.exp(log_density + (freedom - 1) * np.log(nodes) - half * nodes**2)
    rejected = normal_cdf(shift - t * nodes) + normal_cdf(-shift - t * nodes)
    return min(1.0, float(weights @ (density * rejected)))


def gauss_legendre(low: float, high: float, points: int) -> tuple[Array, Array]:
    """Return the nodes and weights of Gauss's rule for integrals from low to high."""
    nodes, weights = _unit_rule(points)
    return (low + high) / 2 + (high - low) / 2 * nodes, (high - low) / 2 * weights


@lru_cache(maxsize=8)
def _unit_rule(points: int) -> tuple[Array, Array]:
    """Return Gauss's rule from −1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return np.asarray(nodes, np.float64), np.asarray(weights, np.float64)
