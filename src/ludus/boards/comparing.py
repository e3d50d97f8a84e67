"""Two results on the same scenarios: which is better, and is it more than chance?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import nan
from typing import NamedTuple

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards.entry import BoardEntry
from ludus.boards.groups import LevelScores, scores_by_level
from ludus.errors import RunError
from ludus.execution.sealing import SeasonMark
from ludus.runs.store import Run, Store
from ludus.runs.summary import summarise
from ludus.stats import Comparison, Estimate, compare_estimates, compare_two
from ludus.stats.pairing import Unit

__all__ = ["Contest", "compare_entries", "compare_runs"]

UNDECIDED = "cannot be told"


class Contest(NamedTuple):
    """Two agents' results, compared pair by pair.

    Attributes:
        first: One agent; with its run, if both have the same name.
        second: The other.
        scenarios: How many both played.
        comparison: What the statistics say.
        first_faults: How many of the first's episodes ended by its fault, by the ending.
        second_faults: How many of the second's.
        faults_first: Whether faults count before what the episodes show.
    """

    first: str
    second: str
    scenarios: int
    comparison: Comparison
    first_faults: Mapping[str, int]
    second_faults: Mapping[str, int]
    faults_first: bool = True

    @property
    def verdict(self) -> str:
        """Which agent is better: the one without faults, or the one that the episodes show."""
        kinds = (self.first_faults, self.second_faults) if self.faults_first else ({}, {})
        first, second = (sum(one.values()) for one in kinds)
        if bool(first) != bool(second):
            return self.second if first else self.first
        better = self.comparison.difference.value > 0
        if not self.comparison.separated or (first > second if better else second > first):
            return UNDECIDED
        return self.first if better else self.second


def compare_runs(first: str, second: str, store: Store) -> list[Contest]:
    """Compare agents of two runs on the scenarios that both played.

    Args:
        first: ``run:agent``, or a run. Of runs with several agents, those of one name are compared.
        second: The same.
        store: Where the runs are.

    Raises:
        RunError: The runs did not play the same, or have no agent to compare.
    """
    (run_a, name_a), (run_b, name_b) = _find_agent(first, store), _find_agent(second, store)
    _check_comparable(run_a, run_b)
    results_a, results_b = _results(run_a, store), _results(run_b, store)
    pairs = list(_pairs(name_a, name_b, list(results_a), list(results_b)))
    if not pairs:
        raise RunError(f"no agent is in both {run_a.id} and {run_b.id}: name two as run:agent")
    return [
        _contest(run_a, run_b, one, other, results_a.get(one), results_b.get(other))
        for one, other in pairs
    ]


def _find_agent(text: str, store: Store) -> tuple[Run, str | None]:
    id_, _, agent = text.partition(":")
    run = store.run(id_)
    names = [source.name for source in run.plan.agents]
    if agent and agent not in names:
        raise RunError(f"no agent {agent!r} in run {run.id}; it has {', '.join(names)}")
    return run, agent or (names[0] if len(names) == 1 else None)


def _check_comparable(run_a: Run, run_b: Run) -> None:
    for field in ("benchmark", "version", "rules", "seed", "season", "options"):
        ours, theirs = getattr(run_a.plan, field), getattr(run_b.plan, field)
        if ours != theirs:
            words = f"{_describe(ours)} and {_describe(theirs)}"
            verb = "are" if field == "options" else "is"
            raise RunError(
                f"runs {run_a.id} and {run_b.id} did not play the same: {field} {verb} {words}"
            )


def _describe(value: object) -> str:
    """Return what a plan has, as a message says it."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={one}" for name, one in value.items()) or "the default"
    if isinstance(value, SeasonMark):
        return value.name
    return "none" if value is None else str(value)


class _AgentResult(NamedTuple):
    scores: LevelScores
    faults: Mapping[str, int]
    headline: Estimate


NOTHING_PLAYED = _AgentResult({}, {}, Estimate(nan, nan, nan, 0.95, "none", 0))


def _results(run: Run, store: Store) -> dict[str, _AgentResult]:
    benchmark = find_benchmark(f"{run.benchmark}@{run.version}")
    summaries = summarise(benchmark, run.plan, store.episodes(run.id))
    return {
        summary.agent: _AgentResult(
            scores_by_level(summary, run.plan), summary.fault_kinds, summary.headline
        )
        for summary in summaries
    }


def _pairs(
    name_a: str | None, name_b: str | None, agents_a: list[str], agents_b: list[str]
) -> Iterator[tuple[str, str]]:
    if name_a and name_b:
        yield name_a, name_b
    else:
        wanted = name_a or name_b
        for agent in agents_a:
            if agent in agents_b and wanted in (None, agent):
                yield agent, agent


def _contest(
    run_a: Run,
    run_b: Run,
    one: str,
    other: str,
    result_a: _AgentResult | None,
    result_b: _AgentResult | None,
) -> Contest:
    scores_a, faults_a, headline_a = result_a or NOTHING_PLAYED
    scores_b, faults_b, headline_b = result_b or NOTHING_PLAYED
    common = [key for key in scores_a if key in scores_b]
    if not common:
        raise RunError(
            f"{one} and {other} have played no scenario both: ludus resume one of the runs"
        )
    benchmark = find_benchmark(f"{run_a.benchmark}@{run_a.version}")
    comparison = _compare(benchmark, common, (scores_a, scores_b), (headline_a, headline_b))
    first, second = (one, other) if one != other else (f"{run_a.id}:{one}", f"{run_b.id}:{other}")
    last = benchmark.ranks_faults_last
    return Contest(first, second, len(common), comparison, faults_a, faults_b, last)


def _compare(
    benchmark: Benchmark,
    common: Sequence[tuple[str, int]],
    scores: tuple[LevelScores, LevelScores],
    headlines: tuple[Estimate, Estimate],
) -> Comparison:
    """Compare two agents on what both played, by what the benchmark ranks by."""
    if benchmark.aggregate:
        return compare_estimates(*headlines)
    first, second = ({key: float(one[key]) for key in common} for one in scores)
    unit: Unit = "level" if len({name for name, _ in common}) > 1 else "episode"
    return compare_two(first, second, unit=unit, statistic=benchmark.statistic)


def compare_entries(benchmark: Benchmark, first: BoardEntry, second: BoardEntry) -> Contest | None:
    """Compare two entries of one board; None if they have played nothing both."""
    scores = first.scores, second.scores
    common = [key for key in scores[0] if key in scores[1]]
    if not common:
        return None
    headlines = first.summary.headline, second.summary.headline
    return Contest(
        first.agent,
        second.agent,
        len(common),
        _compare(benchmark, common, scores, headlines),
        first.summary.fault_kinds,
        second.summary.fault_kinds,
        benchmark.ranks_faults_last,
    )
