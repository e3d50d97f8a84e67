"""Intervals of means within bounds hold whatever the scores are."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]

from ludus.errors import OptionError
from ludus.stats import best_interval, mean_interval, rate_interval
from ludus.stats.bounded import STEPS, bounded_limits
from ludus.stats.distributions import Array
from ludus.stats.intervals import mean_intervals

UNIT = (0.0, 1.0)
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]


@pytest.mark.parametrize("trials", [1, 2, 5, 10, 50, 400])
def test_for_rates_it_is_clopper_and_pearsons(trials: int) -> None:
    for successes in {0, 1, trials // 2, trials - 1, trials}:
        sample = [1.0] * successes + [0.0] * (trials - successes)
        found, exact = mean_interval(sample, bounds=UNIT), rate_interval(successes, trials)
        assert found.low == pytest.approx(exact.low, abs=0.0025)
        assert found.high == pytest.approx(exact.high, abs=0.0025)


@pytest.mark.parametrize("size", [3, 10, 50])
def test_it_is_the_quantile_of_randomly_weighted_means(size: int) -> None:
    generator = np.random.default_rng(size)
    sample = generator.beta(2, 3, size)
    weights = generator.dirichlet(np.ones(size + 1), 200_000)
    low, high = bounded_limits(sample[:, np.newaxis], 0.95, UNIT)[:, 0]
    assert low == pytest.approx(np.quantile(weights @ [0, *sample], 0.025), abs=0.003)
    assert high == pytest.approx(np.quantile(weights @ [*sample, 1], 0.975), abs=0.003)


CASES: dict[str, tuple[Draw, float]] = {
    "rate 0.1": (lambda g, shape: np.where(g.random(shape) < 0.1, 1.0, 0.0), 0.1),
    "rate 0.02": (lambda g, shape: np.where(g.random(shape) < 0.02, 1.0, 0.0), 0.02),
    "bimodal": (lambda g, shape: np.where(g.random(shape) < 0.05, 0.8, 0.2), 0.23),
    "skewed": (lambda g, shape: g.beta(0.2, 2, shape), 0.2 / 2.2),
    "uniform": (lambda g, shape: g.random(shape), 0.5),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [10, 20, 50])
def test_it_covers_the_mean_at_the_sizes_of_benchmarks(name: str, size: int) -> None:
    draw, mean = CASES[name]
    columns = draw(np.random.default_rng(size), (size, 2_000))
    found = mean_intervals(columns, bounds=UNIT)
    assert np.mean([one.low <= mean <= one.high for one in found]) >= 0.95


def test_ten_equal_scores_leave_room_for_what_was_not_seen() -> None:
    estimate = mean_interval([1000.0] * 10, bounds=(0, 1000))
    assert estimate.low == pytest.approx(690, abs=2)
    assert estimate.high == 1000
    assert estimate.remark == ""


def test_bounds_only_set_the_scale_and_mirrors_mirror() -> None:
    sample = np.random.default_rng(5).random(12)
    unit = mean_interval(sample, bounds=UNIT)
    wide = mean_interval(10 * sample - 4, bounds=(-4, 6))
    turned = mean_interval(-sample, bounds=(-1, 0))
    assert wide[:3] == pytest.approx([10 * end - 4 for end in unit[:3]])
    assert turned[:3] == pytest.approx(unit.mirrored()[:3])


def test_very_many_scores_are_counted_in_steps_to_the_safe_side() -> None:
    sample = np.random.default_rng(6).random((STEPS, 1))
    exact = bounded_limits(sample, 0.95, UNIT)[:, 0]
    double = bounded_limits(np.vstack([sample, sample]), 0.95, UNIT)[:, 0]
    assert exact[0] < double[0] < sample.mean() < double[1] < exact[1]
    assert double[1] - double[0] == pytest.approx((exact[1] - exact[0]) / 2**0.5, rel=0.1)


def test_samples_beyond_their_bounds_are_refused() -> None:
    with pytest.raises(OptionError, match=r"holds 2\.0, beyond the bounds 0 and 1"):
        mean_interval([0.5, 2.0], bounds=(0, 1))
    with pytest.raises(OptionError, match="'gaffke' needs bounds"):
        mean_interval([0.5, 2.0], method="gaffke")
    with pytest.raises(OptionError, match="enclose nothing"):
        mean_interval([0.5], bounds=(1, 0))


# ---- the best of n


@pytest.mark.parametrize("size", [3, 10, 50])
def test_the_best_of_n_is_usually_as_good_as_its_lower_limit(size: int) -> None:
    generator = np.random.default_rng(size)
    median = scipy.stats.lognorm.ppf(0.5 ** (1 / size), 1)
    samples = generator.lognormal(size=(2_000, size))
    lows = [best_interval(sample).low for sample in samples]
    assert np.mean(np.array(lows) <= median) >= 0.95


def test_two_episodes_set_no_limit_to_the_best() -> None:
    for bounds in (None, (0.0, 9.0)):
        few = best_interval([1.0, 2.0], bounds=bounds)
        assert few.value == 2.0
        assert math.isnan(few.low)
        assert math.isnan(few.high)
        assert few.remark == "needs 3 episodes"
        assert best_interval([1.0], bounds=bounds).remark == "one episode"
