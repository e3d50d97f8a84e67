from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import (
    benjamini_hochberg,
    cliffs_delta,
    cohens_d,
    holm,
    mcnemar,
    rank_biserial,
    sign_flip_test,
)
from ludus.stats.significance import sign_flip_tests, swap_tests_of_best

DIFFERENCES = st.lists(st.integers(-20, 20).map(float), min_size=1, max_size=12)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)
# The p-values of Benjamini and Hochberg's own example (1995, section 3).
P = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
P += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000]


def every_sign(differences: list[float]) -> float:
    """Return the p-value by writing every choice of signs down."""
    signs = np.array(np.meshgrid(*[[-1, 1]] * len(differences))).reshape(len(differences), -1)
    sums = np.abs(np.array(differences) @ signs)
    return float((sums >= abs(sum(differences)) - 1e-9).mean())


@given(DIFFERENCES)
@settings(max_examples=60, deadline=None)
def test_few_differences_are_tested_by_every_choice_of_signs(differences: list[float]) -> None:
    assert sign_flip_test(differences) == pytest.approx(every_sign(differences), abs=1e-12)


def test_the_test_is_scipys_permutation_test_of_pairs() -> None:
    differences = [0.3, -0.1, 0.7, 0.2, 0.0, 0.4, -0.2, 0.9, 0.1, 0.3]
    expected = scipy.stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=10_000
    )
    assert sign_flip_test(differences) == pytest.approx(expected.pvalue)


def test_thirty_differences_are_still_exact() -> None:
    differences = np.where(np.arange(30) < 22, 1.0, -1.0)
    expected = scipy.stats.binomtest(22, 30).pvalue
    assert sign_flip_test(differences) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("size", "exact"), [(30, True), (31, False)])
def test_signs_are_drawn_beyond_thirty_differences(size: int, exact: bool) -> None:
    differences = np.arange(size) - size / 3
    ours = {sign_flip_test(differences, draws=500, seed=seed) for seed in range(5)}
    assert (len(ours) == 1) is exact


@pytest.mark.parametrize("size", [2, 4, 40])
def test_differences_that_cancel_out_are_nothing_but_chance(size: int) -> None:
    assert sign_flip_test([1.0, -1.0] * (size // 2)) == 1


@pytest.mark.parametrize("wins", [20, 24, 28])
def test_more_differences_are_tested_by_drawn_signs(wins: int) -> None:
    differences = np.where(np.arange(40) < wins, 1.0, -1.0)
    expected = scipy.stats.binomtest(wins, 40).pvalue
    assert sign_flip_test(differences) == pytest.approx(expected, abs=0.015)


def test_beyond_the_draws_the_p_value_goes_on_falling() -> None:
    small, smaller = (sign_flip_test([1.0] * size) for size in (40, 80))
    assert 0 < smaller < small < 1e-6
    assert small >= 2 * 0.5**40


def test_zeros_change_nothing() -> None:
    differences = [1.0, 2.0, -0.5, 3.0]
    assert sign_flip_test(differences + [0.0] * 50) == sign_flip_test(differences)
    assert sign_flip_test([0.0, 0.0]) == 1


def test_columns_have_the_p_values_they_have_alone() -> None:
    columns = np.random.default_rng(2).normal(0.2, 1, (40, 3))
    columns[25:, 1] = 0
    alone = [sign_flip_test(column) for column in columns.T]
    assert sign_flip_tests(columns) == pytest.approx(alone, rel=1e-12)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=40), st.data())
@settings(max_examples=40, deadline=None)
def test_neither_order_nor_sign_nor_unit_matters(
    differences: list[float], data: st.DataObject
) -> None:
    p = sign_flip_test(differences, draws=500)
    shuffled = data.draw(st.permutations(differences))
    assert sign_flip_test(shuffled, draws=500) == pytest.approx(p, rel=1e-9)
    assert sign_flip_test([-4 * value for value in differences], draws=500) == pytest.approx(
        p, rel=1e-9
    )


def test_false_finds_are_as_rare_as_they_should_be() -> None:
    columns = np.random.default_rng(7).normal(size=(20, 2_000))
    found = np.mean(np.array(sign_flip_tests(columns)) <= 0.05)
    assert found == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    # statsmodels 0.15.0: mcnemar([[50, first], [second, 40]], exact=True).pvalue
    [(8, 1, 0.0390625), (59, 121, 4.4344492637551645e-06), (3, 4, 1.0), (0, 0, 1.0)],
)
def test_mcnemar_is_that_of_statsmodels(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p, rel=1e-9)
    assert mcnemar(second, first) == mcnemar(first, second)


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_the_binomial_test(first: int, second: int) -> None:
    if first + second:
        expected = scipy.stats.binomtest(first, first + second).pvalue
        assert mcnemar(first, second) == pytest.approx(expected, rel=1e-8)


def test_negative_wins_are_refused() -> None:
    with pytest.raises(OptionError, match="-1 against 3"):
        mcnemar(-1, 3)


@given(st.lists(st.integers(-30, 30), min_size=2, max_size=30))
def test_cohens_d_goes_with_the_t_statistic(differences: list[int]) -> None:
    if len(set(differences)) > 1:
        t = scipy.stats.ttest_1samp(differences, 0).statistic
        assert cohens_d(differences) * math.sqrt(len(differences)) == pytest.approx(t)


def test_equal_differences_are_infinitely_far_from_zero() -> None:
    assert cohens_d([0.1] * 7) == math.inf
    assert cohens_d([-2.0]) == -math.inf
    assert cohens_d([0.0, 0.0]) == 0


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=30))
def test_rank_biserial_goes_with_wilcoxons_ranks(differences: list[int]) -> None:
    row = np.array([value for value in differences if value])
    balance = rank_biserial(differences)
    if row.size == 0:
        assert balance == 0
    else:
        ranks = scipy.stats.rankdata(np.abs(row))
        expected = (ranks[row > 0].sum() - ranks[row < 0].sum()) / ranks.sum()
        assert balance == pytest.approx(expected)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=20),
    st.lists(st.integers(0, 9), min_size=1, max_size=20),
)
def test_cliffs_delta_goes_with_mann_and_whitneys_statistic(one: list[int], two: list[int]) -> None:
    u = scipy.stats.mannwhitneyu(one, two, method="asymptotic").statistic
    assert cliffs_delta(one, two) == pytest.approx(2 * u / len(one) / len(two) - 1)


def test_benjamini_and_hochbergs_example() -> None:
    assert sum(benjamini_hochberg(P) <= 0.05) == 4
    assert sum(holm(P) <= 0.05) == 3
    np.testing.assert_allclose(benjamini_hochberg(P), scipy.stats.false_discovery_control(P))


def test_adjustments_are_those_of_statsmodels() -> None:
    # statsmodels 0.15.0: multipletests(p, method="holm") and (p, method="fdr_bh"), second item.
    p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    p += [0.222, 0.251, 0.269, 0.275, 0.34]
    holms = [0.015, 0.112, 0.507, 0.507, 0.507, 0.6, 0.666] + [1.0] * 8
    shares = [0.015, 0.06, 0.126, 0.126, 0.126, 0.15, 0.15857142857142856]
    shares += [0.29464285714285715] * 7 + [0.34]
    np.testing.assert_allclose(holm(p), holms, atol=1e-12)
    np.testing.assert_allclose(benjamini_hochberg(p), shares, atol=1e-12)


@given(P_VALUES, st.data())
def test_adjusted_p_values_keep_their_order_and_only_grow(
    p_values: list[float], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(p_values))))
    for adjust in (holm, benjamini_hochberg):
        adjusted = adjust(p_values)
        assert (adjusted >= p_values).all()
        assert adjusted.max() <= 1
        assert (np.diff(adjusted[np.argsort(p_values, kind="stable")]) >= 0).all()
        np.testing.assert_allclose(adjust([p_values[k] for k in order]), adjusted[order])
    assert (benjamini_hochberg(p_values) <= holm(p_values) + 1e-12).all()


def test_no_p_values_are_none_adjusted() -> None:
    assert holm([]).size == benjamini_hochberg([]).size == 0


@pytest.mark.parametrize("odd", [-0.1, 1.5, math.nan])
def test_what_is_no_p_value_is_refused(odd: float) -> None:
    with pytest.raises(OptionError, match=f"list of p-values holds {odd}"):
        holm([0.5, odd])


@pytest.mark.parametrize("sample", [[], [1.0, math.nan]])
def test_samples_that_are_not_whole_are_refused(sample: list[float]) -> None:
    for function in (sign_flip_test, cohens_d, rank_biserial):
        with pytest.raises(OptionError, match=r"sample (is empty|holds nan)"):
            function(sample)
    with pytest.raises(OptionError, match=r"first sample (is empty|holds nan)"):
        cliffs_delta(sample, [1.0])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=7))
def test_the_swap_test_of_the_best_counts_all_swaps(rows: list[tuple[int, int]]) -> None:
    scores = np.array(rows, float)
    observed = abs(scores[:, 0].max() - scores[:, 1].max())
    as_far = 0
    for swaps in product((False, True), repeat=len(rows)):
        swapped = np.where(np.array(swaps)[:, np.newaxis], scores[:, ::-1], scores)
        as_far += abs(swapped[:, 0].max() - swapped[:, 1].max()) >= observed
    (p,) = swap_tests_of_best(scores, [(0, 1)])
    assert p == pytest.approx(as_far / 2 ** len(rows))
