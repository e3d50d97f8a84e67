"""Who is ahead: the one place where episodes become headline values, merits and ranks.

Summaries, totals and live standings all go through it, so that they cannot disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import nan
from statistics import fmean
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks import Benchmark, Column, Number, TieBreaker
from ludus.execution.plan import Plan
from ludus.games.game import Facts
from ludus.runs.store import ScoredEpisode
from ludus.stats import Estimate, best_interval, mean_interval, rate_interval
from ludus.stats.bounded import Bounds

__all__ = [
    "Merit",
    "episodes_by_agent",
    "find_bounds",
    "find_leader",
    "headline",
    "merit",
    "merits_by_name",
    "merits_of",
    "ranks",
    "summarise_facts",
]

LEVEL = 0.95
DIGITS = 9  # beyond what means of floats can tell

Merit: TypeAlias = tuple[float, ...]
"""What agents are ranked by: less is better, and the first difference decides."""

Key = TypeVar("Key", bound=Hashable)


def headline(
    benchmark: Benchmark,
    facts: Sequence[Facts],
    totals: Sequence[Number] | NDArray[np.float64],
    options: Mapping[str, str],
) -> Estimate:
    """Return the value that an agent is ranked by: the benchmark's own, the mean, or the best.

    Args:
        benchmark: Whose rule.
        facts: What happened in the agent's episodes, in the order of their scenarios; may be empty
            if the benchmark has no aggregate of its own.
        totals: What they are worth, in that order.
        options: What was played otherwise than by default.
    """
    if benchmark.aggregate is None:
        sample = np.asarray(totals, np.float64)
        bounds = find_bounds(benchmark, options, sample)
        if benchmark.statistic == "best":
            return best_interval(sample, LEVEL, bounds)
        if benchmark.is_rate and bounds:
            return rate_interval(int(sample.sum()), len(sample), LEVEL, "wilson")
        return mean_interval(sample, LEVEL, bounds=bounds)
    result = benchmark.aggregate(facts, list(totals))
    value, low, high = result if isinstance(result, tuple) else (result, nan, nan)
    size = len(totals)
    return Estimate(float(value), float(low), float(high), LEVEL, benchmark.aggregate_name, size)


def find_bounds(
    benchmark: Benchmark, options: Mapping[str, str], totals: Sequence[Number] | NDArray[np.float64]
) -> Bounds | None:
    """Return the bounds of an episode's total; None if there are none or a total is beyond them."""
    bounds = benchmark.score_bounds(options)
    if bounds is None or np.min(totals) < bounds[0] or np.max(totals) > bounds[1]:
        return None
    return bounds


def merit(
    benchmark: Benchmark, value: float, ties: Iterable[float] = (), *, faulty: float = 0
) -> Merit:
    """Return an agent's merit.

    Args:
        benchmark: Whose rule.
        value: The agent's headline value.
        ties: The values of its tie-breakers.
        faulty: The share of its episodes that ended by its fault. It counts before all else, unless
            faults have a score: what was reached by faulty play is never worth more than honest
            play.
    """
    share = round(faulty, DIGITS) if benchmark.ranks_faults_last else 0.0
    signs = [-1 if breaker.better == "more" else 1 for breaker in benchmark.tie_breakers]
    broken = [round(tie, DIGITS) * sign for tie, sign in zip(ties, signs, strict=False)]
    return (share, -round(value, DIGITS), *broken)


def merits_of(
    benchmark: Benchmark,
    values: Mapping[Key, float],
    read_facts: Callable[[Key], Sequence[Facts]],
    faulty: Mapping[Key, float],
) -> dict[Key, Merit]:
    """Return the merits of agents; facts are read only of those whose headline values tie.

    Args:
        benchmark: Whose rule.
        values: The headline values.
        read_facts: Returns what happened in those of an agent's episodes whose facts count.
        faulty: The shares of the episodes that ended by the agent's fault; 0 for those left out.
    """
    shares = {key: faulty.get(key, 0.0) for key in values}
    firsts = {key: merit(benchmark, value, faulty=shares[key]) for key, value in values.items()}
    counts = Counter(firsts.values())
    return {
        key: merit(
            benchmark,
            values[key],
            _tie_values(benchmark, read_facts(key)),
            faulty=shares[key],
        )
        if counts[first] > 1
        else first
        for key, first in firsts.items()
    }


def _tie_values(benchmark: Benchmark, facts: Sequence[Facts]) -> list[float]:
    return [_reduce(breaker, facts) for breaker in benchmark.tie_breakers]


def summarise_facts(
    benchmark: Benchmark, scored: Sequence[ScoredEpisode]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return an agent's values of the tie-breakers and of the columns."""
    facts = facts_that_count(benchmark, scored)
    ties = tuple(_tie_values(benchmark, facts))
    return ties, tuple(_reduce(column, facts) for column in benchmark.columns)


def facts_that_count(benchmark: Benchmark, scored: Iterable[ScoredEpisode]) -> list[Facts]:
    """Return what happened in episodes, without those that are scored as faults."""
    return [
        one.episode.facts
        for one in scored
        if benchmark.ranks_faults_last or not one.episode.ending.faulty
    ]


def _reduce(figure: Column | TieBreaker, facts: Sequence[Facts]) -> float:
    """Return an agent's value of a figure; 0 if all its episodes are scored as faults."""
    return figure.aggregate(facts) if facts else 0.0


def ranks(merits: Sequence[Merit]) -> list[int]:
    """Return each merit's rank, counted from 1; equals share one and the next stay empty.

    Example:
        >>> ranks([(-5.0,), (-7.0,), (-5.0,), (-1.0,)])
        [2, 1, 2, 4]
    """
    first: dict[Merit, int] = {}
    for number, one in enumerate(sorted(merits), start=1):
        first.setdefault(one, number)
    return [first[one] for one in merits]


def episodes_by_agent(scored: Iterable[ScoredEpisode]) -> dict[int, list[ScoredEpisode]]:
    """Return the episodes of each agent, counted in the plan, in the order of their scenarios."""
    by_agent: dict[int, list[ScoredEpisode]] = {}
    for one in scored:
        by_agent.setdefault(one.episode.agent, []).append(one)
    for played in by_agent.values():
        played.sort(key=lambda one: one.episode.scenario)
    return by_agent


def find_leader(benchmark: Benchmark, plan: Plan, scored: Iterable[ScoredEpisode]) -> str | None:
    """Return the name of the agent that is ahead, or None before the first episode."""
    by_agent = episodes_by_agent(scored)
    facts = {agent: [one.episode.facts for one in played] for agent, played in by_agent.items()}
    values = {
        agent: headline(
            benchmark, facts[agent], [one.score.total for one in played], plan.options
        ).value
        for agent, played in by_agent.items()
    }
    counting = {agent: facts_that_count(benchmark, played) for agent, played in by_agent.items()}
    merits = merits_of(benchmark, values, counting.__getitem__, _faulty_shares(by_agent))
    order = sorted(merits, key=lambda agent: (merits[agent], plan.agents[agent].name))
    return plan.agents[order[0]].name if order else None


def merits_by_name(
    benchmark: Benchmark, plan: Plan, scored: Iterable[ScoredEpisode]
) -> dict[str, Merit]:
    """Return the merits of a run's agents, with all tie-breakers, by their names."""
    by_agent = episodes_by_agent(scored)
    shares = _faulty_shares(by_agent)
    merits = {}
    for agent, played in by_agent.items():
        facts, totals = [one.episode.facts for one in played], [one.score.total for one in played]
        value = headline(benchmark, facts, totals, plan.options).value
        ties = _tie_values(benchmark, facts_that_count(benchmark, played))
        merits[plan.agents[agent].name] = merit(benchmark, value, ties, faulty=shares[agent])
    return merits


def _faulty_shares(by_agent: Mapping[int, Sequence[ScoredEpisode]]) -> dict[int, float]:
    return {
        agent: fmean(one.episode.ending.faulty for one in played)
        for agent, played in by_agent.items()
    }
