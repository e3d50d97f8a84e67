from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.stats import halving_schedule, survivors
from ludus.stats.distributions import Array

GAPS = -0.1 * np.arange(16)


@given(st.integers(2, 200), st.integers(1, 50))
def test_every_round_halves_and_the_budget_is_kept(agents: int, plenty: int) -> None:
    budget = plenty * agents * math.ceil(math.log2(agents))
    rounds = halving_schedule(agents, budget)
    assert len(rounds) == math.ceil(math.log2(agents))
    assert rounds[0].agents == agents
    assert rounds[-1].agents == 2
    for one, other in pairwise(rounds):
        assert other.agents == math.ceil(one.agents / 2)
        assert other.episodes >= one.episodes
    spent = sum(size * episodes for size, episodes in rounds)
    assert budget - agents * len(rounds) < spent <= budget


def test_every_round_costs_about_the_same() -> None:
    assert [size * episodes for size, episodes in halving_schedule(16, 800)] == [
        192,
        200,
        200,
        200,
    ]


@pytest.mark.parametrize(("budget", "uniform", "halved"), [(800, 0.60, 0.78), (3200, 0.85, 0.97)])
def test_halving_finds_the_best_more_often_than_sharing(
    budget: int, uniform: float, halved: float
) -> None:
    generator = np.random.default_rng(budget)
    means = generator.normal(GAPS, math.sqrt(16 / budget), (2_000, 16))
    assert (means.argmax(axis=1) == 0).mean() == pytest.approx(uniform, abs=0.04)
    assert best_found(budget, generator) == pytest.approx(halved, abs=0.03)


def best_found(budget: int, generator: np.random.Generator) -> float:
    """Return how often the best of 16 agents is left after all rounds, in 2,000 races."""
    left = np.tile(np.arange(16), (2_000, 1))
    totals: Array = np.zeros(left.shape)
    for agents, episodes in halving_schedule(16, budget):
        noise = generator.normal(0, math.sqrt(episodes), left.shape)
        totals = totals + episodes * GAPS[left] + noise
        kept = np.argsort(-totals, axis=1)[:, : math.ceil(agents / 2)]
        left = np.take_along_axis(left, kept, axis=1)
        totals = np.take_along_axis(totals, kept, axis=1)
    return float((left[:, 0] == 0).mean())


def test_the_better_half_goes_on() -> None:
    means = {"a": 0.1, "b": 0.5, "c": 0.3, "d": 0.5, "e": 0.2}
    assert survivors(means) == ("b", "d", "c")
    assert survivors(means, 1) == ("b",)
    assert survivors(dict(reversed(means.items()))) == survivors(means)


def test_what_cannot_be_halved_is_refused() -> None:
    with pytest.raises(OptionError, match="1 agents need no halving"):
        halving_schedule(1, 100)
    with pytest.raises(OptionError, match="20 episodes are too few for 8 agents; take 24"):
        halving_schedule(8, 20)
    assert halving_schedule(8, 24)
    with pytest.raises(OptionError, match="cannot keep 3 of 2 agents"):
        survivors({"a": 1.0, "b": 2.0}, 3)
    with pytest.raises(OptionError, match="cannot keep 0 of 0 agents"):
        survivors({})
    with pytest.raises(OptionError, match="mean of 'a' is not a number"):
        survivors({"a": math.nan, "b": 2.0})
