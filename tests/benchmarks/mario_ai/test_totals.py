"""Intervals of sums over levels, by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from ludus.benchmarks.mario_ai.totals import sum_of_means_with_interval, sum_with_interval
from ludus.games.game import Facts

LEVELS: list[Facts] = [
    {"difficulty": 0, "distance": 100.0},
    {"difficulty": 0, "distance": 300.0},
    {"difficulty": 3, "distance": 10.0},
    {"difficulty": 3, "distance": 30.0},
]
TOTALS = [100.0, 300.0, 10.0, 30.0]
T_OF_TWO = 4.302652729911275  # Student's t, 97.5 %, two degrees of freedom


def test_an_interval_of_means_by_hand() -> None:
    margin = T_OF_TWO * sqrt(20_000 / 2 + 200 / 2)
    assert sum_of_means_with_interval(LEVELS, TOTALS) == pytest.approx(
        (220, 220 - margin, 220 + margin)
    )


def test_an_interval_of_a_sum_by_hand() -> None:
    margin = T_OF_TWO * sqrt(2 * 20_000 + 2 * 200)
    assert sum_with_interval(LEVELS, TOTALS) == pytest.approx((440, 440 - margin, 440 + margin))


def test_one_level_each_has_no_interval() -> None:
    assert sum_of_means_with_interval(LEVELS[::2], TOTALS[::2]) == 110
    assert sum_with_interval([], []) == 0
