from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.boards.sampling import Sample, choose_sample


@given(scores=st.lists(st.floats(0, 1), min_size=1, max_size=60), size=st.integers(0, 70))
def test_half_of_a_sample_are_the_best(scores: list[float], size: int) -> None:
    sample = choose_sample(scores, size)
    assert len(set(sample.numbers)) == min(size, len(scores)) == len(sample.numbers)
    assert len(sample.best) == (min(size, len(scores)) + 1) // 2
    others = [scores[number] for number in range(len(scores)) if number not in sample.best]
    assert all(scores[number] >= max(others, default=-math.inf) for number in sample.best)


def test_a_forged_training_that_lifts_the_score_is_always_done_again() -> None:
    scores = [0.84] * 49 + [0.99]
    assert all(49 in choose_sample(scores, 10).numbers for _ in range(20))


@pytest.mark.parametrize("forged", [0, 1, 2, 4, 7])
def test_the_chance_to_find_is_the_share_of_draws_that_meet_a_forged_one(forged: int) -> None:
    draws = list(combinations(range(7), 3))  # of seven others three are drawn
    met = sum(any(number < forged for number in draw) for draw in draws)
    sample = Sample((7, 8), (0, 1, 2), 9)
    assert sample.chance_to_find(forged) == pytest.approx(met / len(draws))


def test_all_or_none() -> None:
    assert choose_sample([0.5] * 4, 9).chance_to_find(1) == 1.0
    assert choose_sample([0.5] * 4, 0).chance_to_find(4) == 0.0
    assert choose_sample([], 3).numbers == []
