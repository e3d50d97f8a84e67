"""Many tasks, several runs of each: what they come to, and how sure that is.

Scores are given as a mapping from task to the scores of its runs, each task with as many runs.
The aggregates, the profiles and the probability of improvement are those of Agarwal et al.,
*Deep Reinforcement Learning at the Edge of the Statistical Precipice* (2021). Intervals come
from resampling the runs of each task on its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from ludus.errors import OptionError
from ludus.stats.bootstrap import CHUNK, percentile_limits
from ludus.stats.distributions import Array
from ludus.stats.intervals import Estimate
from ludus.stats.samples import as_sample, check_choice, check_level, check_resamples

__all__ = [
    "AggregateMethod",
    "Metric",
    "Profile",
    "aggregate_scores",
    "interquartile_mean",
    "optimality_gap",
    "performance_profile",
    "probability_of_improvement",
]

RESAMPLES = 5_000

Metric = Literal["mean", "median", "iqm", "optimality-gap"]
AggregateMethod = Literal["rescaled", "percentile"]
Scores = Mapping[str, ArrayLike]


class Profile(NamedTuple):
    """The share of runs that score above each threshold.

    Attributes:
        thresholds: The thresholds τ, as they were given.
        value: The share of runs above each, every task counting the same.
        low: The lower ends of the intervals, one threshold at a time.
        high: The upper ends.
        level: The confidence of each interval.
        n: Runs per task.
    """

    thresholds: Array
    value: Array
    low: Array
    high: Array
    level: float
    n: int


def interquartile_mean(sample: ArrayLike) -> float:
    """Return the mean of the middle half of a sample: a quarter is cut off at both ends.

    Example:
        >>> interquartile_mean([0, 2, 4, 90])
        3.0
    """
    return float(_iqm(as_sample(sample)))


def optimality_gap(sample: ArrayLike, target: float = 1.0) -> float:
    """Return by how much scores fall short of the target on average; more counts as the target.

    Example:
        >>> optimality_gap([0.5, 1.0, 3.0, 0.0])
        0.375
    """
    return target - float(np.minimum(as_sample(sample), target).mean())


def aggregate_scores(
    scores: Scores,
    metric: Metric = "iqm",
    level: float = 0.95,
    method: AggregateMethod = "rescaled",
    *,
    target: float = 1.0,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return one number for all tasks and runs, with its stratified bootstrap interval.

    Args:
        scores: The scores of each task's runs.
        metric: ``"iqm"``, the mean of the middle half of all runs; ``"mean"`` and ``"median"``,
            those of the tasks' means; ``"optimality-gap"``, the mean shortfall from the target.
        level: The confidence.
        method: ``"percentile"`` is the usual interval, too narrow for few runs;
            ``"rescaled"`` widens it by √(n / (n − 1)), which n resampled runs vary too little.
        target: What the optimality gap is measured from.
        resamples: How many resamples are drawn.
        seed: What they are drawn with; one seed, one interval.

    Returns:
        The estimate; its ``n`` is the number of runs per task.

    Raises:
        OptionError: Tasks have no, unequally many or not finite scores, or an option is out
            of its range.

    Example:
        >>> aggregate_scores({"easy": [0.9, 1.0, 0.8], "hard": [0.1, 0.2, 0.0]}, "mean").value
        0.5
    """
    check_choice(metric, get_args(Metric), "metric")
    table = _canonical(_table(scores))
    value = _measure(table, metric, target)
    drawn = [_measure(part, metric, target) for part in _resample(table, resamples, seed)]
    limits = _limits(value, np.concatenate(drawn), level, method, table.shape[1])
    return _estimate(value, limits, level, method, table.shape[1])


def performance_profile(
    scores: Scores,
    thresholds: ArrayLike,
    level: float = 0.95,
    method: AggregateMethod = "rescaled",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Profile:
    """Return the share of runs above each threshold, with intervals.

    Raises:
        OptionError: As for :func:`aggregate_scores`, or there are no thresholds.

    Example:
        >>> performance_profile({"a": [0.2, 0.6], "b": [0.7, 0.9]}, [0.5, 0.8]).value.tolist()
        [0.75, 0.25]
    """
    steps = as_sample(thresholds, "list of thresholds")
    table = _canonical(_table(scores))
    value = _shares_above(table, steps)
    drawn = [_shares_above(part, steps) for part in _resample(table, resamples, seed)]
    low, high = _limits(value, np.concatenate(drawn), level, method, table.shape[1])
    return Profile(steps, value, np.maximum(low, 0), np.minimum(high, 1), level, table.shape[1])


def probability_of_improvement(
    first: Scores,
    second: Scores,
    level: float = 0.95,
    method: AggregateMethod = "rescaled",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Estimate:
    """Return how likely a run of the first beats one of the second on a task drawn at random.

    Equal scores count half. The runs of the two are resampled each on its own.

    Returns:
        The estimate; its ``n`` is the smaller number of runs per task.

    Raises:
        OptionError: As for :func:`aggregate_scores`, or the two have different tasks.

    Example:
        >>> probability_of_improvement({"a": [3, 4]}, {"a": [1, 2, 4, 5]}).value
        0.5625
    """
    if set(first) != set(second):
        odd = min(set(first) ^ set(second), key=repr)
        raise OptionError(f"only one of the two has scores of task {odd!r}; give both the same")
    tasks = sorted(first, key=repr)
    one, two = (
        _canonical_runs(_table({task: by[task] for task in tasks})) for by in (first, second)
    )
    value = _improvement(one[np.newaxis], two[np.newaxis])[0]
    pairs = zip(
        _resample(one, resamples, seed, two.shape[1]),
        _resample(two, resamples, seed + 1, one.shape[1]),
        strict=True,
    )
    drawn = np.concatenate([_improvement(a, b) for a, b in pairs])
    runs = min(one.shape[1], two.shape[1])
    limits = np.clip(_limits(value, drawn, level, method, runs), 0, 1)
    return _estimate(value, limits, level, method, runs)


def _table(scores: Scores) -> Array:
    """Return the scores as tasks × runs."""
    if not scores:
        raise OptionError("no tasks; give the scores of one at least")
    rows = {task: as_sample(runs, f"sample of task {task!r}") for task, runs in scores.items()}
    task, fewest = min(rows.items(), key=lambda item: item[1].size)
    most = max(row.size for row in rows.values())
    if fewest.size != most:
        raise OptionError(f"task {task!r} has {fewest.size} runs, another {most}; make them equal")
    return np.stack(list(rows.values()))


def _canonical(table: Array) -> Array:
    """Return the table in the one order that all reorderings of its tasks and runs share."""
    ordered = _canonical_runs(table)
    return ordered[np.lexsort(ordered.T[::-1])]


def _canonical_runs(table: Array) -> Array:
    """Return the table with every task's runs in order."""
    return np.sort(table, axis=1)


def _resample(table: Array, resamples: int, seed: int, factor: int = 1) -> Iterator[Array]:
    """Yield resamples × tasks × runs in chunks, each task's runs drawn from its own.

    Chunks are that factor smaller than memory would allow.
    """
    check_resamples(resamples)
    tasks, runs = table.shape
    generator = np.random.default_rng(seed)
    remaining = resamples
    while remaining > 0:
        rows = min(remaining, max(1, CHUNK // (table.size * factor)))
        picks = generator.integers(0, runs, (rows, tasks, runs))
        yield np.take_along_axis(table[np.newaxis], picks, axis=2)
        remaining -= rows


def _measure(tables: Array, metric: Metric, target: float) -> Array:
    """Return the metric of each … × tasks × runs table."""
    if metric == "iqm":
        return _iqm(tables.reshape(*tables.shape[:-2], -1))
    if metric == "optimality-gap":
        return np.asarray(target - np.minimum(tables, target).mean(axis=(-2, -1)))
    means = tables.mean(axis=-1)
    return np.asarray(means.mean(axis=-1) if metric == "mean" else np.median(means, axis=-1))


def _iqm(rows: Array) -> Array:
    """Return the mean of the middle half of each row."""
    size = rows.shape[-1]
    cut = size // 4
    return np.asarray(np.sort(rows, axis=-1)[..., cut : size - cut].mean(axis=-1))


def _shares_above(tables: Array, steps: Array) -> Array:
    """Return the share of each … × tasks × runs table above each step (… × steps)."""
    flat = np.sort(tables.reshape(*tables.shape[:-2], -1), axis=-1)
    rows = flat.reshape(-1, flat.shape[-1])
    counts = np.stack([np.searchsorted(row, steps, side="right") for row in rows])
    return np.asarray((1 - counts / flat.shape[-1]).reshape(*flat.shape[:-1], -1))


def _improvement(first: Array, second: Array) -> Array:
    """Return the share of wins of first's runs over second's, ties counting half."""
    signs = np.sign(first[..., :, np.newaxis] - second[..., np.newaxis, :])
    return np.asarray((1 + signs.mean(axis=(-3, -2, -1))) / 2)


def _limits(value: Array, drawn: Array, level: float, method: AggregateMethod, runs: int) -> Array:
    """Return the bootstrap limits of a value (2 × its shape)."""
    check_level(level)
    check_choice(method, get_args(AggregateMethod), "method")
    if runs == 1:
        return np.full((2, *np.shape(value)), math.nan)
    widening = math.sqrt(runs / (runs - 1)) if method == "rescaled" else 1.0
    return np.asarray(value + widening * (percentile_limits(drawn, level) - value))


def _estimate(value: Array, limits: Array, level: float, method: str, runs: int) -> Estimate:
    """Return the record of a stratified bootstrap."""
    low, high = (float(end) for end in limits)
    return Estimate(float(value), low, high, level, f"stratified-{method}", runs)
