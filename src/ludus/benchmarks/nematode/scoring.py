"""The composite score of a brain, from the trainings it went through. Standard library only.

Four parts, each in [0, 1]: success rate, distance efficiency, learning speed, stability. The parts
that are shown are the parts that are summed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev, stdev

from ludus.errors import OptionError

__all__ = [
    "BANDS",
    "FINAL_EPISODES",
    "FULL_TRAININGS",
    "MAX_EPISODES",
    "MIN_TRAININGS",
    "WEIGHTS",
    "Composite",
    "Training",
    "assess",
    "band",
    "count_trainings",
    "distance_efficiency",
    "episodes_to_success",
    "final_success",
    "format_margin",
    "learning_speed",
    "margin",
    "score_trainings",
    "stability",
    "success_rate",
    "weighted",
]

WEIGHTS = {
    "success_rate": 0.40,
    "distance_efficiency": 0.30,
    "learning_speed": 0.20,
    "stability": 0.10,
}
BANDS = ((0.90, "Exceptional"), (0.80, "Excellent"), (0.70, "Good"), (0.60, "Acceptable"))
"""What a score is called, from these values on, the next value not included."""
LOWEST = "Below threshold"

MIN_TRAININGS = 50
"""So many independent trainings make a valid entry."""
FULL_TRAININGS = 100
"""So many are recommended."""
MAX_EPISODES = 500
"""What learning speed is measured against."""
FINAL_EPISODES = 100
"""The end of a training, whose success rate stability compares."""

WINDOW = 10
ENOUGH = 8  # successes in a window: 80 %
Z = 1.96
SHOWN = 0.00005  # the least that four digits show
DIGITS = 12  # sums of weighted parts are no surer


@dataclass(frozen=True, slots=True)
class Training:
    """What one training comes to.

    Attributes:
        success_rate: The share of all its episodes that reached the target.
        distance_efficiency: The mean over all its episodes, each at most 1; without food it is 0.
        learning_speed: How early it succeeded in 8 of 10 episodes, see :func:`learning_speed`.
        episodes_to_success: After how many episodes that was, or None.
        final_success: The success rate of its last 100 episodes.
        episodes: How many it had.
    """

    success_rate: float
    distance_efficiency: float
    learning_speed: float
    episodes_to_success: int | None
    final_success: float
    episodes: int

    @property
    def parts(self) -> dict[str, float]:
        """What the training brings to a score; stability belongs to all trainings together."""
        return {
            name: WEIGHTS[name] * getattr(self, name) for name in WEIGHTS if name != "stability"
        }


@dataclass(frozen=True, slots=True)
class Composite:
    """The score of a brain on a task.

    Attributes:
        values: The four values, each in [0, 1], by name.
        parts: The values times their weights; they add up to the total.
        total: The score.
        margin: 1.96 standard errors of it over trainings; None for a single one.
        trainings: How many stand behind it.
    """

    values: Mapping[str, float]
    parts: Mapping[str, float]
    total: float
    margin: float | None
    trainings: int

    @property
    def band(self) -> str:
        """What the score is called."""
        return band(self.total)

    @property
    def valid(self) -> bool:
        """Whether there are enough trainings for an entry."""
        return self.trainings >= MIN_TRAININGS


# ---- one training


def success_rate(successes: Sequence[bool]) -> float:
    """Return the share of episodes that reached the target; 0 for none at all.

    Example:
        >>> success_rate([True, False, True, True])
        0.75
    """
    return sum(map(bool, successes)) / len(successes) if successes else 0.0


def distance_efficiency(values: Sequence[float]) -> float:
    """Return the mean efficiency of episodes, each taken for 1 at most.

    Example:
        >>> distance_efficiency([0.5, 0.0, 1.2])
        0.5
    """
    return fmean(map(_clamped, values)) if values else 0.0


def episodes_to_success(successes: Sequence[bool]) -> int | None:
    """Return after how many episodes the last ten first held eight successes, or None.

    Example:
        >>> episodes_to_success([False] * 3 + [True] * 20)
        11
    """
    recent = 0
    for number, success in enumerate(successes, start=1):
        recent += bool(success)
        if number > WINDOW:
            recent -= bool(successes[number - 1 - WINDOW])
        if number >= WINDOW and recent >= ENOUGH:
            return number
    return None


def learning_speed(successes: Sequence[bool], max_episodes: int = MAX_EPISODES) -> float:
    """Return 1 − (episodes to 80 % success) / (most episodes); 0 if that is never reached.

    Args:
        successes: The episodes of a training, in their order.
        max_episodes: What the speed is measured against.

    Raises:
        OptionError: ``max_episodes`` is below 1.

    Example:
        >>> learning_speed([False] * 67 + [True] * 100)
        0.85
    """
    if max_episodes < 1:
        raise OptionError(f"{max_episodes} episodes are too few to learn in: try {MAX_EPISODES}")
    reached = episodes_to_success(successes)
    return 0.0 if reached is None else _clamped(1 - reached / max_episodes)


def final_success(successes: Sequence[bool], last: int = FINAL_EPISODES) -> float:
    """Return the success rate of the last episodes, of all if there are fewer."""
    return success_rate(successes[-last:])


def assess(
    successes: Sequence[bool],
    efficiencies: Sequence[float],
    *,
    max_episodes: int = MAX_EPISODES,
    final_episodes: int = FINAL_EPISODES,
) -> Training:
    """Return what a training comes to.

    Args:
        successes: Whether each episode reached the target, in their order.
        efficiencies: The distance efficiency of each episode.
        max_episodes: What the learning speed is measured against.
        final_episodes: How many episodes are the end of a training.

    Raises:
        OptionError: There are no episodes, or not as many of one as of the other.
    """
    if not successes or len(successes) != len(efficiencies):
        raise OptionError(
            f"{len(successes)} episodes with {len(efficiencies)} efficiencies are no training"
        )
    return Training(
        success_rate=success_rate(successes),
        distance_efficiency=distance_efficiency(efficiencies),
        learning_speed=learning_speed(successes, max_episodes),
        episodes_to_success=episodes_to_success(successes),
        final_success=final_success(successes, final_episodes),
        episodes=len(successes),
    )


# ---- all trainings


def stability(rates: Sequence[float]) -> float:
    """Return 1 − standard deviation / mean of the final success rates of trainings, in [0, 1].

    The deviation is that of the population. It is 0 where the mean is 0, and for a single training,
    which shows no consistency.

    Example:
        >>> stability([0.9, 0.9, 0.9])
        1.0
        >>> stability([0.0, 0.0])
        0.0
    """
    mean = fmean(rates) if rates else 0.0
    if len(rates) < 2 or mean <= 0:
        return 0.0
    return _clamped(1 - pstdev(rates) / mean)


def weighted(values: Mapping[str, float]) -> dict[str, float]:
    """Return the parts of a score: each value times its weight.

    Raises:
        OptionError: A value is missing or outside [0, 1].

    Example:
        >>> parts = weighted({"success_rate": 0.92, "distance_efficiency": 0.78,
        ...                   "learning_speed": 0.85, "stability": 0.95})
        >>> round(sum(parts.values()), 3)
        0.867
    """
    for name in WEIGHTS:
        value = values.get(name)
        if value is None or not 0 <= value <= 1:
            raise OptionError(f"{name} is {value}, which is not between 0 and 1")
    return {name: weight * values[name] for name, weight in WEIGHTS.items()}


def margin(values: Sequence[float]) -> float | None:
    """Return 1.96 standard errors of a mean, with the sample's deviation; None for one value.

    Example:
        >>> round(margin([0.8, 0.9, 1.0]), 6)
        0.113161
    """
    return None if len(values) < 2 else Z * stdev(values) / math.sqrt(len(values))


def format_margin(margin: float | None) -> str:
    """Return a margin as it stands behind its score; none is shown as 0.

    Example:
        >>> format_margin(0.00149), format_margin(0.00002), format_margin(0.0), format_margin(None)
        (' ± 0.0015', ' ± 2e-05', ' (all trainings equal)', '')
    """
    if margin is None:
        return ""
    if margin == 0:
        return " (all trainings equal)"
    return f" ± {margin:.4f}" if margin >= SHOWN else f" ± {margin:.0g}"


def score_trainings(trainings: Iterable[Training]) -> Composite:
    """Return the composite score of a brain's trainings.

    Raises:
        OptionError: There are none.
    """
    measured = list(trainings)
    if not measured:
        raise OptionError("no training was given, so there is no score")
    values = {
        name: fmean(getattr(training, name) for training in measured)
        for name in WEIGHTS
        if name != "stability"
    }
    values["stability"] = stability([training.final_success for training in measured])
    parts = weighted({name: _clamped(value) for name, value in values.items()})
    return Composite(
        values=values,
        parts=parts,
        total=math.fsum(parts.values()),
        margin=margin([math.fsum(training.parts.values()) for training in measured]),
        trainings=len(measured),
    )


def band(score: float) -> str:
    """Return what a score is called.

    Example:
        >>> band(0.895), band(0.9), band(0.1)
        ('Excellent', 'Exceptional', 'Below threshold')
    """
    value = round(score, DIGITS)
    return next((name for lowest, name in BANDS if value >= lowest), LOWEST)


def count_trainings(number: int) -> str:
    """Return a number of trainings in words.

    Example:
        >>> count_trainings(1), count_trainings(50)
        ('1 training', '50 trainings')
    """
    return f"{number} training{'s' * (number != 1)}"


def _clamped(value: float) -> float:
    return min(max(float(value), 0.0), 1.0)
