"""How many episodes are enough, and what so many episodes can show: before the run."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from ludus.errors import OptionError
from ludus.stats.distributions import Array, normal_quantile, student_power
from ludus.stats.pairing import Unit, paired_differences
from ludus.stats.samples import as_sample, check_level

__all__ = ["episodes_from_pilot", "episodes_needed", "power_of", "smallest_difference"]

Key = TypeVar("Key", bound=Hashable)
MOST = 10_000_000


def power_of(
    episodes: int, effect: float, sd: float, level: float = 0.95, *, paired: bool = True
) -> float:
    """Return how likely a t test finds a true difference with so many episodes per agent.

    Args:
        episodes: Episodes each of the two agents plays.
        effect: The true difference of their means.
        sd: The standard deviation: of the differences if paired, else of one agent's scores.
        level: The confidence, one minus the chance of a false find.
        paired: Whether both agents play the same episodes.

    Raises:
        OptionError: An option is out of its range.

    Example:
        >>> round(power_of(34, effect=0.5, sd=1.0), 2)
        0.81
    """
    check_level(level)
    _check_spread(sd)
    if episodes < 2:
        raise OptionError(f"{episodes} episodes have no spread; plan 2 at least")
    if not math.isfinite(effect):
        raise OptionError(f"effect {effect} is not a finite number")
    freedom = episodes - 1 if paired else 2 * episodes - 2
    return student_power(_shift(episodes, abs(effect), sd, paired), freedom, level)


def episodes_needed(
    effect: float, sd: float, power: float = 0.8, level: float = 0.95, *, paired: bool = True
) -> int:
    """Return the fewest episodes per agent that find a true difference with that power.

    Args:
        effect: The difference to be found.
        sd: The standard deviation: of the differences if paired, else of one agent's scores.
        power: The chance to find it.
        level: The confidence, one minus the chance of a false find.
        paired: Whether both agents play the same episodes.

    Raises:
        OptionError: The effect is zero or an option is out of its range.

    Example:
        >>> episodes_needed(effect=0.5, sd=1.0)
        34
        >>> episodes_needed(effect=0.5, sd=1.0, paired=False)
        64
    """
    _check_plan(power, level)
    _check_spread(sd)
    if not (math.isfinite(effect) and effect):
        raise OptionError(f"effect {effect} cannot be found; name the difference that matters")
    guess = (_normal_distance(power, level) * sd / abs(effect)) ** 2 * (1 if paired else 2)
    if guess > MOST:
        raise OptionError(f"effect {effect} takes more than {MOST:,} episodes to be found")

    def enough(episodes: int) -> bool:
        return power_of(episodes, effect, sd, level, paired=paired) >= power

    return _first_that(enough, max(2, math.ceil(guess)))


def episodes_from_pilot(
    first: Mapping[Key, float],
    second: Mapping[Key, float],
    effect: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    *,
    paired: bool = True,
    unit: Unit = "episode",
) -> int:
    """Return the fewest episodes per agent for that power, going by a pilot's spread.

    Args:
        first: One agent's scores in the pilot, by key.
        second: The other's; by the same keys if paired.
        effect: The difference to be found; by default the one the pilot shows, which a small
            pilot tends to overrate if it was chosen for being large.
        power: The chance to find it.
        level: The confidence, one minus the chance of a false find.
        paired: Whether both agents will play the same episodes, as in the pilot.
        unit: ``"level"`` counts levels instead, their episodes averaged as in the pilot.

    Raises:
        OptionError: The pilot has fewer than two pairs, no spread or no difference, or its
            keys differ.

    Example:
        >>> episodes_from_pilot({1: 0.9, 2: 0.5, 3: 0.8}, {1: 0.6, 2: 0.4, 3: 0.3})
        6
    """
    if paired:
        differences = paired_differences(first, second, unit)
        spread, observed = _deviation(differences), float(differences.mean())
    else:
        one, two = (as_sample(list(scores.values()), "pilot") for scores in (first, second))
        spread = math.hypot(_deviation(one), _deviation(two)) / math.sqrt(2)
        observed = float(one.mean() - two.mean())
    return episodes_needed(
        observed if effect is None else effect, spread, power, level, paired=paired
    )


def smallest_difference(
    episodes: int, sd: float, power: float = 0.8, level: float = 0.95, *, paired: bool = True
) -> float:
    """Return the smallest true difference that so many episodes per agent find with that power.

    Args:
        episodes: Episodes each of the two agents plays.
        sd: The standard deviation: of the differences if paired, else of one agent's scores.
        power: The chance to find it.
        level: The confidence, one minus the chance of a false find.
        paired: Whether both agents play the same episodes.

    Raises:
        OptionError: An option is out of its range.

    Example:
        >>> round(smallest_difference(100, sd=1.0), 3)
        0.283
    """
    _check_plan(power, level)
    low, high = 0.0, sd
    while power_of(episodes, high, sd, level, paired=paired) < power:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if power_of(episodes, middle, sd, level, paired=paired) < power:
            low = middle
        else:
            high = middle
    return high


def _shift(episodes: int, effect: float, sd: float, paired: bool) -> float:
    """Return how many standard errors the effect is."""
    return effect / sd * math.sqrt(episodes if paired else episodes / 2)


def _normal_distance(power: float, level: float) -> float:
    """Return the standard errors an effect must be, were the deviation known."""
    return normal_quantile((1 + level) / 2) + normal_quantile(power)


def _first_that(enough: Callable[[int], bool], guess: int) -> int:
    """Return the first number that is enough, from a guess that is a little low."""
    step = 1
    high = guess
    while not enough(high):
        high, step = high + step, 2 * step
    low = max(1, guess - 1)
    while low > 1 and enough(low):
        low //= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _deviation(sample: Array) -> float:
    """Return a pilot's standard deviation."""
    if sample.size < 2:
        raise OptionError("a pilot of one episode has no spread; play 2 at least")
    return float(sample.std(ddof=1))


def _check_spread(sd: float) -> None:
    """Refuse a deviation that is no positive number."""
    if not (sd > 0 and math.isfinite(sd)):
        raise OptionError(f"standard deviation {sd} is not above 0; play a pilot that varies")


def _check_plan(power: float, level: float) -> None:
    """Refuse a power that is no chance, or below that of a false find."""
    check_level(level)
    if not 1 - level < power < 1:
        raise OptionError(f"power {power} is not between {1 - level:.3g} and 1")
