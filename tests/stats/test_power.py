from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import episodes_from_pilot, episodes_needed, power_of, smallest_difference

# statsmodels 0.15.0: TTestPower().solve_power(effect, power=…, alpha=…) and, for agents that
# play different episodes, TTestIndPower(); rounded up here as episodes are.
PLANS = [
    (0.2, 0.8, 0.95, True, 198.150820955562),
    (0.5, 0.8, 0.95, True, 33.36713118431779),
    (0.8, 0.8, 0.95, True, 14.30276455812943),
    (1.5, 0.8, 0.95, True, 5.686142097745736),
    (0.2, 0.9, 0.99, True, 375.30822781174953),
    (0.5, 0.9, 0.99, True, 62.87023528078392),
    (1.5, 0.9, 0.99, True, 10.084550621443135),
    (0.2, 0.8, 0.95, False, 393.4056930002526),
    (0.5, 0.8, 0.95, False, 63.76561058891169),
    (0.8, 0.8, 0.95, False, 25.524571854446116),
    (1.5, 0.8, 0.95, False, 8.060294283896704),
]


@pytest.mark.parametrize(("effect", "power", "level", "paired", "episodes"), PLANS)
def test_plans_are_those_of_statsmodels(
    effect: float, power: float, level: float, paired: bool, episodes: float
) -> None:
    found = episodes_needed(effect, 1.0, power, level, paired=paired)
    assert found == math.ceil(episodes)


def test_power_and_smallest_differences_are_those_of_statsmodels() -> None:
    # TTestPower().power(0.4, 25, 0.05), solve_power(nobs=20, power=0.8), and the same unpaired.
    assert power_of(25, 0.4, 1.0) == pytest.approx(0.4840182806955744, abs=1e-8)
    assert power_of(25, 0.4, 1.0, paired=False) == pytest.approx(0.28339873049881975, abs=1e-8)
    assert smallest_difference(20, 1.0) == pytest.approx(0.6604416544380312, abs=1e-6)
    assert smallest_difference(20, 1.0, paired=False) == pytest.approx(0.9091290410935777, abs=1e-6)


def test_power_is_how_often_the_test_finds_the_effect() -> None:
    samples = np.random.default_rng(0).normal(0.4, 1.0, (30, 20_000))
    found = (scipy.stats.ttest_1samp(samples, 0).pvalue <= 0.05).mean()
    assert power_of(30, 0.4, 1.0) == pytest.approx(found, abs=0.01)


def test_sharing_the_levels_saves_episodes() -> None:
    # Eight tenths of the variance come from the level: the differences' is twice the rest.
    alone, shared = 1.0, math.sqrt(2 * 0.2)
    assert episodes_needed(0.3, alone, paired=False) == 176
    assert episodes_needed(0.3, shared) == 37
    assert episodes_needed(0.5, alone, paired=False) == 64
    assert episodes_needed(0.5, shared) == 15


@given(
    st.floats(0.05, 3), st.floats(0.1, 5), st.floats(0.5, 0.95), st.floats(0.8, 0.99), st.booleans()
)
@settings(max_examples=40, deadline=None)
def test_the_number_is_the_first_that_is_enough(
    effect: float, sd: float, power: float, level: float, paired: bool
) -> None:
    needed = episodes_needed(effect, sd, power, level, paired=paired)
    assert power_of(needed, effect, sd, level, paired=paired) >= power
    if needed > 2:
        assert power_of(needed - 1, effect, sd, level, paired=paired) < power
    assert smallest_difference(needed, sd, power, level, paired=paired) <= effect * (1 + 1e-9)


def test_only_the_ratio_of_effect_and_deviation_counts() -> None:
    assert episodes_needed(50, 100) == episodes_needed(-0.5, 1.0) == episodes_needed(0.5, 1.0)
    assert smallest_difference(40, 100) == pytest.approx(100 * smallest_difference(40, 1.0))


def test_a_huge_effect_takes_a_few_episodes_all_the_same() -> None:
    assert episodes_needed(1000.0, 1.0) == 2
    assert episodes_needed(10.0, 1.0) == 3


def test_a_pilot_gives_spread_and_effect() -> None:
    generator = np.random.default_rng(4)
    levels = generator.normal(0, 2, 12)
    first = {k: float(levels[k] + generator.normal(0.5, 1)) for k in range(12)}
    second = {k: float(levels[k] + generator.normal()) for k in range(12)}
    differences = np.array([first[k] - second[k] for k in range(12)])
    sd = float(differences.std(ddof=1))
    assert episodes_from_pilot(first, second) == episodes_needed(float(differences.mean()), sd)
    assert episodes_from_pilot(first, second, 0.25) == episodes_needed(0.25, sd)
    pooled = math.sqrt(
        (np.var(list(first.values()), ddof=1) + np.var(list(second.values()), ddof=1)) / 2
    )
    assert episodes_from_pilot(first, second, 0.25, paired=False) == episodes_needed(
        0.25, pooled, paired=False
    )


def test_an_unpaired_pilot_may_have_different_episodes() -> None:
    assert episodes_from_pilot({1: 0.0, 2: 1.0}, {3: 2.0, 4: 3.0}, paired=False) >= 2
    with pytest.raises(OptionError, match="'second' has no score for 1"):
        episodes_from_pilot({1: 0.0, 2: 1.0}, {3: 2.0, 4: 3.0})


def test_a_pilot_can_be_counted_in_levels() -> None:
    first = {(level, seed): float(level * seed % 5) for level in range(6) for seed in range(4)}
    second = dict.fromkeys(first, 0.5)
    assert episodes_from_pilot(first, second, 0.5, unit="level") != episodes_from_pilot(
        first, second, 0.5
    )


def test_pilots_that_tell_nothing_are_refused() -> None:
    with pytest.raises(OptionError, match="one episode has no spread"):
        episodes_from_pilot({1: 0.5}, {1: 0.7})
    with pytest.raises(OptionError, match=r"standard deviation 0\.0 is not above 0"):
        episodes_from_pilot({1: 1.0, 2: 2.0}, {1: 0.0, 2: 1.0})
    with pytest.raises(OptionError, match=r"effect 0\.0 cannot be found"):
        episodes_from_pilot({1: 1.0, 2: 0.0}, {1: 0.0, 2: 1.0})
    with pytest.raises(OptionError, match="is empty"):
        episodes_from_pilot({}, {})


@pytest.mark.parametrize("sd", [0.0, -1.0, math.nan, math.inf])
def test_a_deviation_that_is_none_is_refused(sd: float) -> None:
    for plan in (
        lambda: episodes_needed(0.5, sd),
        lambda: power_of(10, 0.5, sd),
        lambda: smallest_difference(10, sd),
    ):
        with pytest.raises(OptionError, match=f"standard deviation {sd}"):
            plan()


def test_plans_that_cannot_be_are_refused() -> None:
    with pytest.raises(OptionError, match="effect nan"):
        episodes_needed(math.nan, 1.0)
    with pytest.raises(OptionError, match="effect inf is not a finite number"):
        power_of(10, math.inf, 1.0)
    with pytest.raises(OptionError, match="more than 10,000,000 episodes"):
        episodes_needed(1e-6, 1.0)
    with pytest.raises(OptionError, match=r"effect 1\.0 takes more than 10,000,000"):
        episodes_needed(1.0, 1e4)
    with pytest.raises(OptionError, match=r"power 1 is not between 0\.05 and 1"):
        episodes_needed(0.5, 1.0, power=1)
    with pytest.raises(OptionError, match=r"power 0\.04 is not between"):
        smallest_difference(20, 1.0, power=0.04)
    with pytest.raises(OptionError, match="1 episodes have no spread"):
        power_of(1, 0.5, 1.0)
    with pytest.raises(OptionError, match="confidence level 95"):
        episodes_needed(0.5, 1.0, level=95)
