"""Letters for agents: those that share one cannot be told apart.

A few agents are compared pair by pair on the levels they all played. Many are not: ten thousand
agents are fifty million pairs, and after the adjustment for so many no ten levels could tell any
two apart. They are grouped by their intervals instead, which takes one sort.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

import numpy as np

from ludus.errors import OptionError
from ludus.stats.compare import Statistic, _best_first, _letter, _paired_table, _tie_groups
from ludus.stats.estimates import compare_estimates
from ludus.stats.intervals import Estimate
from ludus.stats.pairing import Unit
from ludus.stats.significance import holm, sign_flip_tests, swap_tests_of_best

__all__ = [
    "GroupRange",
    "TooManyGroups",
    "estimate_letters",
    "format_range",
    "overlap_groups",
    "paired_letters",
]

LEVEL = 0.95
MOST_GROUPS = 100

Key = TypeVar("Key", bound=Hashable)


class TooManyGroups(OptionError):
    """Agents have more groups than anybody can read, and than can be found in a sane time."""


class _Cliques(list[set[str]]):
    """Groups in the making, which must not become too many: 40 agents may have a million."""

    def append(self, group: set[str]) -> None:
        if len(self) == MOST_GROUPS:
            raise TooManyGroups(f"there are more than {MOST_GROUPS} groups")
        super().append(group)


class GroupRange(NamedTuple):
    """The groups that an agent is in, counted from 0: those from the first to the last."""

    first: int
    last: int


def paired_letters(
    scores: Mapping[str, Mapping[Key, float]], unit: Unit, statistic: Statistic = "mean"
) -> dict[str, str]:
    """Return the letters that :func:`~ludus.stats.compare_all` gives, without all else it does.

    Args:
        scores: By agent, its scores by key.
        unit: ``"level"`` averages the episodes of a level first; ``"episode"`` does not.
        statistic: What they are compared by; the best is always that of episodes.

    Raises:
        OptionError: The keys differ, there are none, or a score is not finite.
        TooManyGroups: There are more than 100 groups.
    """
    table = _best_first(_paired_table(scores, unit, statistic), statistic)
    numbers = list(combinations(range(len(table.agents)), 2))
    first, second = np.array(numbers, dtype=np.intp).reshape(-1, 2).T
    if statistic == "best":
        p_values = swap_tests_of_best(table.scores, numbers)
    else:
        p_values = sign_flip_tests(table.scores[:, first] - table.scores[:, second])
    return _letters(table.agents, numbers, p_values)


def _letters(
    agents: tuple[str, ...], pairs: Sequence[tuple[int, int]], p_values: Sequence[float]
) -> dict[str, str]:
    """Return the letters of agents, best first, after Holm's correction over their pairs."""
    apart = {
        frozenset((agents[one], agents[other]))
        for (one, other), p in zip(pairs, holm(p_values), strict=True)
        if p <= 1 - LEVEL
    }
    letters = dict.fromkeys(agents, "")
    for number, group in enumerate(_tie_groups(agents, apart, _Cliques())):
        for agent in group:
            letters[agent] += _letter(number)
    return letters


def estimate_letters(estimates: Mapping[str, Estimate]) -> dict[str, str]:
    """Return the letters of values that come with their intervals alone.

    Raises:
        TooManyGroups: There are more than 100 groups.

    Example:
        >>> values = {"ace": 0.9, "fair": 0.8, "even": 0.79}
        >>> estimate_letters({
        ...     name: Estimate(value, value - 0.02, value + 0.02, 0.95, "composite", 50)
        ...     for name, value in values.items()
        ... })
        {'ace': 'a', 'fair': 'b', 'even': 'b'}
    """
    agents = tuple(sorted(estimates, key=lambda name: (-estimates[name].value, name)))
    pairs = list(combinations(range(len(agents)), 2))
    compared = [
        compare_estimates(estimates[agents[one]], estimates[agents[other]]) for one, other in pairs
    ]
    return _letters(agents, pairs, [comparison.p for comparison in compared])


def overlap_groups(estimates: Sequence[Estimate]) -> list[GroupRange]:
    """Return the groups of agents whose intervals overlap, the highest intervals first.

    A group is a largest set of intervals that all have a point in common; it is found by one walk
    over their sorted ends. The groups of an agent follow each other. An interval without ends
    overlaps all others.

    Example:
        >>> high, wide, low = ((5.0, 9.0), (2.0, 6.0), (1.0, 3.0))
        >>> ends = [Estimate((a + b) / 2, a, b, 0.95, "t", 10) for a, b in (high, wide, low)]
        >>> [tuple(groups) for groups in overlap_groups(ends)]
        [(0, 0), (0, 1), (1, 1)]
    """
    lows, highs = np.array([_ends(one) for one in estimates]).reshape(-1, 2).T
    points = np.array(sorted(_group_points(lows, highs), reverse=True))
    firsts = np.searchsorted(-points, -highs, side="left")
    lasts = np.searchsorted(-points, -lows, side="right") - 1
    return [GroupRange(*pair) for pair in zip(firsts.tolist(), lasts.tolist(), strict=True)]


def _ends(estimate: Estimate) -> tuple[float, float]:
    if math.isnan(estimate.low) or math.isnan(estimate.high):
        return -math.inf, math.inf
    return estimate.low, estimate.high


def _group_points(lows: np.ndarray, highs: np.ndarray) -> Iterator[float]:
    """Yield a point of each largest set of intervals with a point in common, from below.

    Such a set is complete where an interval ends after another has begun.
    """
    starts, ends = np.sort(lows), np.sort(highs)
    begun = np.searchsorted(starts, ends, side="right")
    for number, end in enumerate(ends.tolist()):
        if number == 0 or begun[number] > begun[number - 1]:
            yield end


def format_range(groups: GroupRange) -> str:
    """Return groups as their first and last letter.

    Example:
        >>> format_range(GroupRange(0, 0)), format_range(GroupRange(1, 27))
        ('a', 'b–b1')
    """
    first, last = _letter(groups.first), _letter(groups.last)
    return first if first == last else f"{first}–{last}"
