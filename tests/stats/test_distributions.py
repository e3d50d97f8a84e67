from __future__ import annotations

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import student_quantile
from ludus.stats.distributions import (
    beta_cdf,
    beta_quantile,
    gauss_legendre,
    normal_cdf,
    normal_quantile,
    student_cdf,
    student_power,
)

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
SHAPES = st.floats(0.05, 5_000)


@pytest.mark.parametrize(("probability", "freedom", "expected"), TABLE)
def test_quantiles_are_those_of_the_tables(
    probability: float, freedom: int, expected: float
) -> None:
    assert student_quantile(probability, freedom) == pytest.approx(expected, abs=1e-9)


def test_the_median_is_zero_and_the_tails_mirror_each_other() -> None:
    assert student_quantile(0.5, 7) == pytest.approx(0, abs=1e-12)
    assert student_quantile(0.025, 7) == pytest.approx(-student_quantile(0.975, 7), rel=1e-14)


def test_many_degrees_of_freedom_approach_the_normal_distribution() -> None:
    assert student_quantile(0.975, 20_000) == pytest.approx(1.959964, abs=2e-4)
    assert student_quantile(0.975, 1e9) == pytest.approx(1.959964, abs=1e-6)


@pytest.mark.parametrize(("probability", "freedom"), [(0, 3), (1, 3), (0.9, 0), (-0.1, 2)])
def test_a_quantile_that_does_not_exist_is_refused(probability: float, freedom: int) -> None:
    with pytest.raises(OptionError, match="no t quantile"):
        student_quantile(probability, freedom)


@given(st.floats(0, 1), SHAPES, SHAPES)
def test_the_beta_distribution_is_scipys(x: float, a: float, b: float) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(scipy.stats.beta.cdf(x, a, b), abs=1e-10)


@given(st.floats(0.001, 0.999), st.floats(0.5, 500), st.floats(0.5, 500))
def test_beta_quantiles_are_scipys(probability: float, a: float, b: float) -> None:
    expected = scipy.stats.beta.ppf(probability, a, b)
    assert beta_quantile(probability, a, b) == pytest.approx(expected, abs=1e-10)


@given(st.floats(-50, 50), st.floats(0.5, 10_000))
def test_students_distribution_is_scipys(t: float, freedom: float) -> None:
    expected = scipy.stats.t.cdf(t, freedom)
    if abs(t) < 1e-4:  # where scipy loses t² beside the degrees of freedom
        expected = 0.5 + t * scipy.stats.t.pdf(0, freedom)
    assert student_cdf(t, freedom) == pytest.approx(expected, abs=1e-10)


@given(st.floats(0.0001, 0.9999), st.floats(1, 1_000))
def test_student_quantiles_are_scipys(probability: float, freedom: float) -> None:
    expected = scipy.stats.t.ppf(probability, freedom)
    assert student_quantile(probability, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_normal_distribution_is_scipys() -> None:
    x = np.linspace(-9, 9, 37).reshape(1, 37)
    np.testing.assert_allclose(normal_cdf(x), scipy.stats.norm.cdf(x), rtol=1e-12)
    assert normal_quantile(0.3) == pytest.approx(scipy.stats.norm.ppf(0.3), rel=1e-12)


def test_the_ends_of_the_normal_distribution_are_infinitely_far() -> None:
    assert normal_quantile(0) == -np.inf
    assert normal_quantile(1) == np.inf


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 1_000])
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.0, 5.0])
def test_power_is_that_of_the_noncentral_t_distribution(
    shift: float, freedom: int, level: float
) -> None:
    t = scipy.stats.t.ppf((1 + level) / 2, freedom)
    noncentral = scipy.stats.nct(freedom, shift)
    assert student_power(shift, freedom, level) == pytest.approx(
        noncentral.sf(t) + noncentral.cdf(-t), abs=1e-5
    )


def test_gauss_integrates_a_cubic_exactly() -> None:
    nodes, weights = gauss_legendre(1, 3, 2)
    assert weights @ nodes**3 == pytest.approx(20)
