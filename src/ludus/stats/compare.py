"""Who is better than whom: comparisons on the same episodes, and who cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from typing import Literal, NamedTuple, TypeVar, get_args

import numpy as np

from ludus.errors import OptionError
from ludus.stats.bootstrap import resample_counts
from ludus.stats.distributions import Array
from ludus.stats.intervals import (
    RESAMPLES,
    Estimate,
    MeanMethod,
    best_interval,
    mean_interval,
    mean_intervals,
)
from ludus.stats.pairing import PairedTable, Unit, paired_differences, paired_table
from ludus.stats.samples import check_choice
from ludus.stats.significance import (
    Adjustment,
    adjust,
    cohens_d,
    mcnemar,
    rank_biserial,
    sign_flip_tests,
    swap_tests_of_best,
)

__all__ = ["Comparison", "Race", "WinComparison", "compare_all", "compare_two", "compare_wins"]

Key = TypeVar("Key", bound=Hashable)

Statistic = Literal["mean", "best"]
"""What agents are compared by: their mean score, or the best of their scores."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two agents on the same episodes.

    Attributes:
        first: One agent.
        second: The other.
        difference: The mean of the first's scores less the second's, with its interval, which
            is not adjusted for other pairs. Between the best scores it has none.
        p: How likely a difference as large is if neither is better: the sign-flip test of means,
            the swap test of best scores.
        adjusted: The same, adjusted for all pairs of the race.
        d: The mean difference in standard deviations of the differences (Cohen's d_z).
        balance: Rank sum of the first's gains less that of its losses, from −1 to 1.
    """

    first: str
    second: str
    difference: Estimate
    p: float
    adjusted: float
    d: float
    balance: float

    @property
    def separated(self) -> bool:
        """Whether the two can be told apart at the level of the interval."""
        return self.adjusted <= 1 - self.difference.level

    def mirrored(self) -> Comparison:
        """Return the same comparison with the agents' places exchanged."""
        return Comparison(
            first=self.second,
            second=self.first,
            difference=self.difference.mirrored(),
            p=self.p,
            adjusted=self.adjusted,
            d=-self.d,
            balance=-self.balance,
        )


class WinComparison(NamedTuple):
    """Two agents' wins and losses in the same episodes.

    Attributes:
        both: Episodes that both won.
        first_only: Episodes that only the first won.
        second_only: Episodes that only the second won.
        neither: Episodes that both lost.
        difference: The first's win rate less the second's, with its interval.
        p: McNemar's exact test: how likely a difference as large is if neither is better.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    difference: Estimate
    p: float


@dataclass(frozen=True, slots=True)
class Race:
    """All agents of a race, compared pair by pair.

    Attributes:
        agents: The agents, best mean first; equals in the order of their names.
        means: Their mean scores with intervals, in that order.
        pairs: Every two of them, the better first.
        groups: The largest sets of agents of which no two can be told apart, best first; an
            agent can be in several.
        leading: By agent, how often it has the best mean when the levels are drawn anew.
    """

    agents: tuple[str, ...]
    means: tuple[Estimate, ...]
    pairs: tuple[Comparison, ...]
    groups: tuple[tuple[str, ...], ...]
    leading: Mapping[str, float]

    @property
    def stays_first(self) -> float:
        """How often the first stays first when the levels are drawn anew."""
        return self.leading[self.agents[0]]

    @property
    def letters(self) -> dict[str, str]:
        """The groups as letters by agent: those that share one cannot be told apart."""
        return {
            agent: "".join(
                _letter(number) for number, group in enumerate(self.groups) if agent in group
            )
            for agent in self.agents
        }

    def pair(self, first: str, second: str) -> Comparison:
        """Return the comparison of two agents, seen from the first.

        Raises:
            OptionError: There is no such pair in the race.
        """
        for comparison in self.pairs:
            if (comparison.first, comparison.second) == (first, second):
                return comparison
            if (comparison.first, comparison.second) == (second, first):
                return comparison.mirrored()
        raise OptionError(
            f"no pair {first!r} and {second!r}; choose two of {', '.join(self.agents)}"
        )


def compare_two(
    first: Mapping[Key, float],
    second: Mapping[Key, float],
    level: float = 0.95,
    method: MeanMethod = "auto",
    *,
    names: tuple[str, str] = ("first", "second"),
    unit: Unit = "level",
    statistic: Statistic = "mean",
    seed: int = 0,
) -> Comparison:
    """Compare two agents on the episodes they both played.

    Args:
        first: One agent's scores by key, such as ``("level", seed)`` or ``"level"``.
        second: The other's, by the same keys.
        level: The confidence.
        method: How the interval of the mean difference is found.
        names: What the two are called.
        unit: ``"level"`` averages the episodes of a level first; ``"episode"`` does not.
        statistic: What they are compared by; the best is always that of episodes.
        seed: What resamples and signs are drawn with.

    Raises:
        OptionError: The keys differ, there are none, or a score is not finite.

    Example:
        >>> fast = {"cave": 0.9, "hills": 0.7, "sky": 0.8}
        >>> slow = {"cave": 0.5, "hills": 0.3, "sky": 0.7}
        >>> round(compare_two(fast, slow).difference.value, 3)
        0.3
    """
    if names[0] == names[1]:
        raise OptionError(f"both agents are called {names[0]!r}; give them two names")
    table = _paired_table({names[0]: first, names[1]: second}, unit, statistic)
    return _comparisons(table, [names], level, method, "none", statistic, seed)[0]


def compare_wins(
    first: Mapping[Key, bool], second: Mapping[Key, bool], level: float = 0.95
) -> WinComparison:
    """Compare two agents by the episodes they won.

    Raises:
        OptionError: The keys differ, there are none, or a value is neither won nor lost.

    Example:
        >>> a = {1: True, 2: True, 3: False}
        >>> compare_wins(a, {1: True, 2: False, 3: False}).first_only
        1
    """
    for key, won in (*first.items(), *second.items()):
        if won not in (False, True):
            raise OptionError(f"{won!r} for {key!r} is neither won nor lost")
    differences = paired_differences(first, second, "episode")
    first_only, second_only = int((differences > 0).sum()), int((differences < 0).sum())
    both = sum(map(bool, first.values())) - first_only
    return WinComparison(
        both=both,
        first_only=first_only,
        second_only=second_only,
        neither=len(first) - both - first_only - second_only,
        difference=mean_interval(differences, level),
        p=mcnemar(first_only, second_only),
    )


def compare_all(
    scores: Mapping[str, Mapping[Key, float]],
    level: float = 0.95,
    method: MeanMethod = "auto",
    *,
    adjustment: Adjustment = "holm",
    unit: Unit = "level",
    statistic: Statistic = "mean",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Race:
    """Compare every two agents of a race on the episodes they all played.

    Two agents can be told apart if the sign-flip test of their differences says so after the
    adjustment for all pairs; with five levels or fewer it never can.

    Args:
        scores: By agent, its scores by key, such as ``("level", seed)`` or ``"level"``.
        level: The confidence.
        method: How the intervals of means and differences are found.
        adjustment: ``"holm"`` keeps the chance of any false separation at 1 − level,
            ``"benjamini-hochberg"`` their share; ``"none"`` looks at each pair alone.
        unit: ``"level"`` averages the episodes of a level first; ``"episode"`` does not.
        statistic: What they are compared by; the best is always that of episodes.
        resamples: How often the levels are drawn anew to see who leads.
        seed: What resamples and signs are drawn with.

    Raises:
        OptionError: The keys differ, there are none, or a score is not finite.

    Example:
        >>> levels = range(10)
        >>> race = compare_all({
        ...     "ace": {level: 1.0 for level in levels},
        ...     "fair": {level: 0.5 + level / 100 for level in levels},
        ...     "even": {level: 0.59 - level / 100 for level in levels},
        ... })
        >>> race.groups
        (('ace',), ('even', 'fair'))
    """
    check_choice(adjustment, get_args(Adjustment), "adjustment")
    check_choice(statistic, get_args(Statistic), "statistic")
    table = _best_first(_paired_table(scores, unit, statistic), statistic)
    agents = table.agents
    couples = list(combinations(agents, 2))
    pairs = _comparisons(table, couples, level, method, adjustment, statistic, seed)
    apart = {frozenset((pair.first, pair.second)) for pair in pairs if pair.separated}
    return Race(
        agents=agents,
        means=tuple(_estimates(table.scores, level, method, statistic, resamples, seed)),
        pairs=tuple(pairs),
        groups=_tie_groups(agents, apart),
        leading=dict(zip(agents, _leading(table.scores, statistic, resamples, seed), strict=True)),
    )


def _paired_table(
    scores: Mapping[str, Mapping[Key, float]], unit: Unit, statistic: Statistic
) -> PairedTable:
    return paired_table(scores, unit if statistic == "mean" else "episode")


def _estimates(
    columns: Array,
    level: float,
    method: MeanMethod,
    statistic: Statistic,
    resamples: int,
    seed: int,
) -> list[Estimate]:
    """Return what each column is compared by, with its interval."""
    if statistic == "best":
        return [best_interval(column, level) for column in columns.T]
    return mean_intervals(columns, level, method, resamples=resamples, seed=seed)


def _best_first(table: PairedTable, statistic: Statistic) -> PairedTable:
    """Return the table with the agents in the order of what they are compared by, then by name."""
    ordered = np.sort(table.scores, axis=0)
    means = np.round(ordered[-1] if statistic == "best" else ordered.mean(axis=0), 12)
    order = sorted(range(len(means)), key=lambda column: (-means[column], table.agents[column]))
    agents = tuple(table.agents[column] for column in order)
    return PairedTable(agents, table.units, table.scores[:, order])


def _comparisons(
    table: PairedTable,
    pairs: Sequence[tuple[str, str]],
    level: float,
    method: MeanMethod,
    adjustment: Adjustment,
    statistic: Statistic,
    seed: int,
) -> list[Comparison]:
    """Return the comparisons of the pairs, adjusted for each other."""
    if not pairs:
        return []
    column_of = {agent: number for number, agent in enumerate(table.agents)}
    columns = np.column_stack(
        [
            table.scores[:, column_of[first]] - table.scores[:, column_of[second]]
            for first, second in pairs
        ]
    )
    places = [(column_of[first], column_of[second]) for first, second in pairs]
    if statistic == "best":
        estimates = [_difference_of_best(table.scores[:, place], level) for place in places]
        p_values = swap_tests_of_best(table.scores, places)
    else:
        estimates = mean_intervals(columns, level, method, seed=seed)
        p_values = sign_flip_tests(columns, seed=seed)
    adjusted = adjust(p_values, adjustment)
    return [
        Comparison(*pair, estimate, p, float(fair), cohens_d(column), rank_biserial(column))
        for pair, estimate, p, fair, column in zip(
            pairs, estimates, p_values, adjusted, columns.T, strict=True
        )
    ]


def _difference_of_best(scores: Array, level: float) -> Estimate:
    """Return the best of the first column less that of the second, which has no interval."""
    first, second = scores.max(axis=0).tolist()
    return Estimate(first - second, math.nan, math.nan, level, "best", len(scores))


def _leading(scores: Array, statistic: Statistic, resamples: int, seed: int) -> list[float]:
    """Return how often each column leads among resampled rows; equals share."""
    shares = np.zeros(scores.shape[1])
    close = 1e-9 * np.abs(scores).max() * len(scores)
    for counts in resample_counts(len(scores), resamples, seed):
        if statistic == "best":
            sums = np.stack([_best_drawn(counts, column) for column in scores.T], axis=1)
        else:
            sums = counts @ scores
        best = sums >= sums.max(axis=1, keepdims=True) - close
        shares += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return [float(share) for share in shares / resamples]


def _best_drawn(counts: Array, column: Array) -> Array:
    """Return the best of a column's values that each row of counts has drawn."""
    order = np.argsort(column)[::-1]
    return np.asarray(column[order][(counts[:, order] > 0).argmax(axis=1)])


def _tie_groups(
    agents: tuple[str, ...],
    apart: Collection[frozenset[str]],
    cliques: list[set[str]] | None = None,
) -> tuple[tuple[str, ...], ...]:
    """Return the largest sets of agents no two of which are apart, best first."""
    cliques = [] if cliques is None else cliques
    close = {
        agent: {other for other in agents if other != agent and {agent, other} not in apart}
        for agent in agents
    }
    _grow(set(), set(agents), set(), close, cliques)
    order = {agent: number for number, agent in enumerate(agents)}
    return tuple(
        sorted(
            (tuple(sorted(group, key=order.__getitem__)) for group in cliques),
            key=lambda group: [order[agent] for agent in group],
        )
    )


def _grow(
    group: set[str],
    candidates: set[str],
    seen: set[str],
    close: Mapping[str, set[str]],
    cliques: list[set[str]],
) -> None:
    """Collect the maximal cliques that extend a group (Bron and Kerbosch, with a pivot)."""
    if not candidates and not seen:
        cliques.append(group)
        return
    pivot = max(candidates | seen, key=lambda agent: len(close[agent] & candidates))
    for agent in sorted(candidates - close[pivot]):
        near = close[agent]
        _grow(group | {agent}, candidates & near, seen & near, close, cliques)
        candidates = candidates - {agent}
        seen = seen | {agent}


def _letter(number: int) -> str:
    """Return a, b, … z, and beyond them numbered letters a1, b1, …."""
    turn, letter = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(turn) if turn else "")
