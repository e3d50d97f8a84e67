"""Agents that play their recorded games again: whether a record is of the agent that it names."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from ludus.agents import AgentSource, find
from ludus.benchmarks import Benchmark, find_benchmark
from ludus.benchmarks.benchmark import TrainAgain
from ludus.benchmarks.submitting import OWN_CODE
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import LudusError, OptionError
from ludus.execution.episode import Episode
from ludus.execution.executor import Executor
from ludus.execution.local import LocalExecutor
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.games.game import Game, HasOpponents, split_record
from ludus.runs.consent import (
    check_agents_agreed,
    check_scenarios_agreed,
)
from ludus.runs.differences import Difference
from ludus.runs.sealed import open_plan
from ludus.runs.store import Store

__all__ = ["Rerun", "rerun"]

OnEpisode = Callable[[int], None]
MODEL, OBJECT = "llm:", "object:"
NOTHING = "nothing: it ends here"
SETTINGS = "settings"


class Rerun(NamedTuple):
    """What came of letting agents play again.

    Attributes:
        differences: Where an agent played otherwise, or is another one.
        notes: Which agents could not be asked, and why.
        episodes: How many episodes each agent played again action by action; those that played
            all of them the same are in it and no others.
    """

    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    episodes: Mapping[str, int]


def rerun(
    id_: str,
    *,
    store: Store,
    episodes: int | None = None,
    executor: Executor | None = None,
    context: RunContext = DEFAULT_CONTEXT,
    on_episode: OnEpisode | None = None,
) -> Rerun:
    """Let the agents of a run play its scenarios again, and compare action by action.

    An agent is loaded from its spec, and is asked only if its fingerprint is that of the run. A
    learner is trained again.

    Args:
        id_: The run's id.
        store: Where it is kept.
        episodes: How many of each agent, drawn by chance; all if None. Of a run in order, all
            levels up to the last one drawn are played.
        executor: What plays; this machine's cores if None.
        context: What agents are loaded with.
        on_episode: Called with the number of each episode that was played again.

    Raises:
        OptionError: There are no episodes to play.
        RunError: There is no such run, or it was imported and names code that nobody agreed to.
    """
    if episodes is not None and episodes < 1:
        raise OptionError(f"{episodes} episodes are too few: give 1 or more")
    run = store.run(id_)
    trained = SETTINGS in run.plan.provenance or all(map(_is_own_code, run.plan.agents))
    # No code of others is run for that.
    (check_scenarios_agreed if trained else check_agents_agreed)(run)
    plan = open_plan(run, store)
    replayer = _Replayer(
        plan,
        find_benchmark(f"{plan.benchmark}@{plan.version}"),
        plan.check_rules(),
        executor or LocalExecutor(),
        context,
    )
    stored = {one.episode.number: one.episode for one in store.episodes(run.id)}
    for number, source in enumerate(plan.agents):
        numbers = [one.number for one in stored.values() if one.agent == number]
        sample = _draw(numbers, episodes)
        if plan.in_order and sample:  # a level depends on all before it
            sample = [one for one in sorted(numbers) if one <= sample[-1]]
        replayer.ask(source, [stored[one] for one in sample], on_episode)
    return Rerun(tuple(replayer.differences), tuple(replayer.notes), replayer.episodes)


def _draw(numbers: Sequence[int], count: int | None) -> list[int]:
    """Return some of the numbers, which nobody can foresee."""
    if count is None or count >= len(numbers):
        return sorted(numbers)
    return sorted(random.SystemRandom().sample(numbers, count))


@dataclass
class _Replayer:
    """Asks agents to play again and keeps what came of it."""

    plan: Plan
    benchmark: Benchmark
    game: Game
    executor: Executor
    context: RunContext
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    episodes: dict[str, int] = field(default_factory=dict)

    def ask(
        self, source: AgentSource, stored: Sequence[Episode], on_episode: OnEpisode | None
    ) -> None:
        """Let an agent play its episodes again, unless it cannot be asked."""
        obstacle = _find_obstacle(self.plan, source, self.game)
        if obstacle:
            self.notes.append(f"{source.name} was not played again: {obstacle}")
            return
        try:
            other = self._find_other(source)
            found = [] if other else list(self._compare_all(source, stored, on_episode))
        except LudusError as error:
            self.notes.append(f"{source.name} was not played again: {error}")
            return
        if other:
            self.differences.append(other)
        elif any(one is None for one in found):
            self.notes.append(f"{source.name} does not play the same twice: it cannot be re-run")
        else:
            self.differences += [one for changes in found for one in changes or ()]
            if not any(found):
                self.episodes[source.name] = len(stored)

    def _find_other(self, source: AgentSource) -> Difference | None:
        """Return that the agent of the spec is not the one of the run, if so."""
        if self._trainer:
            return None  # the settings that it is trained from are checked instead
        found = find(source.spec, self.game.agent_family, self.context).fingerprint
        if found == source.fingerprint:
            return None
        return Difference(None, f"fingerprint of {source.name}", source.fingerprint, found)

    @property
    def _trainer(self) -> TrainAgain | None:
        """What trains again, if the episodes are trainings that were submitted with settings."""
        return self.benchmark.train_again if SETTINGS in self.plan.provenance else None

    def _compare_all(
        self, source: AgentSource, stored: Sequence[Episode], on_episode: OnEpisode | None
    ) -> Iterator[list[Difference] | None]:
        """Yield the differences of each episode; None if the agent does not play the same twice."""
        waiting = {episode.number: episode for episode in stored}
        for number, record in self._play(source, stored):
            episode = waiting[number]
            changes = self._compare(episode, record)
            if changes and not self._trainer:
                again = dict(self._play(source, self._needed_for(episode, stored)))[number]
                yield changes if again == record else None
            else:
                yield changes
            if on_episode:
                on_episode(number)

    def _needed_for(self, episode: Episode, stored: Sequence[Episode]) -> list[Episode]:
        """Return what has to be played to come to an episode: in order, all levels before it."""
        if not self.plan.in_order:
            return [episode]
        return [one for one in stored if one.number <= episode.number]

    def _play(
        self, source: AgentSource, episodes: Sequence[Episode]
    ) -> Iterator[tuple[int, bytes]]:
        if self._trainer:
            yield from self._train(self._trainer, source, episodes)
            return
        for played in _split_at_faults(episodes) if self.plan.in_order else [episodes]:
            planned = [PlannedEpisode(one.number, one.agent, one.scenario) for one in played]
            for finished in self.executor.play(self.plan, planned, self.context):
                for episode in finished:
                    yield episode.number, episode.record

    def _train(
        self, train: TrainAgain, source: AgentSource, episodes: Sequence[Episode]
    ) -> Iterator[tuple[int, bytes]]:
        settings, seed = self.plan.provenance[SETTINGS], self.plan.seed
        known = source.spec, source.fingerprint, settings
        for episode in episodes:
            number, options = episode.scenario, self.plan.options
            yield episode.number, train(*known, seed=seed, number=number, options=options)

    def _compare(self, stored: Episode, record: bytes) -> list[Difference]:
        """Return the first action that is another; a fault may come at another step."""
        scenario = self.game.parse_scenario(self.plan.scenarios[stored.scenario])
        before, again = (split_record(self.game, scenario, one) for one in (stored.record, record))
        if stored.ending.faulty:
            shorter = min(len(before), len(again))
            before, again = before[:shorter], again[:shorter]
        pairs = enumerate(zip_longest(before, again, fillvalue=NOTHING))
        return [
            Difference(stored.number, f"action of step {step}", *pair)
            for step, pair in pairs
            if pair[0] != pair[1]
        ][:1]


def _split_at_faults(levels: Sequence[Episode]) -> Iterator[list[Episode]]:
    """Yield levels in order in stretches: agents begin anew after one that ended by a fault."""
    stretch: list[Episode] = []
    for level in levels:
        stretch.append(level)
        if level.ending.faulty:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _find_obstacle(plan: Plan, source: AgentSource, game: Game) -> str:
    """Return why an agent cannot be asked to play the same again, or nothing."""
    if source.spec.startswith(MODEL):
        return "a language model does not answer the same twice"
    if source.spec.startswith(OBJECT):
        return "it was a Python object of a session that is gone"
    if _is_own_code(source):
        return (
            "it is code of its submitter, which the store does not keep; 'ludus submit FOLDER "
            "--check --retrain N' trains it again in the sandbox, from the folder that holds it"
        )
    if isinstance(game, HasOpponents):
        models = _find_models(game, plan.scenarios)
        if models:
            return f"its opponent {models[0][:60]!r} does not answer the same twice"
    return ""


def _is_own_code(source: AgentSource) -> bool:
    """Return whether an agent was submitted as code that no catalogue knows."""
    return source.fingerprint.startswith(OWN_CODE)


def _find_models(game: HasOpponents, scenarios: Sequence[Mapping[str, Any]]) -> list[str]:
    specs = (spec for scenario in scenarios for spec in game.opponent_specs(scenario))
    return [spec for spec in specs if spec.startswith(MODEL)]
