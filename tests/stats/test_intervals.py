from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import Estimate, mean_interval, rate_interval
from ludus.stats.bootstrap import CHUNK, resample_counts
from ludus.stats.intervals import MeanMethod, RateMethod, mean_intervals

METHODS: tuple[MeanMethod, ...] = ("t", "bca", "studentised")
SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
SKEWED = (np.arange(1, 31) ** 2 / 100).tolist()
SAMPLES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)

# statsmodels 0.15.0: proportion_confint(successes, trials, 0.05, method), where Clopper and
# Pearson's is called "beta". Jeffreys' is left as it is there at 0 and at all successes, where
# ours is opened, so those two rows do not have it.
RATES: list[tuple[int, int, RateMethod, float, float]] = [
    (0, 10, "wilson", 0.0, 0.27753279986288926),
    (0, 10, "clopper-pearson", 0.0, 0.30849710781876083),
    (8, 10, "wilson", 0.49016247153664183, 0.9433178485456247),
    (8, 10, "clopper-pearson", 0.4439045376923585, 0.9747892736731666),
    (8, 10, "jeffreys", 0.4972255035600069, 0.9559405864473692),
    (37, 50, "wilson", 0.6044684273515116, 0.841284725064476),
    (37, 50, "clopper-pearson", 0.5965523212719342, 0.8536994156034455),
    (37, 50, "jeffreys", 0.607392071520054, 0.8457328386136523),
    (50, 50, "wilson", 0.9286524008666412, 1.0),
    (50, 50, "clopper-pearson", 0.9288782635358024, 1.0),
]


def test_the_t_interval_of_students_sleep_data() -> None:
    estimate = mean_interval(SLEEP, method="t")
    assert estimate.value == pytest.approx(1.58)
    assert estimate.low == pytest.approx(0.7001142, abs=1e-7)
    assert estimate.high == pytest.approx(2.4598858, abs=1e-7)
    assert estimate[3:6] == (0.95, "t", 10)


def test_the_margin_is_half_the_width() -> None:
    assert mean_interval([1, 2, 3, 4, 5], method="t").margin == pytest.approx(1.9632432, abs=1e-7)


@pytest.mark.parametrize("sample", [SLEEP, SKEWED, [0.0] * 15 + [1.0] * 5])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bca_limits_are_scipys_but_for_the_draws(sample: list[float], level: float) -> None:
    interval = scipy.stats.bootstrap(
        (sample,), np.mean, n_resamples=100_000, method="BCa", confidence_level=level, rng=1
    ).confidence_interval
    estimate = mean_interval(sample, level, method="bca", resamples=100_000)
    close = 0.04 * float(np.std(sample)) / math.sqrt(len(sample))
    # Means of zeros and ones are whole steps apart, between which a quantile may fall.
    close = max(close, 1 / len(sample) if set(sample) == {0.0, 1.0} else 0.0)
    assert estimate.low == pytest.approx(interval.low, abs=close)
    assert estimate.high == pytest.approx(interval.high, abs=close)


def test_studentised_limits_are_those_of_the_definition() -> None:
    sample = np.array(SKEWED)
    draws = np.random.default_rng(5).choice(sample, (200_000, sample.size))
    ratios = (draws.mean(axis=1) - sample.mean()) / draws.std(axis=1, ddof=1)
    high, low = sample.mean() - sample.std(ddof=1) * np.quantile(ratios, [0.025, 0.975])
    estimate = mean_interval(SKEWED, method="studentised", resamples=100_000)
    assert estimate.low == pytest.approx(low, rel=0.01)
    assert estimate.high == pytest.approx(high, rel=0.01)


def test_a_resample_of_equal_values_is_measured_by_the_samples_deviation() -> None:
    """Of 0 and 1, a quarter of the resamples are two zeros: their deviation is √½ / √2."""
    estimate = mean_interval([0, 1], method="studentised")
    assert estimate.high == pytest.approx(0.5 + math.sqrt(0.5))
    assert estimate.low == pytest.approx(0.5 - math.sqrt(0.5))


@pytest.mark.parametrize("resamples", [1, 4, 5])
def test_all_resamples_are_drawn_however_they_are_parted(resamples: int) -> None:
    size = CHUNK // 4
    rows = np.concatenate(list(resample_counts(size, resamples, seed=0)))
    assert rows.sum(axis=1).tolist() == [size] * resamples


def test_the_default_is_gaffkes_where_there_are_bounds_and_halls_where_not() -> None:
    assert mean_interval(SLEEP).method == "hall"
    assert mean_interval(SLEEP, bounds=(0, 5)).method == "gaffke"
    assert mean_interval(SLEEP, method="t", bounds=(0, 5)).method == "t"


@pytest.mark.parametrize(("size", "few"), [(1, True), (4, True), (5, False), (30, False)])
def test_fewer_than_five_observations_are_flagged(size: int, few: bool) -> None:
    assert mean_interval(list(range(size))).too_few is few


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [0.25, 0.1, 1e6 + 0.1])
def test_equal_values_have_no_spread_and_it_is_said(method: MeanMethod, value: float) -> None:
    estimate = mean_interval([value] * 12, method=method)
    assert estimate.value == pytest.approx(value)
    assert estimate.margin == pytest.approx(0, abs=1e-9)
    assert estimate.low <= estimate.value <= estimate.high
    assert estimate.remark == "all 12 equal"


@pytest.mark.parametrize("method", METHODS)
def test_one_value_tells_nothing_about_the_spread(method: MeanMethod) -> None:
    estimate = mean_interval([0.5], method=method)
    assert estimate.value == 0.5
    assert math.isnan(estimate.low)
    assert math.isnan(estimate.margin)


@pytest.mark.parametrize("method", METHODS)
def test_a_higher_level_is_a_wider_interval(method: MeanMethod) -> None:
    narrow, wide = (mean_interval(SLEEP, level, method) for level in (0.9, 0.99))
    assert narrow.low > wide.low
    assert narrow.high < wide.high


@pytest.mark.parametrize("method", METHODS)
def test_the_same_sample_has_the_same_interval(method: MeanMethod) -> None:
    assert mean_interval(SKEWED, method=method) == mean_interval(SKEWED, method=method)


def test_another_seed_moves_the_limits_a_little() -> None:
    one, other = (mean_interval(SKEWED, method="bca", seed=seed) for seed in (0, 1))
    assert one != other
    assert one.low == pytest.approx(other.low, abs=0.1 * one.margin)


def test_a_mirrored_estimate_has_its_ends_exchanged() -> None:
    assert Estimate(1, 0, 3, 0.95, "t", 4).mirrored() == (-1, -3, 0, 0.95, "t", 4, 0)


def test_columns_are_independent_of_their_neighbours() -> None:
    columns = np.random.default_rng(3).random((20, 3))
    for column, estimate in zip(columns.T, mean_intervals(columns), strict=True):
        alone = mean_interval(column)
        assert estimate.low == pytest.approx(alone.low, rel=1e-12)
        assert estimate.high == pytest.approx(alone.high, rel=1e-12)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_outside_zero_to_one_is_refused(level: float) -> None:
    with pytest.raises(OptionError, match=str(level)):
        mean_interval([1, 2], level)
    with pytest.raises(OptionError, match=str(level)):
        rate_interval(1, 2, level)


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(OptionError, match="empty"):
        mean_interval([])


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_sample_that_is_not_finite_is_refused(odd: float) -> None:
    with pytest.raises(OptionError, match=f"{odd} at index 1"):
        mean_interval([1.0, odd, 2.0])
    with pytest.raises(OptionError, match=f"{odd} at index 1"):
        mean_interval([1.0, odd, 2.0, math.nan])


def test_what_is_no_row_of_numbers_is_refused() -> None:
    with pytest.raises(OptionError, match="2 dimensions"):
        mean_interval([[1.0, 2.0]])
    with pytest.raises(OptionError, match="not a row of numbers"):
        mean_interval(["one", "two"])


def test_a_method_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(
        OptionError, match="no method 'wald'; choose one of auto, gaffke, hall, t, bca"
    ):
        mean_interval([1, 2], method="wald")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="no method 'wald'; choose one of wilson"):
        rate_interval(1, 2, method="wald")  # type: ignore[arg-type]


def test_too_few_resamples_are_refused() -> None:
    with pytest.raises(OptionError, match="99 resamples"):
        mean_interval([1, 2], resamples=99)


@pytest.mark.parametrize("method", METHODS)
@given(sample=SAMPLES)
@settings(max_examples=40, deadline=None)
def test_the_mean_lies_in_its_interval(method: MeanMethod, sample: list[float]) -> None:
    estimate = mean_interval(sample, method=method, resamples=500)
    assert estimate.low <= estimate.value <= estimate.high


@pytest.mark.parametrize("method", METHODS)
@given(sample=SAMPLES, data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_order_of_the_observations_does_not_matter(
    method: MeanMethod, sample: list[float], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(sample))
    one, other = (mean_interval(x, method=method, resamples=500) for x in (sample, shuffled))
    assert one == other


@pytest.mark.parametrize("method", METHODS)
@given(
    sample=st.lists(st.integers(-1000, 1000), min_size=2, max_size=20),
    shift=st.integers(-1000, 1000),
)
@settings(max_examples=40, deadline=None)
def test_intervals_move_with_the_sample_and_turn_with_its_sign(
    method: MeanMethod, sample: list[int], shift: int
) -> None:
    estimate = mean_interval(sample, method=method, resamples=500)
    moved = mean_interval([shift + value for value in sample], method=method, resamples=500)
    turned = mean_interval([-value for value in sample], method=method, resamples=500)
    assert moved[:3] == pytest.approx([shift + end for end in estimate[:3]], abs=1e-6)
    assert turned[:3] == pytest.approx(estimate.mirrored()[:3], abs=1e-6)


@pytest.mark.parametrize(("successes", "trials", "method", "low", "high"), RATES)
def test_rates_are_those_of_statsmodels(
    successes: int, trials: int, method: RateMethod, low: float, high: float
) -> None:
    estimate = rate_interval(successes, trials, method=method)
    assert estimate.value == successes / trials
    assert estimate.low == pytest.approx(low, abs=1e-12)
    assert estimate.high == pytest.approx(high, abs=1e-12)
    assert estimate[3:6] == (0.95, method, trials)


@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
@given(trials=st.integers(1, 300), share=st.floats(0, 1), level=st.floats(0.5, 0.999))
@settings(max_examples=50, deadline=None)
def test_rates_are_those_of_scipy(
    method: RateMethod, theirs: str, trials: int, share: float, level: float
) -> None:
    successes = round(share * trials)
    expected = scipy.stats.binomtest(successes, trials).proportion_ci(level, theirs)
    estimate = rate_interval(successes, trials, level, method)
    assert estimate.low == pytest.approx(expected.low, abs=1e-10)
    assert estimate.high == pytest.approx(expected.high, abs=1e-10)


def test_jeffreys_is_open_where_nothing_or_all_succeeded() -> None:
    assert rate_interval(0, 10, method="jeffreys").low == 0
    assert rate_interval(10, 10, method="jeffreys").high == 1


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 3), (4, 3)])
def test_rates_that_cannot_be_are_refused(successes: int, trials: int) -> None:
    with pytest.raises(OptionError, match=f"{successes} successes in {trials} trials"):
        rate_interval(successes, trials)
