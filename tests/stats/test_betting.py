"""Bets stop races of equals in 5 % at most, on differences of every kind, at a thousand looks."""

from __future__ import annotations

import numpy as np
import pytest
from perf.peeking import NULLS, find_stops, look_by_bets, look_by_mixture

from ludus.stats import BettingTest

LOOKS = 1_000
RACES = 400


@pytest.mark.parametrize("name", NULLS)
def test_equals_are_stopped_in_one_race_of_twenty_at_most(name: str) -> None:
    differences = NULLS[name](np.random.default_rng(3), (LOOKS, RACES))
    assert abs(differences.mean()) < 0.01
    assert np.abs(differences).max() <= 1
    assert (find_stops(look_by_bets, differences) > 0).mean() <= 0.05


def test_the_t_test_averaged_over_effects_errs_on_rare_events() -> None:
    differences = NULLS["rare event (1 %)"](np.random.default_rng(3), (200, 100))
    assert (find_stops(look_by_mixture, differences) > 0).mean() > 0.7


def test_levels_in_their_order_would_mislead() -> None:
    """Kind levels first: what a fixed order does to a test that is right in a random one."""
    generator = np.random.default_rng(4)
    differences = NULLS["levels"](generator, (200, 50))
    ordered = np.sort(differences, axis=0)[::-1]
    assert (find_stops(look_by_bets, ordered) > 0).all()
    assert (find_stops(look_by_bets, differences) > 0).mean() <= 0.1


def test_real_differences_are_found() -> None:
    differences = np.random.default_rng(5).normal(0.2, 0.2, (200, 200)).clip(-1, 1)
    stops = find_stops(look_by_bets, differences)
    assert (stops > 0).all()
    assert 25 < stops.mean() < 40


def test_capital_is_the_mean_of_the_gamblers() -> None:
    bet = BettingTest(2)
    bet.add(np.array([0.5, -0.5]))
    bet.add(np.array([0.1, 1.0]))
    stakes = (np.arange(20) + 0.5) / 20
    first = np.mean((1 + 0.5 * stakes) * (1 + 0.1 * stakes))
    second = np.mean((1 - 0.5 * stakes) * (1 + stakes))
    assert np.exp(bet.evidence) == pytest.approx([first, second])
