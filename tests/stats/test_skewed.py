"""Intervals of means without bounds hold on long tails, or say what they need."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ludus.stats import mean_interval
from ludus.stats.distributions import Array
from ludus.stats.intervals import mean_intervals

Draw = Callable[[np.random.Generator, tuple[int, int]], Array]
TAILS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda g, shape: g.normal(size=shape), 0.0),
    "exponential": (lambda g, shape: g.exponential(size=shape), 1.0),
    "lognormal": (lambda g, shape: g.lognormal(size=shape), math.exp(0.5)),
    "pareto": (lambda g, shape: g.pareto(3, shape), 0.5),
    "t": (lambda g, shape: g.standard_t(3, shape), 0.0),
}


@pytest.mark.parametrize("name", TAILS)
@pytest.mark.parametrize("size", [10, 20, 50])
def test_the_default_covers_the_mean_of_long_tails(name: str, size: int) -> None:
    draw, mean = TAILS[name]
    found = mean_intervals(draw(np.random.default_rng(size), (size, 4_000)))
    assert np.mean([one.low <= mean <= one.high for one in found]) >= 0.925


def test_it_leans_to_the_side_of_the_tail() -> None:
    estimate = mean_interval(np.random.default_rng(1).lognormal(size=30))
    assert estimate.high - estimate.value > 1.2 * (estimate.value - estimate.low)


@pytest.mark.parametrize(
    ("sample", "remark"),
    [
        ([3.0], "one episode"),
        ([3.0, 4.0], "needs 20 episodes"),
        ([3.0] * 10, "all 10 equal"),
        ([0.0] * 9 + [1.0], "needs 50 episodes"),
        ([0.0] * 90 + [1.0] * 2, "needs 230 episodes"),
        ([0.0] * 20 + [1.0] * 20, ""),
        (list(range(20)), ""),
    ],
)
def test_it_says_what_it_needs(sample: list[float], remark: str) -> None:
    assert mean_interval(sample).remark == remark


def test_a_rare_event_is_covered_or_more_is_asked_for() -> None:
    columns = np.where(np.random.default_rng(2).random((20, 2_000)) < 0.1, 1.0, 0.0)
    found = mean_intervals(columns)
    covered = [one.needs > 0 or one.low <= 0.1 <= one.high for one in found]
    assert np.mean(covered) >= 0.95
