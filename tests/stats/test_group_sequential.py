from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]

from ludus.errors import OptionError
from ludus.stats import judge, plan_looks
from ludus.stats.group_sequential import Spending

# Two-sided boundaries at 0.05 for five equally spaced looks by the spending functions of Lan and
# DeMets, as printed by their program and in the manuals of ldbounds and gsDesign.
PUBLISHED: list[tuple[Spending, list[float]]] = [
    ("obrien-fleming", [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
    ("pocock", [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
]


@pytest.mark.parametrize(("spending", "bounds"), PUBLISHED)
def test_boundaries_are_the_published_ones(spending: Spending, bounds: list[float]) -> None:
    plan = plan_looks([20, 40, 60, 80, 100], spending)
    assert plan.bounds == pytest.approx(bounds, abs=2e-4)
    assert plan.nominal == pytest.approx(2 * scipy.stats.norm.sf(plan.bounds))


@pytest.mark.parametrize("spending", ["pocock", "obrien-fleming"])
@pytest.mark.parametrize("looks", [[10, 20], [5, 30, 40], [10, 12, 50, 100]])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_all_looks_together_spend_the_level(
    spending: Spending, looks: list[int], level: float
) -> None:
    bounds = np.minimum(plan_looks(looks, spending, level).bounds, 9)
    correlation = [[math.sqrt(min(a, b) / max(a, b)) for a in looks] for b in looks]
    normal = scipy.stats.multivariate_normal(cov=correlation, seed=1)
    assert normal.cdf(bounds, lower_limit=-bounds) == pytest.approx(level, abs=2e-4)


def test_a_single_look_is_an_ordinary_test() -> None:
    for spending in ("pocock", "obrien-fleming"):
        assert plan_looks([50], spending).bounds == pytest.approx([1.959964], abs=1e-6)


@pytest.mark.parametrize("pairs", [3, 5, 20])
def test_a_single_look_decides_where_students_test_does(pairs: int) -> None:
    spread = np.arange(pairs) - (pairs - 1) / 2
    error = spread.std(ddof=1) / math.sqrt(pairs)
    critical = scipy.stats.t.ppf(0.975, pairs - 1) * error
    plan = plan_looks([pairs])
    assert judge(plan, spread + 1.001 * critical).leader == "first"
    assert judge(plan, spread - 1.001 * critical).leader == "second"
    assert judge(plan, spread + 0.999 * critical).leader is None


def test_a_look_too_early_for_any_find_has_no_boundary() -> None:
    plan = plan_looks(list(range(1, 51)), "obrien-fleming")
    assert plan.bounds[0] == math.inf
    assert plan.nominal[0] == 0
    assert plan.bounds[-1] == pytest.approx(2.2, abs=0.05)


def test_false_finds_are_as_rare_as_planned() -> None:
    plan = plan_looks([20, 40, 60, 80, 100])
    races = np.random.default_rng(1).normal(size=(1_500, 100))
    found = np.mean([judge(plan, race).reason == "separated" for race in races])
    assert found == pytest.approx(0.05, abs=0.016)


def test_ten_looks_find_an_effect_early() -> None:
    plan = plan_looks(list(range(20, 201, 20)))
    verdicts = [judge(plan, race) for race in np.random.default_rng(2).normal(0.3, 1, (400, 200))]
    assert np.mean([verdict.pairs for verdict in verdicts]) == pytest.approx(88, abs=6)
    assert np.mean([verdict.leader == "first" for verdict in verdicts]) == pytest.approx(
        0.97, abs=0.025
    )


def test_a_verdict_is_that_of_the_first_look_that_crosses() -> None:
    plan = plan_looks([10, 20, 30])
    differences = [0.1, -0.1] * 5 + [-1.0, -1.2] * 5
    verdict = judge(plan, differences)
    assert verdict[:4] == ("second", "separated", 20, 20)
    assert verdict.difference.value == pytest.approx(np.mean(differences))


def test_between_looks_nothing_is_decided() -> None:
    plan = plan_looks([10, 20, 30])
    assert judge(plan, [1.0, 2.0] * 4)[:4] == (None, "running", 8, 44)
    assert judge(plan, [1.0, -1.0] * 15)[:4] == (None, "limit", 30, 0)


def test_equal_differences_are_clear_unless_they_are_zero() -> None:
    plan = plan_looks([5, 10])
    assert judge(plan, [0.5] * 5).leader == "first"
    assert judge(plan, [0.0] * 10).reason == "limit"


@pytest.mark.parametrize("looks", [[], [0, 5], [5, 5], [10, 5], [-3]])
def test_looks_that_do_not_rise_are_refused(looks: list[int]) -> None:
    with pytest.raises(OptionError, match="do not rise from above 0"):
        plan_looks(looks)


def test_options_out_of_their_range_are_refused() -> None:
    with pytest.raises(OptionError, match="no spending 'haybittle'; choose one of pocock"):
        plan_looks([10], "haybittle")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="confidence level 0"):
        plan_looks([10], level=0)
    plan = plan_looks([2, 4])
    with pytest.raises(OptionError, match="5 differences are more than the 4"):
        judge(plan, [1.0] * 5)
    with pytest.raises(OptionError, match="row of differences is empty"):
        judge(plan, [])
    with pytest.raises(OptionError, match="holds nan at index 0"):
        judge(plan, [math.nan])
