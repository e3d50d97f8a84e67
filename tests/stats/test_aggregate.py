from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import (
    aggregate_scores,
    interquartile_mean,
    optimality_gap,
    performance_profile,
    probability_of_improvement,
)
from ludus.stats.aggregate import Metric

TASKS, RUNS = 6, 8
Scores = dict[str, list[float]]


def table(shift: int) -> Scores:
    """Return scores that look arbitrary and are not."""
    return {
        f"task {t}": [
            round(((7 * t + 5 * r + 3 * t * r + shift) % 23) / 20, 2) for r in range(RUNS)
        ]
        for t in range(TASKS)
    }


A, B = table(0), table(4)

# rliable 1.2.0 (with arch 7.2.0 and pandas 2.3.3) on the runs × tasks of A and B:
# get_interval_estimates with aggregate_mean, _median, _iqm and _optimality_gap, 50,000 resamples.
RLIABLE: list[tuple[str, Metric, float, float, float]] = [
    ("A", "mean", 0.5229166666666667, 0.4302083333333333, 0.615625),
    ("A", "median", 0.4875, 0.40625, 0.63125),
    ("A", "iqm", 0.5229166666666667, 0.3958333333333333, 0.6416666666666666),
    ("A", "optimality-gap", 0.4854166666666666, 0.396875, 0.575),
    ("B", "mean", 0.5552083333333333, 0.46770833333333334, 0.6427083333333333),
    ("B", "median", 0.54375, 0.44999999999999996, 0.65625),
    ("B", "iqm", 0.55625, 0.42291666666666666, 0.6854166666666668),
    ("B", "optimality-gap", 0.44791666666666663, 0.3614583333333333, 0.534375),
]
# The same for create_performance_profile of A, 20,000 resamples: threshold, share, limits.
PROFILE = np.array(
    [
        [0.0, 0.9166666666666666, 0.8333333333333334, 0.9791666666666666],
        [0.25, 0.7083333333333334, 0.5833333333333334, 0.8333333333333334],
        [0.5, 0.5, 0.3541666666666667, 0.6458333333333334],
        [0.75, 0.25, 0.14583333333333334, 0.375],
        [1.0, 0.10416666666666667, 0.020833333333333332, 0.1875],
        [1.1, 0.0, 0.0, 0.0],
    ]
)


@pytest.mark.parametrize(("agent", "metric", "value", "low", "high"), RLIABLE)
def test_aggregates_are_those_of_rliable(
    agent: str, metric: Metric, value: float, low: float, high: float
) -> None:
    scores = A if agent == "A" else B
    estimate = aggregate_scores(scores, metric, method="percentile", resamples=20_000)
    assert estimate.value == pytest.approx(value, abs=1e-12)
    assert estimate.low == pytest.approx(low, abs=0.006)
    assert estimate.high == pytest.approx(high, abs=0.006)
    assert estimate[3:6] == (0.95, "stratified-percentile", RUNS)


def test_profiles_are_those_of_rliable() -> None:
    thresholds, value, low, high = PROFILE.T
    profile = performance_profile(A, thresholds, method="percentile")
    np.testing.assert_allclose(profile.value, value, atol=1e-12)
    np.testing.assert_allclose(profile.low, low, atol=0.022)
    np.testing.assert_allclose(profile.high, high, atol=0.022)
    assert (profile.level, profile.n) == (0.95, RUNS)


def test_the_probability_of_improvement_is_that_of_rliable() -> None:
    # metrics.probability_of_improvement in get_interval_estimates with 5,000 resamples.
    estimate = probability_of_improvement(A, B, method="percentile")
    assert estimate.value == pytest.approx(0.46875, abs=1e-12)
    assert estimate.low == pytest.approx(0.3515625, abs=0.01)
    assert estimate.high == pytest.approx(0.58727214, abs=0.01)


def test_the_probability_of_improvement_is_mann_and_whitneys_statistic() -> None:
    one, two = A["task 1"], B["task 2"]
    u = scipy.stats.mannwhitneyu(one, two).statistic
    found = probability_of_improvement({"x": one}, {"x": two}).value
    assert found == pytest.approx(u / RUNS**2)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=40))
def test_the_iqm_is_scipys_trimmed_mean(sample: list[float]) -> None:
    expected = scipy.stats.trim_mean(sample, 0.25)
    assert interquartile_mean(sample) == pytest.approx(expected, abs=1e-9)


def test_the_optimality_gap_does_not_reward_more_than_the_target() -> None:
    assert optimality_gap([1.0, 9.0]) == 0
    assert optimality_gap([10.0, 30.0], target=20.0) == 5
    assert aggregate_scores(A, "optimality-gap", target=2.0).value == pytest.approx(
        2 - aggregate_scores(A, "mean").value
    )


def test_rescaling_widens_by_the_runs() -> None:
    narrow = aggregate_scores(A, method="percentile")
    wide = aggregate_scores(A, method="rescaled")
    assert wide.margin / narrow.margin == pytest.approx(math.sqrt(RUNS / (RUNS - 1)))
    assert wide.method == "stratified-rescaled"


def test_one_run_of_each_task_tells_nothing_about_the_spread() -> None:
    estimate = aggregate_scores({"a": [0.5], "b": [0.7]}, "mean")
    assert estimate.value == pytest.approx(0.6)
    assert math.isnan(estimate.low)
    assert estimate.too_few


def test_equal_runs_leave_no_doubt() -> None:
    estimate = aggregate_scores({"a": [0.5] * 6, "b": [1.5] * 6})
    assert estimate[:3] == (1.0, 1.0, 1.0)


def test_shares_stay_between_none_and_all() -> None:
    profile = performance_profile({"a": [0.1, 0.2, 0.9], "b": [0.1, 0.3, 0.8]}, [0.0, 0.5, 1.0])
    assert profile.low.min() >= 0
    assert profile.high.max() <= 1
    estimate = probability_of_improvement({"a": [1, 2, 9]}, {"a": [0, 1, 1]})
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_swapping_the_two_mirrors_the_probability_of_improvement() -> None:
    forth, back = probability_of_improvement(A, B), probability_of_improvement(B, A)
    assert forth.value == pytest.approx(1 - back.value)
    assert forth.low == pytest.approx(1 - back.high, abs=0.02)


@given(st.permutations(range(TASKS)), st.permutations(range(RUNS)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_tasks_and_runs_does_not_matter(tasks: list[int], runs: list[int]) -> None:
    names, rows = list(A), list(A.values())
    shuffled = {names[t]: [rows[t][r] for r in runs] for t in tasks}
    assert aggregate_scores(shuffled, resamples=200) == aggregate_scores(A, resamples=200)
    assert probability_of_improvement(shuffled, B, resamples=200) == probability_of_improvement(
        A, B, resamples=200
    )


@pytest.mark.parametrize("run", range(RUNS))
def test_the_order_of_tasks_that_differ_in_one_run_does_not_matter(run: int) -> None:
    runs = sorted(next(iter(A.values())))
    scores = {"one": runs, "other": [*runs[:run], runs[run] + 0.017, *runs[run + 1 :]]}
    turned = dict(reversed(scores.items()))
    assert aggregate_scores(turned, "mean") == aggregate_scores(scores, "mean")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "no tasks"),
        ({"a": []}, "sample of task 'a' is empty"),
        ({"a": [1.0, math.nan]}, "sample of task 'a' holds nan at index 1"),
        ({"a": [1.0, 2.0], "b": [1.0]}, "task 'b' has 1 runs, another 2"),
    ],
)
def test_scores_that_are_not_whole_are_refused(scores: Scores, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        aggregate_scores(scores)
    with pytest.raises(OptionError, match=message):
        performance_profile(scores, [0.5])
    with pytest.raises(OptionError, match=message):
        probability_of_improvement(scores, scores)


def test_different_tasks_are_refused() -> None:
    with pytest.raises(OptionError, match="only one of the two has scores of task 'b'"):
        probability_of_improvement({"a": [1.0]}, {"a": [1.0], "b": [2.0]})


def test_options_out_of_their_range_are_refused() -> None:
    with pytest.raises(OptionError, match="no metric 'max'; choose one of mean, median"):
        aggregate_scores(A, "max")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no method 'bca'; choose one of rescaled"):
        aggregate_scores(A, method="bca")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="confidence level 2"):
        aggregate_scores(A, level=2)
    with pytest.raises(OptionError, match="50 resamples"):
        aggregate_scores(A, resamples=50)
    with pytest.raises(OptionError, match="list of thresholds is empty"):
        performance_profile(A, [])
