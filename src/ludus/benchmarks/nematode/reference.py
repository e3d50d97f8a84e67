"""The figures that NematodeBench published, from the episodes of a session. Standard library only.

Nothing here is used for scores of our own; it is here so that published ones can be checked. The
composite is computed over the episodes from convergence on, with a learning speed and a stability
that are none of the two shown beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from ludus.benchmarks.nematode.scoring import episodes_to_success
from ludus.errors import OptionError

__all__ = ["Detector", "Published", "find_convergence", "find_plateau", "score_session"]

Weighting = Literal["seed", "health", "thermal"]
Detector = Callable[[Sequence[bool]], int | None]

FEWEST = 30  # episodes for a convergence to be looked for
ROW = 10
NEAR = 0.10
VARIANCE_SCALE = 0.2
ALIVE = 0.1


@dataclass(frozen=True, slots=True)
class Published:
    """A session's figures as the reference shows them.

    Attributes:
        composite: The score.
        success_rate: Over all episodes.
        distance_efficiency: Over all episodes.
        convergence_run: The episode from which on the composite is computed, from 1, or None.
        learning_speed: As shown: 1 − (episodes to 8 successes in 10) / episodes. Not in the score.
        learning_speed_episodes: Those episodes, or None.
        stability: As shown: 1 − deviation / mean of the flags after convergence. Not in the score.
        post_success_rate: After convergence; in the score.
        post_variance: Of the flags after convergence; in the score.
        post_distance_efficiency: Of successful episodes after convergence, or None.
        post_survival: Mean health left after convergence, or None.
        post_thermal_comfort: Mean comfort after convergence, or None.
        weights: Which weights the composite has.
        composite_seed_weights: The composite with weights 40/30/20/10, whatever is known of health.
    """

    composite: float
    success_rate: float
    distance_efficiency: float
    convergence_run: int | None
    learning_speed: float
    learning_speed_episodes: int | None
    stability: float
    post_success_rate: float
    post_variance: float
    post_distance_efficiency: float | None
    post_survival: float | None
    post_thermal_comfort: float | None
    weights: Weighting
    composite_seed_weights: float


def find_convergence(successes: Sequence[bool]) -> int | None:
    """Return the first of ten successes in a row, from 1, or None: behind every published figure.

    The reference asks for ten flags of mean ≥ 0.5 and variance < 0.05; nine successes of ten have
    0.09.
    """
    row = 0
    for number, success in enumerate(successes, start=1):
        row = row + 1 if success else 0
        if row == ROW and len(successes) >= FEWEST:
            return number - ROW + 1
    return None


def find_plateau(successes: Sequence[bool]) -> int | None:
    """Return where the last level was reached, from 1, or None: the reference's later detector.

    It asks for no height: a brain that always fails has converged at once.
    """
    n = len(successes)
    if n < FEWEST:
        return None
    tail = max(n // 4, ROW)
    level = _share(successes[-tail:])
    if abs(level - _share(successes[-2 * tail : -tail])) > NEAR:
        return None
    window = max(ROW, n // 20)
    starts = range(n - window, -1, -1)
    low = next((k for k in starts if _share(successes[k : k + window]) < level - NEAR), None)
    if low is None:
        return 1
    return None if low == n - window else low + 2


def score_session(
    successes: Sequence[bool],
    efficiencies: Sequence[float],
    survival: Sequence[float] | None = None,
    comfort: Sequence[float] | None = None,
    *,
    detector: Detector = find_convergence,
) -> Published:
    """Return the figures of a session as the reference shows them.

    Args:
        successes: Whether each episode reached the target, in their order.
        efficiencies: The distance efficiency of each; more than 1 is left as it is.
        survival: The share of health left at the end of each, if health was on.
        comfort: The share of steps in comfortable warmth, if there was a temperature.
        detector: What finds the convergence.

    Raises:
        OptionError: There are no episodes, or not as many of one as of the other.
    """
    n = len(successes)
    for values in (efficiencies, survival, comfort):
        if values is not None and len(values) != n:
            raise OptionError(f"{n} episodes have {len(values)} values: there must be one each")
    if not n:
        raise OptionError("a session without episodes has no score")
    at = detector(successes)
    first = at - 1 if at else max(n - ROW, 0)
    flags = successes[first:]
    rate = _share(flags)
    good = [e for e, success in zip(efficiencies[first:], flags, strict=True) if success]
    efficiency = fmean(good) if good else None
    health = fmean(survival[first:]) if survival else None
    warmth = fmean(comfort[first:]) if comfort else None
    four = (rate, efficiency or 0.0, 1 - (at - 1) / n if at else 0.0, _calm(rate))
    reached = episodes_to_success(successes)
    return Published(
        composite=_composite(four, health, warmth),
        success_rate=_share(successes),
        distance_efficiency=fmean(efficiencies),
        convergence_run=at,
        learning_speed=1 - reached / n if reached else 0.0,
        learning_speed_episodes=reached,
        stability=_shown_stability(rate, len(flags)),
        post_success_rate=rate,
        post_variance=_variance(rate),
        post_distance_efficiency=efficiency,
        post_survival=health,
        post_thermal_comfort=warmth,
        weights="seed" if health is None else "health" if warmth is None else "thermal",
        composite_seed_weights=_composite(four, None, None),
    )


def _composite(
    four: tuple[float, float, float, float], health: float | None, warmth: float | None
) -> float:
    """Return the weighted sum that the reference takes for what it knows of a session."""
    rate, efficiency, speed, calm = four
    if health is None:
        return 0.40 * rate + 0.30 * efficiency + 0.20 * speed + 0.10 * calm
    if health < ALIVE:
        return 0.30 * rate
    end = 0.05 * speed + 0.05 * calm
    if warmth is None:
        return 0.50 * rate + 0.20 * health + 0.20 * efficiency + end
    return 0.50 * rate + 0.15 * health + 0.10 * warmth + 0.15 * efficiency + end


def _share(flags: Sequence[bool]) -> float:
    return sum(map(bool, flags)) / len(flags) if flags else 0.0


def _variance(rate: float) -> float:
    return rate * (1 - rate)


def _calm(rate: float) -> float:
    """Return the stability that goes into the composite."""
    return max(0.0, 1 - _variance(rate) / VARIANCE_SCALE)


def _shown_stability(rate: float, count: int) -> float:
    """Return the stability that is shown."""
    if count < 2:
        return 1.0
    return 0.0 if rate == 0 else min(max(1 - math.sqrt(_variance(rate)) / rate, 0.0), 1.0)
