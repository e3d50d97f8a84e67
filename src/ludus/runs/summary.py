"""An agent's episodes under one protocol, summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ludus.benchmarks import Benchmark, Number
from ludus.execution.plan import Plan
from ludus.limits import Usage
from ludus.runs.ranking import Merit, episodes_by_agent, headline, merit, ranks, summarise_facts
from ludus.runs.store import ScoredEpisode
from ludus.stats import Estimate

__all__ = ["Summary", "rank", "summarise"]


@dataclass(frozen=True, slots=True)
class Summary:
    """One agent's episodes.

    Attributes:
        agent: The agent's name.
        fingerprint: The digest of the file that defines it.
        headline: The value it is ranked by; a mean or a best has its interval.
        ties: The tie-breakers' values, in the benchmark's order.
        columns: The further figures that tables show, in the benchmark's order.
        scores: The totals by scenario.
        episodes: How many were played.
        faults: How many did not come to their end.
        steps: How often the agent was asked, in all.
        seconds: How long they took, in all.
        fault_kinds: How many did not come to their end, by the ending: ``crashed``,
            ``disqualified``, ``guest failed``.
        usage: What the agent used for all of them, as far as it was measured in each.
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
    fault_kinds: Mapping[str, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)


def summarise(benchmark: Benchmark, plan: Plan, scored: Iterable[ScoredEpisode]) -> list[Summary]:
    """Return the agents' summaries, the best first; agents without an episode are left out."""
    by_agent = episodes_by_agent(scored)
    summaries = [
        _summarise_one(benchmark, plan, number, played) for number, played in by_agent.items()
    ]
    return sorted(summaries, key=lambda summary: (*_merit(benchmark, summary), summary.agent))


def rank(benchmark: Benchmark, summaries: Sequence[Summary]) -> list[int]:
    """Return each summary's rank, counted from 1; equals share one and the next stay empty."""
    return ranks([_merit(benchmark, summary) for summary in summaries])


def _merit(benchmark: Benchmark, summary: Summary) -> Merit:
    faulty = summary.faults / summary.episodes if summary.episodes else 0.0
    return merit(benchmark, summary.headline.value, summary.ties, faulty=faulty)


def _summarise_one(
    benchmark: Benchmark, plan: Plan, number: int, scored: Sequence[ScoredEpisode]
) -> Summary:
    facts = [one.episode.facts for one in scored]
    ties, columns = summarise_facts(benchmark, scored)
    source = plan.agents[number]
    faults = Counter(str(one.episode.ending) for one in scored if one.episode.ending.faulty)
    return Summary(
        agent=source.name,
        fingerprint=source.fingerprint,
        headline=headline(benchmark, facts, [one.score.total for one in scored], plan.options),
        ties=ties,
        columns=columns,
        scores={one.episode.scenario: one.score.total for one in scored},
        episodes=len(scored),
        faults=faults.total(),
        steps=sum(one.episode.steps for one in scored),
        seconds=sum(one.episode.seconds for one in scored),
        fault_kinds=dict(sorted(faults.items())),
        usage=Usage.sum(one.episode.usage for one in scored),
    )
