"""How sure a mean or a rate is: the intervals, and the record that every result carries."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError
from ludus.stats.bootstrap import bca_limits, studentised_limits
from ludus.stats.bounded import Bounds, bounded_limits
from ludus.stats.distributions import (
    Array,
    beta_cdf,
    beta_quantile,
    normal_quantile,
    student_quantile,
)
from ludus.stats.samples import (
    as_sample,
    check_bounds,
    check_choice,
    check_level,
    check_resamples,
)
from ludus.stats.skewed import skewed_limits

__all__ = [
    "FEW",
    "RESAMPLES",
    "Bounds",
    "Estimate",
    "MeanMethod",
    "RateMethod",
    "best_interval",
    "mean_interval",
    "mean_intervals",
    "rate_interval",
]

FEW = 5
"""Below so many observations no picture shows an interval."""

ENOUGH = 20
"""From so many observations on the interval of a mean without bounds holds."""

ENOUGH_OF_EACH = 5
"""If there are only two different values, so many of each are needed for that."""

ROUNDING = 1e-12
BEST = "order statistic"
"""The method of :func:`best_interval`."""

RESAMPLES = 10_000

MeanMethod = Literal["auto", "gaffke", "hall", "t", "bca", "studentised"]
RateMethod = Literal["wilson", "clopper-pearson", "jeffreys"]


class Estimate(NamedTuple):
    """A value and the interval it lies in.

    Attributes:
        value: What was measured: a mean, a rate, a difference, a rating.
        low: The lower end; ``nan`` where nothing is known of it.
        high: The upper end; ``nan`` likewise.
        level: The confidence, such as 0.95.
        method: How the interval was found, such as ``"gaffke"`` or ``"wilson"``.
        n: How many observations stand behind it.
        needs: How many observations it would take for the interval to hold; 0 if it holds.
    """

    value: float
    low: float
    high: float
    level: float
    method: str
    n: int
    needs: int = 0

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def too_few(self) -> bool:
        """Whether the observations are too few to draw the interval."""
        return self.n < FEW

    @property
    def remark(self) -> str:
        """Why there is no interval, or why it does not hold yet, in a few words; else empty."""
        if self.needs == 0:
            return ""
        if self.n == 1:
            return "one episode"
        equal = self.method != BEST and not self.high - self.low > ROUNDING * abs(self.value)
        return f"all {self.n} equal" if equal else f"needs {self.needs} episodes"

    def mirrored(self) -> Estimate:
        """Return the estimate of the same thing counted with the other sign."""
        return self._replace(value=-self.value, low=-self.high, high=-self.low)


def mean_interval(
    sample: ArrayLike,
    level: float = 0.95,
    method: MeanMethod = "auto",
    *,
    bounds: Bounds | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return the mean of a sample with its interval.

    ``"auto"`` takes Gaffke's limits where the bounds of the observations are known: they hold for
    any number of observations however they are distributed. Without bounds nothing can; ``"hall"``
    is taken then, and the estimate says how many observations it needs.

    Args:
        sample: The observations, in any order.
        level: The confidence.
        method: ``"auto"``, ``"gaffke"`` (needs bounds), ``"hall"``, ``"t"``, ``"bca"`` or
            ``"studentised"``.
        bounds: The least and the greatest value that an observation can have.
        resamples: How many resamples a bootstrap draws.
        seed: What a bootstrap draws them with; one seed, one interval.

    Raises:
        OptionError: The sample is empty, not finite or out of bounds, or an option is out of its
            range.

    Example:
        >>> estimate = mean_interval([0.0] * 9 + [1.0], bounds=(0, 1))
        >>> [round(end, 2) for end in estimate[:3]]
        [0.1, 0.0, 0.45]
        >>> mean_interval([3.0] * 10).remark
        'all 10 equal'
    """
    columns = as_sample(sample)[:, np.newaxis]
    return mean_intervals(columns, level, method, bounds=bounds, resamples=resamples, seed=seed)[0]


def mean_intervals(
    columns: Array,
    level: float = 0.95,
    method: MeanMethod = "auto",
    *,
    bounds: Bounds | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Estimate]:
    """Return the interval of each column's mean, all from the same resamples."""
    check_level(level)
    check_choice(method, get_args(MeanMethod), "method")
    check_resamples(resamples)
    size = len(columns)
    resolved = _resolve_method(method, bounds, columns)
    centres = _means(columns)
    limits = _limits(columns, level, resolved, bounds, resamples, seed)
    needs = np.zeros(len(centres), int) if resolved == "gaffke" else _needs(columns)
    if resolved == "hall":
        limits = np.where(columns.min(axis=0) < columns.max(axis=0), limits, math.nan)
    lows, highs = np.minimum(limits[0], centres), np.maximum(limits[1], centres)
    return [
        Estimate(value, _known(low), _known(high), level, resolved, size, needed)
        for value, low, high, needed in zip(
            centres.tolist(), lows.tolist(), highs.tolist(), needs.tolist(), strict=True
        )
    ]


def best_interval(sample: ArrayLike, level: float = 0.95, bounds: Bounds | None = None) -> Estimate:
    """Return the best of a sample of n, and between what the best of n usually lies.

    That is the median of the best of n such observations. It has an exact lower limit among the
    observations: at 95 % the third best. The observations set no upper limit, only their bounds do.
    One or two observations set no lower limit either, so they have no interval.

    Args:
        sample: The observations, in any order.
        level: The confidence.
        bounds: The least and the greatest value that an observation can have.

    Raises:
        OptionError: The sample is empty or not finite.

    Example:
        >>> best_interval([3.0, 9.0, 4.0, 8.0, 1.0], bounds=(0.0, 10.0))[:3]
        (9.0, 4.0, 10.0)
    """
    check_level(level)
    ordered = np.sort(as_sample(sample))[::-1]
    count, best = len(ordered), float(ordered[0])
    place = _place_of_best(count, level)
    if place is None:
        needs = next(n for n in range(count, ENOUGH) if _place_of_best(n, level) is not None)
        return Estimate(best, math.nan, math.nan, level, BEST, count, needs)
    high = bounds[1] if bounds else math.nan
    return Estimate(best, float(ordered[place]), high, level, BEST, count)


def _place_of_best(size: int, level: float) -> int | None:
    """Return the place, from 0, of the observation that is below the median of the best of n.

    An observation exceeds that median with probability 1 − 2^(−1/n).
    """
    share = 1 - 0.5 ** (1 / size)
    for place in range(size):
        exceeded = beta_cdf(share, place + 1, size - place)  # place + 1 observations or more
        if exceeded <= 1 - level:
            return place
    return None


def _resolve_method(method: MeanMethod, bounds: Bounds | None, columns: Array) -> MeanMethod:
    """Return the method that suits the bounds; refuse bounds that do not hold."""
    if bounds is not None:
        check_bounds(bounds)
        low, high = bounds
        if columns.min() < low or columns.max() > high:
            odd = columns.min() if columns.min() < low else columns.max()
            raise OptionError(f"the sample holds {odd}, beyond the bounds {low} and {high}")
        return "gaffke" if method == "auto" else method
    if method == "gaffke":
        raise OptionError("method 'gaffke' needs bounds; pass bounds=(least, greatest)")
    return "hall" if method == "auto" else method


def _limits(
    columns: Array,
    level: float,
    method: MeanMethod,
    bounds: Bounds | None,
    resamples: int,
    seed: int,
) -> Array:
    """Return the limits of each column's mean (2 × columns)."""
    if method == "gaffke" and bounds is not None:
        return bounded_limits(columns, level, bounds)
    if len(columns) == 1:
        return np.full((2, columns.shape[1]), math.nan)
    if method == "hall":
        return skewed_limits(columns, level)
    if method == "t":
        return _student_limits(columns, level)
    if method == "bca":
        return bca_limits(columns, level, resamples, seed)
    pairs = [studentised_limits(column, level, resamples, seed) for column in columns.T]
    return np.transpose(pairs)


def _needs(columns: Array) -> NDArray[np.int_]:
    """Return how many observations an interval without bounds takes, 0 where these are enough.

    Two different values are a rate: the rarer must have been seen a few times. Equal values tell
    nothing of what has not been seen.
    """
    size = len(columns)
    least, most = columns.min(axis=0), columns.max(axis=0)
    rare = np.minimum((columns == least).sum(axis=0), (columns == most).sum(axis=0))
    two_valued = ((columns == least) | (columns == most)).all(axis=0)
    fewest = np.where(two_valued, -(-ENOUGH_OF_EACH * size // rare), 0)
    fewest = np.where(least == most, size + 1, fewest)
    fewest = np.maximum(fewest, ENOUGH)
    return np.asarray(np.where(fewest > size, fewest, 0))


def _known(end: float) -> float:
    """Return an end of an interval; what is not known is one object, so that estimates compare."""
    return math.nan if math.isnan(end) else end


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
    successes: int, trials: int, level: float = 0.95, method: RateMethod = "clopper-pearson"
) -> Estimate:
    """Return a success rate with its interval.

    Args:
        successes: How often it went well.
        trials: How often it was tried.
        level: The confidence.
        method: ``"clopper-pearson"`` never covers less than the level; ``"wilson"`` is narrower
            and covers it on average, but less for some rates; ``"jeffreys"`` is the Bayesian
            interval between them.

    Raises:
        OptionError: There are no trials, more successes than trials, or no such method.

    Example:
        >>> [round(end, 3) for end in rate_interval(8, 10)[:3]]
        [0.8, 0.444, 0.975]
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
