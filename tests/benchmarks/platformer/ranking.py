"""Standings of invented episodes, for tests of a benchmark's order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.benchmarks import Benchmark
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.plan import make_plan
from ludus.runs.store import ScoredEpisode
from ludus.runs.summary import rank, summarise

__all__ = ["standings"]


def standings(benchmark: Benchmark, facts: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Return the ranks of agents, best first, each with the facts of its one episode."""
    plan = make_plan(benchmark.id, list(facts), episodes=1)
    scored = [
        ScoredEpisode(
            Episode(number, number, 0, EpisodeEnding.FINISHED, "", b"", own, 1, 1.0),
            benchmark.score(own),
        )
        for number, own in enumerate(facts.values())
    ]
    summaries = summarise(benchmark, plan, scored)
    ranks = rank(benchmark, summaries)
    return {own.agent: place for own, place in zip(summaries, ranks, strict=True)}
