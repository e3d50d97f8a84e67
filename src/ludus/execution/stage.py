"""One episode, from its planned to its record, whatever the agent does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from time import perf_counter, thread_time
from typing import Any

from ludus.agents.isolation import AgentProcess, open_agent
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Agent, Closes, HasModelCalls, Remembers
from ludus.errors import (
    AgentError,
    AgentFault,
    LudusError,
    Paused,
)
from ludus.execution.asking import hold_learning_to_limits, hold_to_limits
from ludus.execution.decision_clock import DecisionClock
from ludus.execution.episode import Episode, EpisodeEnding
from ludus.execution.inflight import Checkpoint, Inflight
from ludus.execution.match_play import judge_error, play_match
from ludus.execution.opening import open_game
from ludus.execution.plan import Plan, PlannedEpisode
from ludus.execution.played_levels import PlayedLevel
from ludus.execution.restoring import (
    RestoredMatch,
    can_save,
    restore_match,
    save_match,
    sum_calls,
)
from ludus.games.game import HasOpponents, Match, SavesSeldom, scenario_for_agent
from ludus.games.model_calls import CallRow
from ludus.limits import Usage

__all__ = [
    "MAX_TRIES",
    "Stage",
    "open_game",
    "play_to_json",
]

DIED = "its process died"
PLAYED_OTHERWISE = (
    "{} played {} otherwise than before when it took up its levels again: what it carries over may "
    "be something else"
)
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
        self._warnings: list[str] = []
        self._earlier: dict[int, list[PlayedLevel]] = {}  # what an agent of a plan in order knows

    def play(self, planned: PlannedEpisode) -> Episode:
        """Play one episode and return its record; an agent's faults end it, not the run.

        Raises:
            Paused: The run cannot go on now. What was played is kept for later.
        """
        episode = self._play_once(planned)
        for _ in range(MAX_TRIES - 1):
            if episode.reason.startswith(DIED):
                episode = self._play_once(planned)
        if episode.reason.startswith(DIED):
            why = episode.reason.removeprefix(DIED)
            episode = replace(episode, reason=f"{DIED} {MAX_TRIES} times{why}")
        if self._plan.in_order:
            self._carry_on(episode)
        return episode

    @property
    def in_order(self) -> bool:
        """Whether an agent carries something over from one episode to the next."""
        return self._plan.in_order

    def take_warnings(self) -> list[str]:
        """Return what the user of the run should know, once."""
        warnings, self._warnings = self._warnings, []
        return warnings

    def begin_sequence(self, agent: int, earlier: Iterable[PlayedLevel]) -> None:
        """Let an agent of a plan in order go on where these levels have left it.

        An object of the caller's process is where that process has brought it, and stays so.
        """
        self._forget_agent(agent)
        self._earlier[agent] = list(earlier)

    def _carry_on(self, episode: Episode) -> None:
        """Take note of a level in order; an agent that ended it by a fault begins anew."""
        if episode.ending.faulty:
            self.begin_sequence(episode.agent, ())
        else:
            level = PlayedLevel(episode.scenario, episode.record)
            self._earlier.setdefault(episode.agent, []).append(level)

    def _catch_up(self, number: int) -> None:
        """Bring a new agent to where the one before it was: by its memory, or by playing again."""
        levels = self._earlier.get(number)
        if not levels or number in self._agents or number in self._objects:
            return
        with suppress(AgentError, AgentFault):  # the level itself will say that it cannot play
            agent, last = self._agent(number), levels[-1].scenario
            memory = self._inflight.read_memory(number, last) if self._inflight else None
            if memory is not None and isinstance(agent, Remembers):
                agent.reset(scenario_for_agent(self._scenario(last)))
                agent.recall(memory)
                return
            for level in levels:
                if not self._play_again(number, level):
                    return

    def _play_again(self, number: int, level: PlayedLevel) -> bool:
        """Let an agent play an earlier level once more; return whether it can go on from there."""
        agent, scenario = self._agent(number), self._scenario(level.scenario)
        match, limits = self._game.begin(scenario), self._plan.limits
        ending, _, _ = play_match(
            agent,
            scenario,
            match,
            limits.steps,
            act=hold_to_limits(agent, limits),
            learn=hold_learning_to_limits(agent, limits),
            goes_on=limits.over_budget == "no-action",
        )
        record = match.record()
        _close(match)
        self._end_episode(number, 0.0)
        if record != level.record:
            name, where = self._plan.agents[number].name, f"its level {level.scenario + 1}"
            self._warnings.append(PLAYED_OTHERWISE.format(name, where))
        if ending.faulty:
            self._forget_agent(number)
        return not ending.faulty

    def _save_memory(self, episode: Episode) -> None:
        """Write down what an agent carries over to its next level, if it can tell."""
        agent = self._agents.get(episode.agent)
        if not self._plan.in_order or self._inflight is None or not isinstance(agent, Remembers):
            return
        with suppress(Exception):  # without it, the levels are played again
            self._inflight.write_memory(episode.agent, episode.scenario, agent.memory())

    def _forget_agent(self, number: int) -> None:
        if (agent := self._agents.pop(number, None)) is not None:
            _close(agent)

    def _play_once(self, planned: PlannedEpisode) -> Episode:
        self._catch_up(planned.agent)
        (match, memory), checkpoint = self._begin(planned)
        started = thread_time()
        try:
            episode = self._play_from(checkpoint, planned, match, memory)
            self._save_memory(episode)
        finally:
            _close(match)
            usage = self._end_episode(planned.agent, thread_time() - started)
            calls = self._take_model_calls(planned.agent)
        return replace(episode, usage=sum_calls(calls, usage), model_calls=calls)

    def _take_model_calls(self, number: int) -> tuple[CallRow, ...]:
        agent = self._agents.get(number)
        return tuple(agent.take_model_calls()) if isinstance(agent, HasModelCalls) else ()

    def _play_from(
        self, checkpoint: Checkpoint, planned: PlannedEpisode, match: Match, memory: Any
    ) -> Episode:
        started = perf_counter() - checkpoint.seconds
        try:
            agent = self._agent(planned.agent)
            ask = hold_to_limits(agent, self._plan.limits)
            clock = DecisionClock(ask) if self._plan.limits.mean_decision_seconds else None
            ending, reason, steps = play_match(
                agent,
                self._scenario(planned.scenario),
                match,
                self._plan.limits.steps,
                act=clock or ask,
                learn=hold_learning_to_limits(agent, self._plan.limits),
                first_step=checkpoint.steps,
                memory=memory,
                after_step=self._checkpoint_writer(planned, agent, match, started),
                most_seconds=self._plan.limits.seconds if planned.agent in self._objects else 0,
                goes_on=self._plan.limits.over_budget == "no-action",
            )
            excess = clock.find_excess(self._plan.limits) if clock else ""
            if excess and not ending.faulty:
                ending, reason = EpisodeEnding.DISQUALIFIED, excess
        except Paused:
            raise
        except Exception as error:  # the agent cannot even be made
            (ending, reason), steps = judge_error(error), 0
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

    def _begin(self, planned: PlannedEpisode) -> tuple[RestoredMatch, Checkpoint]:
        """Return a match to play: where it was left, or from its start."""
        checkpoint = self._inflight.read(planned.number) if self._inflight else None
        if checkpoint:
            with suppress(LudusError):  # what cannot be restored is begun anew
                scenario = self._scenario(planned.scenario)
                if restored := restore_match(self._game, scenario, checkpoint.state):
                    return restored, checkpoint
        try:
            match = self._game.begin(self._scenario(planned.scenario))
            return RestoredMatch(match, None), Checkpoint(0, 0.0, b"")
        except LudusError as error:  # nothing the agent could do about it
            raise Paused(f"no match can begin: {error}") from error

    def _checkpoint_writer(
        self, planned: PlannedEpisode, agent: Agent[Any, Any, Any], match: Match, started: float
    ) -> Callable[[int], None] | None:
        """Return what saves the match after a step, if somebody has something to lose."""
        inflight = self._inflight
        if inflight is None or not can_save(agent, match, self._game):
            return None
        seldom = [one for one in (match, agent) if isinstance(one, SavesSeldom)]

        def save(steps: int) -> None:
            if seldom and not any(one.checkpoint_due for one in seldom):
                return
            state = save_match(match, agent.memory() if isinstance(agent, Remembers) else None)
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


def play_to_json(stage: Stage, planned: PlannedEpisode) -> str:
    """Play an episode and return it as JSON, or why the run has to stop.

    Warnings, if there are any, are a list on a line before it.
    """
    try:
        played = stage.play(planned).to_json()
    except Paused as error:
        played = json.dumps({"paused": str(error)})
    warnings = stage.take_warnings()
    return f"{json.dumps(warnings)}\n{played}" if warnings else played


def _close(user: object) -> None:
    if isinstance(user, Closes):
        user.close()
