"""One episode, from its planned to its record, whatever the agent does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter, thread_time
from typing import Any

from ludus.agents.isolation import AgentProcess, open_agent
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Agent, Closes, Declares, Learns, Remembers
from ludus.errors import (
    ActionError,
    AgentFault,
    AgentLate,
    AgentOverBudget,
    AgentOverLimit,
    LudusError,
    Paused,
    clean_text,
    format_error,
)
from ludus.execution.asking import call_within_budget, hold_learning_to_limits, hold_to_limits
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.inflight import Checkpoint, Inflight
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.games.game import (
    Checkpointable,
    Game,
    HasEmptyAction,
    HasOpponents,
    HasTraining,
    Match,
    Resumable,
    RoundBased,
    SavesSeldom,
    find_game,
    scenario_for_agent,
)
from ludus.limits import Usage

__all__ = [
    "MAX_TRIES",
    "Stage",
    "failed_episode",
    "open_game",
    "play_match",
    "play_to_json",
]

DIED = "its process died"
MAX_TRIES = 3
"""How often an episode is begun if a process that plays it dies."""


class Stage:
    """Where a plan's episodes are played: loads each agent and scenario once, when needed.

    Args:
        plan: What is played.
        context: What the run allows its agents. Episodes that take long leave what it takes to go
            on in its folder, if it has one.
        agents: Agents of this process by their number in the plan; others are loaded. They are
            held to the plan's seconds here, since no other process can stop them.
    """

    def __init__(
        self,
        plan: Plan,
        context: RunContext = DEFAULT_CONTEXT,
        agents: Mapping[int, Agent[Any, Any, Any]] | None = None,
    ) -> None:
        self._plan = plan
        self._context = replace(context, limits=plan.limits)
        self._inflight = Inflight(context.folder) if context.folder else None
        self._game = open_game(plan.game, self._context)
        self._objects = dict(agents or {})
        self._shared = isinstance(self._game, HasOpponents)  # others play in this process, too
        self._agents: dict[int, Agent[Any, Any, Any]] = {}
        self._scenarios: dict[int, Any] = {}

    def play(self, planned: PlannedEpisode) -> Episode:
        """Play one episode and return its record; an agent's faults end it, not the run.

        Raises:
            Paused: The run cannot go on now. What was played is kept for later.
        """
        episode = self._play_once(planned)
        for _ in range(MAX_TRIES - 1):
            if episode.reason.startswith(DIED):
                episode = self._play_once(planned)
        if not episode.reason.startswith(DIED):
            return episode
        why = episode.reason.removeprefix(DIED)
        return replace(episode, reason=f"{DIED} {MAX_TRIES} times{why}")

    def _play_once(self, planned: PlannedEpisode) -> Episode:
        match, checkpoint = self._begin(planned)
        started = thread_time()
        try:
            episode = self._play_from(checkpoint, planned, match)
        finally:
            _close(match)
            usage = self._end_episode(planned.agent, thread_time() - started)
        return replace(episode, usage=usage)

    def _play_from(self, checkpoint: Checkpoint, planned: PlannedEpisode, match: Match) -> Episode:
        started = perf_counter() - checkpoint.seconds
        try:
            agent = self._agent(planned.agent)
            ending, reason, steps = play_match(
                agent,
                self._scenario(planned.scenario),
                match,
                self._plan.limits.steps,
                act=hold_to_limits(agent, self._plan.limits),
                learn=hold_learning_to_limits(agent, self._plan.limits),
                first_step=checkpoint.steps,
                after_step=self._checkpoint_writer(planned, agent, match, started),
                most_seconds=self._plan.limits.seconds if planned.agent in self._objects else 0,
                goes_on=self._plan.limits.over_budget == "no-action",
            )
        except Paused:
            raise
        except Exception as error:  # the agent cannot even be made
            (ending, reason), steps = _judge(error), 0
        return Episode(
            number=planned.number,
            agent=planned.agent,
            scenario=planned.scenario,
            ending=ending,
            reason=reason,
            record=match.record(),
            facts=match.facts(),
            steps=steps,
            seconds=perf_counter() - started,
        )

    def profile(self, number: int) -> Mapping[str, Any] | None:
        """Return where an agent's work went; None if its process is gone.

        Raises:
            AgentFault: It was not counted.
        """
        agent = self._agents.get(number)
        return agent.profile() if isinstance(agent, AgentProcess) and not agent.gone else None

    def close(self) -> None:
        """Close the agents that have a ``close``."""
        for agent in self._agents.values():
            _close(agent)
        self._agents.clear()

    def _begin(self, planned: PlannedEpisode) -> tuple[Match, Checkpoint]:
        """Return a match to play: where it was left, or from its start."""
        scenario = self._scenario(planned.scenario)
        checkpoint = self._inflight.read(planned.number) if self._inflight else None
        if checkpoint and isinstance(self._game, Resumable):
            with suppress(LudusError):  # what cannot be restored is begun anew
                return self._game.restore(scenario, checkpoint.state), checkpoint
        try:
            return self._game.begin(scenario), Checkpoint(0, 0.0, b"")
        except LudusError as error:  # nothing the agent could do about it
            raise Paused(f"no match can begin: {error}") from error

    def _checkpoint_writer(
        self, planned: PlannedEpisode, agent: Agent[Any, Any, Any], match: Match, started: float
    ) -> Callable[[int], None] | None:
        """Return what saves the match after a step, if somebody has something to lose."""
        inflight = self._inflight
        if inflight is None or not isinstance(match, Checkpointable):
            return None
        if not isinstance(agent, Remembers) and not match.worth_checkpointing:
            return None

        seldom = match if isinstance(match, SavesSeldom) else None

        def save(steps: int) -> None:
            if seldom and not seldom.checkpoint_due:
                return
            state = match.checkpoint(agent.memory() if isinstance(agent, Remembers) else None)
            inflight.write(planned.number, Checkpoint(steps, perf_counter() - started, state))

        return save

    def _agent(self, number: int) -> Agent[Any, Any, Any]:
        if number in self._objects:
            return self._objects[number]
        if number not in self._agents:
            spec = self._plan.agents[number].spec
            family, game = self._game.agent_family, self._game.name
            self._agents[number] = open_agent(spec, family, self._context, game=game)
        return self._agents[number]

    def _end_episode(self, number: int, seconds: float) -> Usage:
        """Return what an agent used; forget its process if that was ended.

        Of an agent in this process nobody knows more than the time of both, game and agent.
        """
        agent = self._agents.get(number)
        if not isinstance(agent, AgentProcess):
            return Usage() if self._shared else Usage(processor_seconds=seconds)
        usage = agent.end_episode()
        if agent.gone:
            del self._agents[number]
        return usage

    def _scenario(self, number: int) -> Any:
        if number not in self._scenarios:
            self._scenarios[number] = self._game.parse_scenario(self._plan.scenarios[number])
        return self._scenarios[number]


def open_game(name: str, context: RunContext = DEFAULT_CONTEXT) -> Game:
    """Return the game of this name, with opponents that are loaded as agents of the run are."""
    game = find_game(name)
    if not isinstance(game, HasOpponents):
        return game
    opening = partial(open_agent, family=game.agent_family, context=context, game=game.name)
    return game.with_opponents(opening)


def play_match(
    agent: Agent[Any, Any, Any],
    scenario: Any,
    match: Match,
    most_steps: int = 0,
    *,
    act: Callable[[Any], Any] | None = None,
    learn: Callable[[Mapping[str, Any]], None] | None = None,
    first_step: int = 0,
    after_step: Callable[[int], None] | None = None,
    most_seconds: float = 0,
    goes_on: bool = True,
) -> tuple[EpisodeEnding, str, int]:
    """Let the agent play the match to its end; return how it ended, why, and the steps.

    Args:
        agent: Who plays.
        scenario: What is played. The agent is told what it may know of it, with a seed of its own.
        match: The play, at its start or where it was left.
        most_steps: How often the agent may be asked; 0 for no limit.
        act: What asks it; its own ``act`` if None.
        learn: What lets it learn; its own ``learn`` if None.
        first_step: How often it was asked before the match was left.
        after_step: Called after every step with their number.
        most_seconds: After how long the agent is asked no more; 0 for no limit.
        goes_on: Whether the empty action is played for a decision that is over its budget.

    Raises:
        Paused: The run cannot go on now.
    """
    steps, started = first_step, perf_counter()

    def reset(scenario: Any) -> None:
        call_within_budget(agent.reset, scenario_for_agent(scenario), goes_on)

    try:
        reset(scenario)
        if isinstance(match, HasTraining):
            can_learn = learn or (agent.learn if isinstance(agent, Learns) else None)
            match.after_each_training_play(
                can_learn and partial(call_within_budget, can_learn, goes_on=goes_on)
            )
        if isinstance(match, RoundBased):
            declared = agent.declared if isinstance(agent, Declares) else {}
            match.before_each_round(reset, declared)
        restored = match.memory if isinstance(match, Checkpointable) else None
        if restored is not None and isinstance(agent, Remembers):
            agent.recall(restored)
        ask, answer = act or agent.act, match.step
        while not match.over:
            if most_steps and steps >= most_steps:
                return EpisodeEnding.DISQUALIFIED, f"used up its {most_steps} steps", steps
            if most_seconds and perf_counter() - started > most_seconds:
                return (
                    EpisodeEnding.DISQUALIFIED,
                    f"took longer than {most_seconds:g} seconds",
                    steps,
                )
            try:
                action = ask(match.observation)
            except AgentOverBudget as error:
                action = _find_empty_action(match, error, goes_on)
            answer(action)
            steps += 1
            if after_step:
                after_step(steps)
    except Paused:
        raise
    except Exception as error:  # whatever an agent may raise
        return *_judge(error), steps
    return EpisodeEnding.FINISHED, "", steps


def _find_empty_action(match: Match, error: AgentOverBudget, goes_on: bool) -> Any:
    """Return what is played for a decision over its budget, or raise the error."""
    if goes_on and error.of == "decision" and isinstance(match, HasEmptyAction):
        return match.empty_action
    raise error


def _judge(error: Exception) -> tuple[EpisodeEnding, str]:
    """Return how an episode ends by an error, and the reason that tables show."""
    if isinstance(error, AgentFault):
        late = isinstance(error, AgentLate | AgentOverLimit)
        return EpisodeEnding.DISQUALIFIED if late else EpisodeEnding.CRASHED, clean_text(error)
    refused = isinstance(error, ActionError)
    ending = EpisodeEnding.DISQUALIFIED if refused else EpisodeEnding.CRASHED
    return ending, clean_text(format_error(error))


def failed_episode(
    plan: Plan,
    planned: PlannedEpisode,
    ending: EpisodeEnding,
    reason: str,
    seconds: float,
    context: RunContext = DEFAULT_CONTEXT,
) -> Episode:
    """Return the record of an episode whose process died or was stopped.

    Args:
        plan: What was to be played.
        planned: Which of it.
        ending: How it ended.
        reason: Why.
        seconds: How long it took.
        context: In its folder, the episode may have left a checkpoint: then the record goes as far
            as that.
    """
    game = open_game(plan.game, context)
    scenario = game.parse_scenario(plan.scenarios[planned.scenario])
    record, facts, steps = b"", game.replay(scenario, b""), 0
    checkpoint = Inflight(context.folder).read(planned.number) if context.folder else None
    if checkpoint and isinstance(game, Resumable):
        with suppress(LudusError):  # what cannot be restored is left out
            match = game.restore(scenario, checkpoint.state)
            record, facts, steps = match.record(), match.facts(), checkpoint.steps
    return Episode(
        planned.number,
        planned.agent,
        planned.scenario,
        ending,
        reason,
        record,
        facts,
        steps,
        seconds,
    )


def play_to_json(stage: Stage, planned: PlannedEpisode) -> str:
    """Play an episode and return it as JSON, or why the run has to stop."""
    try:
        return stage.play(planned).to_json()
    except Paused as error:
        return json.dumps({"paused": str(error)})


def _close(user: object) -> None:
    if isinstance(user, Closes):
        user.close()
