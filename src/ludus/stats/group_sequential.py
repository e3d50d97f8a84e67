"""A few looks fixed before the run: boundaries that spend the chance of a false find on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from ludus.errors import OptionError
from ludus.stats.distributions import (
    Array,
    gauss_legendre,
    normal_cdf,
    normal_quantile,
    student_cdf,
)
from ludus.stats.intervals import mean_interval
from ludus.stats.samples import as_sample, check_choice, check_level
from ludus.stats.sequential import RaceVerdict

__all__ = ["LookPlan", "Spending", "judge", "plan_looks"]

Spending = Literal["pocock", "obrien-fleming"]

NODES = 128
FARTHEST = 9.0
"""A boundary this many deviations away is never crossed."""


class LookPlan(NamedTuple):
    """When to look at a race of two, and how far apart they must be then.

    Attributes:
        looks: After how many pairs of episodes to look, the last being the most to play.
        bounds: How many standard errors the difference must be from zero at each look;
            ``inf`` where stopping is out of the question.
        nominal: The same as p-values: at or below them the race is decided.
        level: The confidence over all looks together.
        spending: How the chance of a false find is spent.
    """

    looks: tuple[int, ...]
    bounds: tuple[float, ...]
    nominal: tuple[float, ...]
    level: float
    spending: Spending


def plan_looks(
    looks: Sequence[int], spending: Spending = "pocock", level: float = 0.95
) -> LookPlan:
    """Return the boundaries of a race that is looked at a few times.

    Args:
        looks: After how many pairs of episodes to look, in rising order.
        spending: ``"pocock"`` spends evenly and stops soonest; ``"obrien-fleming"`` saves the
            chance of a false find for the end, where the test is then almost an ordinary one.
        level: The confidence over all looks together.

    Raises:
        OptionError: There are no looks, they do not rise, or an option is out of its range.

    Example:
        >>> plan = plan_looks([20, 40, 60, 80, 100])
        >>> [round(bound, 2) for bound in plan.bounds]
        [2.44, 2.43, 2.41, 2.4, 2.39]
    """
    check_level(level)
    check_choice(spending, get_args(Spending), "spending")
    steps = (0, *looks)
    if len(steps) < 2 or any(b <= a for a, b in pairwise(steps)):
        raise OptionError(f"looks {', '.join(map(str, looks))} do not rise from above 0")
    shares = np.array(looks, dtype=np.float64) / looks[-1]
    spent = [_spent(float(share), spending, 1 - level) for share in shares]
    bounds = _boundaries(shares, np.diff(spent, prepend=0.0))
    nominal = tuple(float(p) for p in 2 * normal_cdf(-np.array(bounds)))
    return LookPlan(tuple(looks), bounds, nominal, level, spending)


def judge(plan: LookPlan, differences: ArrayLike) -> RaceVerdict:
    """Return the state of a race at the looks that its differences have reached.

    The t test of the differences at each look is held against the plan's p-value. The interval
    of the verdict is Student's at the look that decided, or of all differences; it makes no
    allowance for the looks.

    Args:
        plan: The plan, made before the run.
        differences: The first's scores less the second's, in the order they were played.

    Raises:
        OptionError: There are no differences, more than planned, or one is not finite.

    Example:
        >>> judge(plan_looks([10, 20]), [0.4, 0.6] * 5).reason
        'separated'
    """
    row = as_sample(differences, "row of differences")
    limit = plan.looks[-1]
    if row.size > limit:
        raise OptionError(f"{row.size} differences are more than the {limit} that were planned")
    for look, p in zip(plan.looks, plan.nominal, strict=True):
        if look > row.size:
            break
        if _student_p(row[:look]) <= p:
            difference = mean_interval(row[:look], plan.level, "t")
            leader: Literal["first", "second"] = "first" if difference.value > 0 else "second"
            return RaceVerdict(leader, "separated", look, 2 * (limit - look), difference)
    remaining = limit - row.size
    reason: Literal["limit", "running"] = "running" if remaining else "limit"
    return RaceVerdict(None, reason, row.size, 2 * remaining, mean_interval(row, plan.level, "t"))


def _spent(share: float, spending: Spending, alpha: float) -> float:
    """Return the chance of a false find spent when that share is played (Lan and DeMets)."""
    if spending == "pocock":
        return alpha * math.log1p((math.e - 1) * share)
    return 2 * math.erfc(-normal_quantile(alpha / 4) / math.sqrt(2 * share))


def _boundaries(shares: Array, spends: Array) -> tuple[float, ...]:
    """Return the bounds by which each look spends its part.

    Between looks the sum of differences is a Brownian motion; its density on the paths that
    have not crossed yet is carried from look to look on the nodes of Gauss's rule (Armitage,
    McPherson and Rowe 1969).
    """
    bounds: list[float] = []
    nodes, mass = np.zeros(1), np.ones(1)
    before = 0.0
    for share, spend in zip(shares.tolist(), spends.tolist(), strict=True):
        step = math.sqrt(share - before)
        bound = _bound(nodes, mass, step, spend, FARTHEST * math.sqrt(share))
        bounds.append(bound / math.sqrt(share) if bound < FARTHEST * math.sqrt(share) else math.inf)
        points, weights = gauss_legendre(-bound, bound, NODES)
        kernel = np.exp(-((points[:, np.newaxis] - nodes) ** 2) / (2 * step**2))
        mass = weights * (kernel @ mass) / (step * math.sqrt(2 * math.pi))
        nodes, before = points, share
    return tuple(bounds)


def _bound(nodes: Array, mass: Array, step: float, spend: float, farthest: float) -> float:
    """Return the bound that the motion's next step crosses, either way, with chance spend."""

    def crossing(bound: float) -> float:
        return 2 * float(mass @ normal_cdf((nodes - bound) / step))

    return _falling_to(crossing, spend, farthest)


def _falling_to(falling: Callable[[float], float], target: float, farthest: float) -> float:
    """Return where a falling function comes down to the target, or the farthest place."""
    if falling(farthest) >= target:
        return farthest
    low, high = 0.0, farthest
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > target else (low, middle)
    return high


def _student_p(differences: Array) -> float:
    """Return the two-sided p-value of the t test that the mean difference is zero."""
    if differences.min() == differences.max():
        return 0.0 if differences[0] and differences.size > 1 else 1.0
    error = float(differences.std(ddof=1)) / math.sqrt(differences.size)
    return 2 * student_cdf(-abs(float(differences.mean())) / error, differences.size - 1)
