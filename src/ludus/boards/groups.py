"""Which agents can be told apart at all, from their scores in the same scenarios."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ludus.benchmarks import Benchmark, Number
from ludus.execution.plan import Plan
from ludus.runs.explain import scenario_name
from ludus.runs.summary import Summary
from ludus.stats import Estimate, estimate_letters
from ludus.stats.compare import Statistic
from ludus.stats.grouping import TooManyGroups, format_range, overlap_groups, paired_letters

__all__ = [
    "LETTERS_CAPTION",
    "OVERLAP_CAPTION",
    "LevelScores",
    "describe_letters",
    "group_letters",
    "run_letters",
    "scores_by_level",
    "summary_letters",
]

MOST_COMPARED = 50
"""So many agents are compared pair by pair."""

LETTERS_CAPTION = "Agents that share a letter cannot be told apart."
OVERLAP_CAPTION = "Agents whose intervals overlap share a letter; c–f stands for c, d, e, f."

LevelScores = Mapping[tuple[str, int], Number]
"""An agent's totals by the scenario's name and number; scenarios of one name are one level."""


def scores_by_level(summary: Summary, plan: Plan) -> LevelScores:
    """Return an agent's totals by the scenarios of its plan."""
    return {(scenario_name(plan, k), k): total for k, total in sorted(summary.scores.items())}


def group_letters(
    scores: Mapping[str, LevelScores],
    headlines: Mapping[str, Estimate],
    faulty: Collection[str] = (),
    statistic: Statistic = "mean",
) -> dict[str, str]:
    """Return each agent's groups as letters; agents that share one cannot be told apart.

    Up to 50 agents are compared pair by pair on what all of them have played. Several episodes of
    one level count as one: what they have in common is the level's. More than 50 share a letter if
    the intervals of their headline values overlap.

    Args:
        scores: Each agent's totals.
        headlines: The values that they are ranked by.
        faulty: The agents with faults. They rank behind all others and are in no group.
        statistic: What they are ranked by.
    """
    honest = [agent for agent in scores if agent not in faulty]
    letters = dict.fromkeys(scores, "")
    try:
        if len(honest) > MOST_COMPARED:
            raise TooManyGroups
        return letters | _compare_pairs({agent: scores[agent] for agent in honest}, statistic)
    except TooManyGroups:
        return letters | _overlap_letters({agent: headlines[agent] for agent in honest})


def _overlap_letters(headlines: Mapping[str, Estimate]) -> dict[str, str]:
    ranges = overlap_groups(list(headlines.values()))
    return dict(zip(headlines, map(format_range, ranges), strict=True))


def _compare_pairs(scores: Mapping[str, LevelScores], statistic: Statistic) -> dict[str, str]:
    common = set.intersection(*(set(totals) for totals in scores.values())) if scores else set()
    if not common:
        return {}
    several = len({name for name, _ in common}) > 1
    paired = {
        agent: {key: float(totals[key]) for key in common} for agent, totals in scores.items()
    }
    return paired_letters(paired, "level" if several else "episode", statistic)


def describe_letters(letters: Collection[str]) -> str:
    """Return the sentence on what the letters of a table mean."""
    by_interval = len(letters) > MOST_COMPARED or any("–" in text for text in letters)
    return OVERLAP_CAPTION if by_interval else LETTERS_CAPTION


def summary_letters(
    benchmark: Benchmark, summaries: Sequence[Summary], scores: Mapping[str, LevelScores]
) -> dict[str, str]:
    """Return the letters of agents by the statistic that they are ranked by.

    Args:
        benchmark: Whose ranking. One that makes its value itself, by a rule that totals alone do
            not tell, has its agents compared by their intervals; without those, nobody can be told.
        summaries: The agents'.
        scores: Their totals.
    """
    last = benchmark.ranks_faults_last
    faulty = {summary.agent for summary in summaries if summary.faults and last}
    headlines = {summary.agent: summary.headline for summary in summaries}
    if benchmark.aggregate is None or len(summaries) > MOST_COMPARED:
        return group_letters(scores, headlines, faulty, benchmark.statistic)
    sound = {agent: one for agent, one in headlines.items() if agent not in faulty}
    letters = dict.fromkeys(headlines, "")
    try:
        return letters | estimate_letters(sound)
    except TooManyGroups:
        return letters | _overlap_letters(sound)


def run_letters(benchmark: Benchmark, summaries: Sequence[Summary], plan: Plan) -> dict[str, str]:
    """Return the letters of the agents of one run."""
    scores = {summary.agent: scores_by_level(summary, plan) for summary in summaries}
    return summary_letters(benchmark, summaries, scores)
