from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import mean_interval, student_quantile

# Two-sided 95 % and 99 % points, as printed in every table of the distribution.
TABLE = [
    (0.975, 1, 12.7062047362),
    (0.975, 2, 4.3026527297),
    (0.975, 3, 3.1824463053),
    (0.975, 4, 2.7764451052),
    (0.975, 9, 2.2621571628),
    (0.975, 10, 2.2281388520),
    (0.975, 30, 2.0422724563),
    (0.975, 100, 1.9839715185),
    (0.995, 1, 63.6567411629),
    (0.995, 9, 3.2498355416),
    (0.95, 5, 2.0150483733),
]


@pytest.mark.parametrize(("probability", "freedom", "expected"), TABLE)
def test_quantiles_are_those_of_the_tables(
    probability: float, freedom: int, expected: float
) -> None:
    assert student_quantile(probability, freedom) == pytest.approx(expected, abs=1e-9)


def test_the_median_is_zero_and_the_tails_mirror_each_other() -> None:
    assert student_quantile(0.5, 7) == pytest.approx(0, abs=1e-12)
    assert student_quantile(0.025, 7) == -student_quantile(0.975, 7)


def test_many_degrees_of_freedom_approach_the_normal_distribution() -> None:
    assert student_quantile(0.975, 20_000) == pytest.approx(1.959964, abs=2e-4)


@pytest.mark.parametrize(("probability", "freedom"), [(0, 3), (1, 3), (0.9, 0), (-0.1, 2)])
def test_a_quantile_that_does_not_exist_is_refused(probability: float, freedom: int) -> None:
    with pytest.raises(OptionError, match="no t quantile"):
        student_quantile(probability, freedom)


def test_the_interval_of_students_sleep_data() -> None:
    hours_gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    estimate = mean_interval(hours_gained)
    assert estimate.value == pytest.approx(1.58)
    assert estimate.low == pytest.approx(0.7001142, abs=1e-7)
    assert estimate.high == pytest.approx(2.4598858, abs=1e-7)
    assert estimate.n == 10
    assert estimate.level == 0.95


def test_the_margin_is_half_the_width() -> None:
    assert mean_interval([1, 2, 3, 4, 5]).margin == pytest.approx(1.9632432, abs=1e-7)


def test_equal_values_leave_no_doubt() -> None:
    assert mean_interval([0.25] * 4)[:3] == (0.25, 0.25, 0.25)


def test_one_value_tells_nothing_about_the_spread() -> None:
    estimate = mean_interval([0.5])
    assert estimate.value == 0.5
    assert math.isnan(estimate.low)
    assert math.isnan(estimate.margin)


def test_a_higher_level_is_a_wider_interval() -> None:
    sample = [0.1, 0.5, 0.9, 0.3]
    assert mean_interval(sample, 0.99).margin > mean_interval(sample, 0.95).margin


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_outside_zero_to_one_is_refused(level: float) -> None:
    with pytest.raises(OptionError, match=str(level)):
        mean_interval([1, 2], level)


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(OptionError, match="empty"):
        mean_interval([])


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_the_mean_lies_in_its_interval(sample: list[float]) -> None:
    estimate = mean_interval(sample)
    assert estimate.low <= estimate.value <= estimate.high
