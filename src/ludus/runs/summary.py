"""An agent's episodes under one protocol, summed up, and who is ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan

from ludus.benchmarks import Benchmark, Number
from ludus.execution.episode import EpisodeEnding
from ludus.execution.plan import Plan
from ludus.games.game import Facts
from ludus.runs.store import ScoredEpisode
from ludus.stats import Estimate, mean_interval

__all__ = ["Summary", "headline", "rank", "summarise"]


LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Summary:
    """One agent's episodes.

    Attributes:
        agent: The agent's name.
        fingerprint: The digest of the file that defines it.
        headline: The value it is ranked by; a mean has its interval.
        ties: The tie-breakers' values, in the benchmark's order.
        columns: The further figures that tables show, in the benchmark's order.
        scores: The totals by scenario.
        episodes: How many were played.
        faults: How many ended by the agent's fault.
        steps: How often the agent was asked, in all.
        seconds: How long they took, in all.
    """

    agent: str
    fingerprint: str
    headline: Estimate
    ties: tuple[float, ...]
    columns: tuple[float, ...]
    scores: dict[int, Number]
    episodes: int
    faults: int
    steps: int
    seconds: float


def summarise(benchmark: Benchmark, plan: Plan, scored: Iterable[ScoredEpisode]) -> list[Summary]:
    """Return the agents' summaries, the best first; agents without an episode are left out."""
    by_agent: dict[int, list[ScoredEpisode]] = {}
    for one in scored:
        by_agent.setdefault(one.episode.agent, []).append(one)
    summaries = [_summary(benchmark, plan, number, own) for number, own in by_agent.items()]
    return sorted(summaries, key=lambda summary: (*_merit(benchmark, summary), summary.agent))


def rank(benchmark: Benchmark, summaries: Sequence[Summary]) -> list[int]:
    """Return each summary's rank, counted from 1; equals share one and the next stay empty."""
    merits = [_merit(benchmark, summary) for summary in summaries]
    return [1 + sum(other < merit for other in merits) for merit in merits]


def headline(benchmark: Benchmark, facts: Sequence[Facts], totals: Sequence[Number]) -> Estimate:
    """Return what an agent is ranked by: the benchmark's own value, or the mean with interval."""
    if benchmark.aggregate is None:
        return mean_interval([float(total) for total in totals])
    made = benchmark.aggregate(facts, totals)
    value, low, high = made if isinstance(made, tuple) else (made, nan, nan)
    n = len(totals)
    return Estimate(float(value), float(low), float(high), LEVEL, benchmark.aggregate_name, n)


def _merit(benchmark: Benchmark, summary: Summary) -> tuple[float, ...]:
    """Return what agents are ranked by, less being better; rounded beyond what means can tell."""
    values = [-round(summary.headline.value, 9)]
    for breaker, value in zip(benchmark.tie_breakers, summary.ties, strict=True):
        values.append(round(value, 9) * (-1 if breaker.better == "more" else 1))
    return tuple(values)


def _summary(benchmark: Benchmark, plan: Plan, number: int, own: list[ScoredEpisode]) -> Summary:
    own = sorted(own, key=lambda one: one.episode.scenario)
    facts = [one.episode.facts for one in own]
    source = plan.agents[number]
    return Summary(
        agent=source.name,
        fingerprint=source.fingerprint,
        headline=headline(benchmark, facts, [one.score.total for one in own]),
        ties=tuple(breaker.aggregate(facts) for breaker in benchmark.tie_breakers),
        columns=tuple(column.aggregate(facts) for column in benchmark.columns),
        scores={one.episode.scenario: one.score.total for one in own},
        episodes=len(own),
        faults=sum(one.episode.ending is not EpisodeEnding.FINISHED for one in own),
        steps=sum(one.episode.steps for one in own),
        seconds=sum(one.episode.seconds for one in own),
    )
