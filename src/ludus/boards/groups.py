"""Which agents can be told apart at all, from their scores in the same scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludus.benchmarks import Number
from ludus.execution.plan import Plan
from ludus.runs.explain import scenario_name
from ludus.runs.summary import Summary
from ludus.stats import Race, compare_all

__all__ = ["Levels", "levels_of", "race"]

Levels = Mapping[tuple[str, int], Number]
"""An agent's totals by the scenario's name and number; scenarios of one name are one level."""


def levels_of(summary: Summary, plan: Plan) -> Levels:
    """Return an agent's totals by the scenarios of its plan."""
    return {(scenario_name(plan, k), k): total for k, total in sorted(summary.scores.items())}


def race(scores: Mapping[str, Levels]) -> Race | None:
    """Compare agents pair by pair on what all of them have played; None if that is nothing.

    Several episodes of one level count as one: what they have in common is the level's.
    """
    if not scores:
        return None
    common = set.intersection(*(set(own) for own in scores.values()))
    if not common:
        return None
    several = len({name for name, _ in common}) > 1
    paired = {agent: {key: float(own[key]) for key in common} for agent, own in scores.items()}
    return compare_all(paired, unit="level" if several else "episode")


def letters(scores: Mapping[str, Levels]) -> dict[str, str]:
    """Return each agent's groups as letters; agents that share one cannot be told apart."""
    found = race(scores)
    return found.letters if found else dict.fromkeys(scores, "")


def letters_of_run(summaries: Sequence[Summary], plan: Plan) -> dict[str, str]:
    """Return the letters of the agents of one run."""
    return letters({summary.agent: levels_of(summary, plan) for summary in summaries})
