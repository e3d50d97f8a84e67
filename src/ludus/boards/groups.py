"""Which agents can be told apart at all, from their scores in the same scenarios."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ludus.benchmarks import Number
from ludus.execution.plan import Plan
from ludus.runs.explain import scenario_name
from ludus.runs.summary import Summary
from ludus.stats import Race, compare_all

__all__ = ["LevelScores", "compare_agents", "group_letters", "run_letters", "scores_by_level"]

LevelScores = Mapping[tuple[str, int], Number]
"""An agent's totals by the scenario's name and number; scenarios of one name are one level."""


def scores_by_level(summary: Summary, plan: Plan) -> LevelScores:
    """Return an agent's totals by the scenarios of its plan."""
    return {(scenario_name(plan, k), k): total for k, total in sorted(summary.scores.items())}


def compare_agents(scores: Mapping[str, LevelScores]) -> Race | None:
    """Compare agents pair by pair on what all of them have played; None if that is nothing.

    Several episodes of one level count as one: what they have in common is the level's.
    """
    if not scores:
        return None
    common = set.intersection(*(set(totals) for totals in scores.values()))
    if not common:
        return None
    several = len({name for name, _ in common}) > 1
    paired = {
        agent: {key: float(totals[key]) for key in common} for agent, totals in scores.items()
    }
    return compare_all(paired, unit="level" if several else "episode")


def group_letters(
    scores: Mapping[str, LevelScores], faulty: Collection[str] = ()
) -> dict[str, str]:
    """Return each agent's groups as letters; agents that share one cannot be told apart.

    Args:
        scores: Each agent's totals.
        faulty: The agents with faults. They rank behind all others and are in no group.
    """
    race = compare_agents({agent: one for agent, one in scores.items() if agent not in faulty})
    return {agent: race.letters.get(agent, "") if race else "" for agent in scores}


def run_letters(summaries: Sequence[Summary], plan: Plan) -> dict[str, str]:
    """Return the letters of the agents of one run."""
    faulty = {summary.agent for summary in summaries if summary.faults}
    scores = {summary.agent: scores_by_level(summary, plan) for summary in summaries}
    return group_letters(scores, faulty)
