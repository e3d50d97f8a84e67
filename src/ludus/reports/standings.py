"""The standings of a run: a table for people, plain values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ludus.benchmarks import Benchmark
from ludus.boards.columns import (
    BAND,
    FAULTS,
    format_faults,
    format_figure,
    format_time,
    name_columns,
    place_figures,
    time_heading,
)
from ludus.boards.costs import CostColumn, explain_costs, find_cost_columns
from ludus.boards.entry import BoardKey
from ludus.boards.estimates import describe_intervals, format_estimate, interval_values
from ludus.boards.formats import describe_faults
from ludus.boards.groups import describe_letters, run_letters
from ludus.reports.tables import Bar, TableView
from ludus.runs import Plan, Run, ScoredEpisode, Summary, rank, summarise

__all__ = ["list_faults", "run_values", "standings_values", "standings_view", "view_of_run"]

MOST_NUMBERS = 5


def view_of_run(
    run: Run, benchmark: Benchmark, summaries: Sequence[Summary], scored: Iterable[ScoredEpisode]
) -> TableView:
    """Return the standings of a run, with what went wrong in it as notes."""
    plan = run.plan
    title = (
        f"{benchmark.rule}, {BoardKey.of_plan(plan)}, {count_episodes(len(plan.scenarios))} each"
    )
    letters = run_letters(benchmark, summaries, plan)
    return standings_view(benchmark, summaries, letters, title, list_faults(plan, scored))


def standings_view(
    benchmark: Benchmark,
    summaries: Sequence[Summary],
    letters: Mapping[str, str],
    title: str,
    notes: Sequence[str] = (),
) -> TableView:
    """Return standings, best first.

    Args:
        benchmark: What was played.
        summaries: The agents', best first.
        letters: The groups of agents that cannot be told apart.
        title: What stands above.
        notes: What stands below.
    """
    ties = [breaker.name for breaker in benchmark.tie_breakers]
    summed, beside, behind = name_columns(benchmark)
    ranks = rank(benchmark, summaries)
    faults = [FAULTS] if any(summary.faults for summary in summaries) else []
    band = [BAND] if benchmark.grade else []
    first = ["#", "agent", *summed, benchmark.headline, *band, *faults]
    costs = find_cost_columns(summaries, in_seconds=benchmark.times_in_seconds)
    cost_names, time = [cost.name for cost in costs], time_heading(benchmark)
    return TableView(
        title=title,
        headings=[*first, "group", *beside, *ties, *cost_names, *behind, time],
        rows=[
            _row(benchmark, *pair, letters, costs, faults=bool(faults))
            for pair in zip(ranks, summaries, strict=True)
        ],
        left=(1,),
        fold=(1,),
        keep=len(first) + (not summed),
        caption=_caption(benchmark, summaries),
        legend={
            "group": describe_letters(letters.values()),
            **explain_costs(costs),
        },
        notes=notes,
        bars=[_bar(summary) for summary in summaries],
        bar_column=2 + len(summed),
    )


def _row(
    benchmark: Benchmark,
    position: int,
    summary: Summary,
    letters: Mapping[str, str],
    costs: Sequence[CostColumn],
    *,
    faults: bool,
) -> list[str]:
    summed, beside, behind = place_figures(benchmark, summary)
    return [
        str(position),
        summary.agent,
        *summed,
        format_estimate(summary.headline, benchmark.digits),
        *([benchmark.grade(summary.headline.value)] if benchmark.grade else []),
        *([format_faults(summary.fault_kinds)] if faults else []),
        letters.get(summary.agent, ""),
        *beside,
        *map(format_figure, benchmark.tie_breakers, summary.ties),
        *(cost.cell(summary) for cost in costs),
        *behind,
        format_time(benchmark, summary),
    ]


def _bar(summary: Summary) -> Bar:
    return Bar(summary.headline.value, summary.headline.low, summary.headline.high)


def _caption(benchmark: Benchmark, summaries: Sequence[Summary]) -> str:
    signs = describe_intervals(summary.headline for summary in summaries)
    sentences = [signs]
    if any(summary.faults for summary in summaries):
        sentences.append(describe_faults(benchmark))
    return " ".join(filter(None, sentences))


def list_faults(plan: Plan, scored: Iterable[ScoredEpisode]) -> list[str]:
    """Return a line for each way in which agents failed, the most frequent first."""
    faults: dict[tuple[str, str, str], list[int]] = {}
    for episode in (one.episode for one in scored if one.episode.ending.faulty):
        kind = plan.agents[episode.agent].name, str(episode.ending), episode.reason
        faults.setdefault(kind, []).append(episode.number)
    return [
        f"{agent}: {ending} in {format_episodes(numbers)}: {reason}"
        for (agent, ending, reason), numbers in sorted(
            faults.items(), key=lambda item: -len(item[1])
        )
    ]


def count_episodes(number: int) -> str:
    """Return how many episodes there are, in words that fit one as well.

    Example:
        >>> count_episodes(1), count_episodes(1_200)
        ('1 episode', '1,200 episodes')
    """
    return "1 episode" if number == 1 else f"{number:,} episodes"


def format_episodes(numbers: Sequence[int]) -> str:
    """Return the numbers of episodes, of many the first few and how many there are.

    Example:
        >>> format_episodes([3]), format_episodes([1, 2, 5]), format_episodes(range(99))
        ('episode 3', 'episodes 1, 2, 5', '99 episodes: 0, 1, 2, 3, 4, …')
    """
    if len(numbers) == 1:
        return f"episode {numbers[0]}"
    listed = ", ".join(map(str, numbers[:MOST_NUMBERS]))
    if len(numbers) <= MOST_NUMBERS:
        return f"episodes {listed}"
    return f"{len(numbers)} episodes: {listed}, …"


def run_values(run: Run, benchmark: Benchmark, scored: Iterable[ScoredEpisode]) -> dict[str, Any]:
    """Return a run and its standings as plain values."""
    plan = run.plan
    summaries = summarise(benchmark, plan, scored)
    letters = run_letters(benchmark, summaries, plan)
    return {
        "run": run.id,
        "created": run.created.isoformat(),
        "benchmark": run.benchmark,
        "version": run.version,
        "seed": plan.seed,
        "season": plan.season.name if plan.season else None,
        "options": dict(plan.options),
        "rules": plan.rules,
        "engine": plan.rules,  # what earlier releases call it
        "provenance": dict(plan.provenance),
        "identity": run.identity,
        "planned": run.planned,
        "played": run.played,
        "standings": standings_values(benchmark, summaries, letters),
    }


def standings_values(
    benchmark: Benchmark, summaries: Sequence[Summary], letters: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return standings as plain values, one object an agent."""
    return [
        {
            "rank": position,
            "group": letters.get(summary.agent, ""),
            "agent": summary.agent,
            "fingerprint": summary.fingerprint,
            "headline": summary.headline._asdict(),
            **interval_values(summary.headline),
            "ties": {b.name: v for b, v in zip(benchmark.tie_breakers, summary.ties, strict=True)},
            "columns": {c.name: v for c, v in zip(benchmark.columns, summary.columns, strict=True)},
            "scores": list(summary.scores.values()),
            "episodes": summary.episodes,
            "faults": summary.faults,
            "fault_kinds": dict(summary.fault_kinds),
            "steps": summary.steps,
            "seconds": summary.seconds,
            "usage": asdict(summary.usage),
        }
        for position, summary in zip(rank(benchmark, summaries), summaries, strict=True)
    ]
