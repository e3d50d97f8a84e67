from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.stats import Estimate, compare_all
from ludus.stats.compare import _tie_groups
from ludus.stats.grouping import GroupRange, format_range, overlap_groups, paired_letters
from ludus.stats.pairing import Unit

ENDS = st.integers(-6, 6).map(float)


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, 0.95, "t", 10)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.integers(1, 7), st.integers(1, 14), st.sampled_from([0, 1, 4]))
def test_the_letters_are_those_of_all_comparisons(
    seed: int, agents: int, levels: int, spread: int
) -> None:
    draw = np.random.default_rng(seed)
    table = draw.integers(0, 4, (agents, levels)) + spread * np.arange(agents)[:, np.newaxis]
    scores = {
        f"agent {a}": {
            (f"level {k % max(levels // 2, 2)}", k): float(table[a, k]) for k in range(levels)
        }
        for a in range(agents)
    }
    unit: Unit = "level" if levels > 1 else "episode"
    assert paired_letters(scores, unit) == compare_all(scores, unit=unit, resamples=100).letters


@settings(deadline=None)
@given(st.lists(st.tuples(ENDS, ENDS).map(sorted), max_size=9))
def test_groups_are_the_largest_sets_that_overlap(ends: list[list[float]]) -> None:
    """The slow definition: every two overlap, and no other overlaps with all of them."""
    names = tuple(map(str, range(len(ends))))
    apart = {
        frozenset((str(one), str(other)))
        for one, other in combinations(range(len(ends)), 2)
        if ends[one][1] < ends[other][0] or ends[other][1] < ends[one][0]
    }
    expected = {frozenset(group) for group in _tie_groups(names, apart)} if names else set()
    ranges = overlap_groups([estimate(*pair) for pair in ends])
    count = 1 + max((groups.last for groups in ranges), default=-1)
    found = [
        frozenset(
            name for name, (first, last) in zip(names, ranges, strict=True) if first <= k <= last
        )
        for k in range(count)
    ]
    assert set(found) == expected
    assert len(found) == len(expected)


def test_the_highest_come_first() -> None:
    ranges = overlap_groups([estimate(0, 1), estimate(4, 5), estimate(2, 3)])
    assert [groups.first for groups in ranges] == [2, 0, 1]


def test_without_an_interval_nobody_is_told_apart() -> None:
    unknown = Estimate(7.0, math.nan, math.nan, 0.95, "t", 1)
    ranges = overlap_groups([estimate(0, 1), unknown, estimate(4, 5)])
    assert ranges == [GroupRange(1, 1), GroupRange(0, 1), GroupRange(0, 0)]
    assert overlap_groups([unknown]) == [GroupRange(0, 0)]
    assert overlap_groups([]) == []


def test_intervals_that_touch_overlap() -> None:
    assert overlap_groups([estimate(0, 1), estimate(1, 2)]) == [GroupRange(0, 0)] * 2


@pytest.mark.parametrize(
    ("groups", "text"), [((0, 0), "a"), ((25, 25), "z"), ((25, 26), "z–a1"), ((0, 2), "a–c")]
)
def test_ranges_of_letters(groups: tuple[int, int], text: str) -> None:
    assert format_range(GroupRange(*groups)) == text
