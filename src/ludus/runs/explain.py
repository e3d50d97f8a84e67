"""Why an episode has the score it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ludus.benchmarks import Number, find_benchmark
from ludus.errors import RunError
from ludus.execution.episode import Episode
from ludus.execution.plan import Plan
from ludus.runs.facts import Fact, WatchedFacts
from ludus.runs.store import ScoredEpisode, Store

__all__ = ["Explanation", "explain", "find_episode", "scenario_name"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """How the facts of an episode become its score.

    Attributes:
        run: The run's id.
        episode: The episode.
        agent: Who played it.
        scenario: What was played.
        rule: The scoring rule's name and version.
        formula: The rule in words and signs.
        facts: What the rule looked at.
        parts: What the score is made of, by name.
        total: The score as the rule gives it now.
        stored: The score as the run has it.
        rules: The rule sets it was played by.
        provenance: What the run was planned with.
        faults: The numbers of all episodes of the agent in the run that ended by its fault.
        fault_rule: How the episode counts because it ended so; nothing if it did not.
    """

    run: str
    episode: Episode
    agent: str
    scenario: str
    rule: str
    formula: str
    facts: dict[str, Fact]
    parts: dict[str, Number]
    total: Number
    stored: Number
    rules: str
    provenance: Mapping[str, str]
    faults: tuple[int, ...] = ()
    fault_rule: str = ""


def explain(run: str, number: int, store: Store) -> Explanation:
    """Explain the score of a run's episode.

    Raises:
        RunError: There is no such run or episode.
        BenchmarkError: This Ludus has another version of its benchmark, or none.
    """
    stored = store.run(run)
    benchmark = find_benchmark(f"{stored.benchmark}@{stored.version}")
    scored = find_episode(stored.id, number, store)
    episode = scored.episode
    facts = WatchedFacts(episode.facts)
    score = benchmark.score_play(facts, episode.ending)
    return Explanation(
        run=stored.id,
        episode=episode,
        agent=stored.plan.agents[episode.agent].name,
        scenario=scenario_name(stored.plan, episode.scenario),
        rule=benchmark.rule,
        formula=benchmark.formula_for(stored.plan.options),
        fault_rule=benchmark.describe_faults() if episode.ending.faulty else "",
        facts=facts.read,
        parts=dict(score.parts),
        total=score.total,
        stored=scored.score.total,
        rules=stored.plan.rules,
        provenance=stored.plan.provenance,
        faults=tuple(store.faulty_numbers(stored.id, episode.agent)),
    )


def find_episode(run: str, number: int, store: Store) -> ScoredEpisode:
    """Return one episode of a run.

    Raises:
        RunError: It has none of this number, or has not played it yet.
    """
    stored = store.run(run)
    for one in store.episodes(stored.id, [number]):
        return one
    if 0 <= number < stored.planned:
        raise RunError(f"episode {number} is not played yet: ludus resume {stored.id}")
    raise RunError(f"run {stored.id} has no episode {number}: it has 0 to {stored.planned - 1}")


def scenario_name(plan: Plan, number: int) -> str:
    """Return the name of a plan's scenario, as tables show it."""
    return str(plan.scenarios[number].get("name") or f"scenario {number}")
