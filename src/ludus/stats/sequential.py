"""Looking while the episodes come in: intervals that stay valid at every look.

An ordinary interval holds at one look that was fixed before. A confidence sequence holds at all
looks at once, so a race may be stopped the moment it is decided.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike

from ludus.errors import OptionError
from ludus.stats.bounded import Bounds
from ludus.stats.distributions import Array
from ludus.stats.intervals import Estimate
from ludus.stats.samples import as_sample, check_bounds, check_choice, check_level

__all__ = [
    "ConfidenceSequence",
    "RaceVerdict",
    "SequenceMethod",
    "StopWhenClear",
    "confidence_sequence",
]

SequenceMethod = Literal["mixture", "bernstein", "betting"]


class RaceVerdict(NamedTuple):
    """How a race of two stands, or how it ended.

    Attributes:
        leader: ``"first"`` or ``"second"`` once that is clear, else None.
        reason: ``"separated"``, ``"limit"`` if the episodes ran out, or ``"running"``.
        pairs: Episodes that each of the two has played.
        saved: Episodes of both together that need not be played.
        difference: The first's mean score less the second's, with its interval.
    """

    leader: Literal["first", "second"] | None
    reason: Literal["separated", "limit", "running"]
    pairs: int
    saved: int
    difference: Estimate


class _State(Protocol):
    """What a confidence sequence knows; every method takes one number or many races' at once."""

    def add(self, x: Array) -> None: ...

    def limits(self) -> tuple[Array, Array]: ...


class _Mixture:
    """The t test averaged over effects: exact for normal data of unknown deviation.

    The ratio of the likelihood averaged over effects δ ~ N(0, ρ²) in standard deviations to
    that of no effect is a martingale whatever the deviation is (Lai 1976), so it exceeds
    1 / α only with probability α, ever.
    """

    def __init__(self, level: float, effect: float) -> None:
        self.level = level
        self.count = 0
        self.mean = np.zeros(())
        self.squares = np.zeros(())
        self.prior = effect**2

    def add(self, x: Array) -> None:
        self.count += 1
        step = x - self.mean
        self.mean = self.mean + step / self.count
        self.squares = self.squares + step * (x - self.mean)

    def limits(self) -> tuple[Array, Array]:
        n = self.count
        if n < 2:
            return self.mean - math.inf, self.mean + math.inf
        gain = 1 + n * self.prior
        hurdle = (math.sqrt(gain) / (1 - self.level)) ** (2 / n)
        if hurdle >= gain:
            return self.mean - math.inf, self.mean + math.inf
        margin = np.sqrt(self.squares / n * (hurdle - 1) / (1 - hurdle / gain))
        return self.mean - margin, self.mean + margin


class _Predicted:
    """Mean and variance of bounded data as predicted before each value, and the bet on it."""

    def __init__(self) -> None:
        self.count = 0
        self.total = np.full((), 0.5)
        self.squares = np.full((), 0.25)

    @property
    def mean(self) -> Array:
        return self.total / (self.count + 1)

    def stake(self, level: float) -> Array:
        """Return the stake that would be best were the variance as predicted."""
        variance = self.squares / (self.count + 1)
        turn = self.count + 1
        return np.sqrt(2 * math.log(2 / (1 - level)) / (variance * turn * math.log(turn + 1)))

    def add(self, x: Array) -> None:
        self.count += 1
        self.total = self.total + x
        self.squares = self.squares + (x - self.mean) ** 2


class _Bernstein:
    """The predictable plug-in empirical Bernstein sequence for values from 0 to 1.

    Waudby-Smith and Ramdas, *Estimating means of bounded random variables by betting* (2023),
    theorem 2; limits of all looks are intersected.
    """

    def __init__(self, level: float) -> None:
        self.level = level
        self.predicted = _Predicted()
        self.stakes = np.zeros(())
        self.weighted = np.zeros(())
        self.price = np.full((), math.log(2 / (1 - level)))
        self.low, self.high = np.zeros(()), np.ones(())

    def add(self, x: Array) -> None:
        stake = np.minimum(self.predicted.stake(self.level), 0.5)
        surprise = (x - self.predicted.mean) ** 2
        self.stakes = self.stakes + stake
        self.weighted = self.weighted + stake * x
        self.price = self.price + surprise * (-np.log1p(-stake) - stake)
        self.predicted.add(x)
        centre, margin = self.weighted / self.stakes, self.price / self.stakes
        self.low = np.maximum(self.low, centre - margin)
        self.high = np.minimum(self.high, centre + margin)

    def limits(self) -> tuple[Array, Array]:
        return self.low, self.high


class _Betting:
    """The hedged capital of a gambler against each mean from 0 to 1, on a grid.

    A mean against which the capital ever reaches 1 / α is out (ibid., theorem 3). The limits
    are the neighbours of the last means that are still in, on the safe side.
    """

    def __init__(self, level: float, points: int = 1001) -> None:
        self.level = level
        self.predicted = _Predicted()
        self.grid = np.linspace(0, 1, points)
        self.above = np.zeros(points)
        self.below = np.zeros(points)
        self.open = np.ones(points, bool)

    def add(self, x: Array) -> None:
        stake = self.predicted.stake(self.level)[..., np.newaxis]
        with np.errstate(divide="ignore"):
            up = np.minimum(stake, 0.5 / self.grid)
            down = np.minimum(stake, 0.5 / (1 - self.grid))
        gain = x[..., np.newaxis] - self.grid
        self.above = self.above + np.log1p(up * gain)
        self.below = self.below + np.log1p(-down * gain)
        capital = np.maximum(self.above, self.below) - math.log(2)
        left = self.open & (capital < -math.log(1 - self.level))
        self.open = np.where(left.any(axis=-1, keepdims=True), left, self.open)
        self.predicted.add(x)

    def limits(self) -> tuple[Array, Array]:
        last = len(self.grid) - 1
        first_open = self.open.argmax(axis=-1)
        last_open = last - self.open[..., ::-1].argmax(axis=-1)
        return self.grid[np.maximum(first_open - 1, 0)], self.grid[np.minimum(last_open + 1, last)]


class ConfidenceSequence:
    """The interval of a mean that may be looked at after every value.

    Args:
        level: The confidence that the mean is in the interval at every look.
        method: ``"betting"``, which ``"auto"`` is, and the cheaper, wider ``"bernstein"`` hold for
            any values within bounds; ``"mixture"`` needs none, but holds for normal values only:
            on skewed ones it errs more often than not.
        bounds: The least and the greatest value there can be.
        effect: The effect, in standard deviations, that ``"mixture"`` is to find soonest.

    Raises:
        OptionError: An option is out of its range, or the method needs bounds.

    Example:
        >>> sequence = ConfidenceSequence(bounds=(0, 1))
        >>> for _ in range(50):
        ...     estimate = sequence.add(0.5)
        >>> estimate.low < 0.5 < estimate.high
        True
    """

    def __init__(
        self,
        level: float = 0.95,
        method: SequenceMethod | Literal["auto"] = "auto",
        *,
        bounds: Bounds | None = None,
        effect: float = 0.5,
    ) -> None:
        check_level(level)
        check_choice(method, ("auto", *get_args(SequenceMethod)), "method")
        if not (effect > 0 and math.isfinite(effect)):
            raise OptionError(f"effect {effect} is not above 0")
        self.level = level
        self.method: SequenceMethod = _resolve_method(method, bounds)
        self.bounds = bounds
        self._total = 0.0
        self._count = 0
        self._state = _state(self.method, level, effect)

    def add(self, value: float) -> Estimate:
        """Take the next value in and return the mean with its interval.

        Raises:
            OptionError: The value is not finite or out of bounds.
        """
        low, high = self.bounds or (-math.inf, math.inf)
        if not (low <= value <= high and math.isfinite(value)):
            raise OptionError(f"value {value} is not between the bounds {low} and {high}")
        self._total += float(value)
        self._count += 1
        self._state.add(np.array((value - low) / (high - low) if self.bounds else value))
        return self.estimate

    @property
    def estimate(self) -> Estimate:
        """The mean of the values so far with its interval."""
        mean = self._total / self._count if self._count else math.nan
        low, high = (float(end) for end in self._state.limits())
        if self.bounds:
            floor, ceiling = self.bounds
            low, high = (floor + (ceiling - floor) * end for end in (low, high))
        low, high = min(low, mean), max(high, mean)
        return Estimate(mean, low, high, self.level, f"sequence-{self.method}", self._count)


def confidence_sequence(
    sample: ArrayLike,
    level: float = 0.95,
    method: SequenceMethod | Literal["auto"] = "auto",
    *,
    bounds: Bounds | None = None,
    effect: float = 0.5,
) -> list[Estimate]:
    """Return the interval of the mean after each value of a sample, valid at all of them.

    The options are those of :class:`ConfidenceSequence`.

    Example:
        >>> confidence_sequence([0.1, 0.9, 0.5], bounds=(0, 1))[-1].value
        0.5
    """
    sequence = ConfidenceSequence(level, method, bounds=bounds, effect=effect)
    return [sequence.add(value) for value in as_sample(sample).tolist()]


class StopWhenClear:
    """Says after each pair of episodes whether a race of two is decided.

    Args:
        limit: Pairs of episodes that are played at most.
        level: The confidence that an agent found better is not worse or equal, at any look.
        method: As for :class:`ConfidenceSequence`.
        bounds: The least and the greatest difference there can be; (−1, 1) if scores go from
            0 to 1. Differences without bounds can be raced by their signs, which are from −1 to 1:
            then it is about who is better more often.
        effect: The effect, in standard deviations, that ``"mixture"`` is to find soonest.

    Example:
        >>> race = StopWhenClear(limit=200, bounds=(-1, 1))
        >>> for difference in [0.3, 0.5, 0.4, 0.2, 0.6, 0.4, 0.5, 0.3] * 25:
        ...     if race.add(difference):
        ...         break
        >>> race.verdict.leader, race.verdict.reason
        ('first', 'separated')
    """

    def __init__(
        self,
        limit: int,
        level: float = 0.95,
        method: SequenceMethod | Literal["auto"] = "auto",
        *,
        bounds: Bounds | None = None,
        effect: float = 0.5,
    ) -> None:
        if limit < 1:
            raise OptionError(f"a limit of {limit} pairs leaves nothing to play; take 1 at least")
        self.limit = limit
        self._sequence = ConfidenceSequence(level, method, bounds=bounds, effect=effect)

    def add(self, difference: float) -> bool:
        """Take in the first's score less the second's, and return whether the race is over.

        Raises:
            OptionError: The race was over already, or the difference is out of bounds.
        """
        verdict = self.verdict
        if verdict.reason != "running":
            raise OptionError(f"the race is over after {verdict.pairs} pairs: {verdict.reason}")
        self._sequence.add(difference)
        return self.verdict.reason != "running"

    def extend(self, differences: Iterable[float]) -> bool:
        """Take differences in until the race is over, and return whether it is.

        Only as many as needed are taken from the iterable.
        """
        return any(self.add(difference) for difference in differences)

    @property
    def verdict(self) -> RaceVerdict:
        """How the race stands."""
        difference = self._sequence.estimate
        pairs = difference.n
        saved = 2 * (self.limit - pairs)
        if difference.low > 0 or difference.high < 0:
            leader: Literal["first", "second"] = "first" if difference.low > 0 else "second"
            return RaceVerdict(leader, "separated", pairs, saved, difference)
        return RaceVerdict(None, "limit" if saved == 0 else "running", pairs, saved, difference)


def _resolve_method(
    method: SequenceMethod | Literal["auto"], bounds: Bounds | None
) -> SequenceMethod:
    """Return the method that suits the bounds, or refuse one that does not."""
    if bounds is not None:
        check_bounds(bounds)
        return "betting" if method == "auto" else method
    if method != "mixture":
        raise OptionError(
            "without bounds no interval stays valid at every look; pass bounds=(least, greatest), "
            "or method='mixture' if the values are normal"
        )
    return method


def _state(method: SequenceMethod, level: float, effect: float) -> _State:
    """Return an empty sequence of the method."""
    if method == "mixture":
        return _Mixture(level, effect)
    return _Betting(level) if method == "betting" else _Bernstein(level)
