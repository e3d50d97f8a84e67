"""One episode, from its task to its record, whatever the agent does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from ludus.agents import load
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Agent, Closes, Declares, Remembers
from ludus.errors import ActionError, LudusError, Paused, format_error
from ludus.execution.episode import Ending, Episode
from ludus.execution.inflight import Checkpoint, Inflight
from ludus.execution.plan import Plan, Task
from ludus.games.game import (
    Checkpointable,
    Game,
    HasOpponents,
    Match,
    Resumable,
    RoundBased,
    find_game,
)

__all__ = ["Stage", "hear", "open_game", "play_match", "tell", "unplayed"]

PAUSED = b'{"paused":'  # no episode begins like this


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
        self._agents: dict[int, Agent[Any, Any, Any]] = {}
        self._scenarios: dict[int, Any] = {}

    def play(self, task: Task) -> Episode:
        """Play one episode and return its record; an agent's faults end it, not the run.

        Raises:
            Paused: The run cannot go on now. What was played is kept for later.
        """
        match, began = self._begun(task)
        try:
            return self._played(task, match, began)
        finally:
            _close(match)

    def _played(self, task: Task, match: Match, began: Checkpoint) -> Episode:
        started = perf_counter() - began.seconds
        try:
            agent = self._agent(task.agent)
            ending, reason, steps = play_match(
                agent,
                self._scenario(task.scenario),
                match,
                self._plan.limits.steps,
                began=began.steps,
                after_step=self._keeper(task, agent, match, started),
                most_seconds=self._plan.limits.seconds if task.agent in self._objects else 0,
            )
        except Paused:
            raise
        except Exception as error:  # the agent cannot even be made
            ending, reason, steps = Ending.CRASHED, format_error(error), 0
        return Episode(
            number=task.number,
            agent=task.agent,
            scenario=task.scenario,
            ending=ending,
            reason=reason,
            record=match.record(),
            facts=match.facts(),
            steps=steps,
            seconds=perf_counter() - started,
        )

    def close(self) -> None:
        """Let agents that have a ``close`` go."""
        for agent in self._agents.values():
            _close(agent)
        self._agents.clear()

    def _begun(self, task: Task) -> tuple[Match, Checkpoint]:
        """Return a match to play: where it was left, or from its start."""
        scenario = self._scenario(task.scenario)
        left = self._inflight.read(task.number) if self._inflight else None
        if left and isinstance(self._game, Resumable):
            with suppress(LudusError):  # what cannot be restored is begun anew
                return self._game.restore(scenario, left.state), left
        try:
            return self._game.begin(scenario), Checkpoint(0, 0.0, b"")
        except LudusError as error:  # nothing the agent could do about it
            raise Paused(f"no match can begin: {error}") from error

    def _keeper(
        self, task: Task, agent: Agent[Any, Any, Any], match: Match, started: float
    ) -> Callable[[int], None] | None:
        """Return what keeps the match after a step, if somebody has something to lose."""
        inflight = self._inflight
        if inflight is None or not isinstance(match, Checkpointable):
            return None
        if not isinstance(agent, Remembers) and not match.worth_checkpointing:
            return None

        def keep(steps: int) -> None:
            state = match.checkpoint(agent.memory() if isinstance(agent, Remembers) else None)
            inflight.write(task.number, Checkpoint(steps, perf_counter() - started, state))

        return keep

    def _agent(self, number: int) -> Agent[Any, Any, Any]:
        if number in self._objects:
            return self._objects[number]
        if number not in self._agents:
            spec = self._plan.agents[number].spec
            self._agents[number] = load(spec, self._game.agent_family, self._context)
        return self._agents[number]

    def _scenario(self, number: int) -> Any:
        if number not in self._scenarios:
            self._scenarios[number] = self._game.parse_scenario(self._plan.scenarios[number])
        return self._scenarios[number]


def open_game(name: str, context: RunContext = DEFAULT_CONTEXT) -> Game:
    """Return the game of this name, with opponents that are loaded as agents of the run are."""
    game = find_game(name)
    if not isinstance(game, HasOpponents):
        return game
    return game.with_opponents(partial(load, game=game.agent_family, context=context))


def play_match(
    agent: Agent[Any, Any, Any],
    scenario: Any,
    match: Match,
    most_steps: int = 0,
    *,
    began: int = 0,
    after_step: Callable[[int], None] | None = None,
    most_seconds: float = 0,
) -> tuple[Ending, str, int]:
    """Let the agent play the match to its end; return how it ended, why, and the steps.

    Args:
        agent: Who plays.
        scenario: What is played.
        match: The play, at its start or where it was left.
        most_steps: How often the agent may be asked; 0 for no limit.
        began: How often it was asked before the match was left.
        after_step: Called after every step with their number.
        most_seconds: After how long the agent is asked no more; 0 for no limit.

    Raises:
        Paused: The run cannot go on now.
    """
    steps, started = began, perf_counter()
    try:
        agent.reset(scenario)
        restored = match.memory if isinstance(match, Checkpointable) else None
        if restored is not None and isinstance(agent, Remembers):
            agent.recall(restored)
        if isinstance(match, RoundBased):
            declared = agent.declared if isinstance(agent, Declares) else {}
            match.before_each_round(agent.reset, declared)
        act, answer = agent.act, match.step
        while not match.over:
            if most_steps and steps >= most_steps:
                return Ending.DISQUALIFIED, f"used up its {most_steps} steps", steps
            if most_seconds and perf_counter() - started > most_seconds:
                return Ending.DISQUALIFIED, f"took longer than {most_seconds:g} seconds", steps
            answer(act(match.observation))
            steps += 1
            if after_step:
                after_step(steps)
    except Paused:
        raise
    except ActionError as error:
        return Ending.DISQUALIFIED, format_error(error), steps
    except Exception as error:  # whatever an agent may raise
        return Ending.CRASHED, format_error(error), steps
    return Ending.FINISHED, "", steps


def unplayed(
    plan: Plan,
    task: Task,
    ending: Ending,
    reason: str,
    seconds: float,
    context: RunContext = DEFAULT_CONTEXT,
) -> Episode:
    """Return the record of an episode whose process did not live to tell of it.

    Args:
        plan: What was to be played.
        task: Which of it.
        ending: How it ended.
        reason: Why.
        seconds: How long it took.
        context: In its folder, the episode may have left a checkpoint: then the record goes as far
            as that.
    """
    game = open_game(plan.game, context)
    scenario = game.parse_scenario(plan.scenarios[task.scenario])
    record, facts, steps = b"", game.replay(scenario, b""), 0
    left = Inflight(context.folder).read(task.number) if context.folder else None
    if left and isinstance(game, Resumable):
        with suppress(LudusError):  # what cannot be restored is not told
            match = game.restore(scenario, left.state)
            record, facts, steps = match.record(), match.facts(), left.steps
    return Episode(
        task.number, task.agent, task.scenario, ending, reason, record, facts, steps, seconds
    )


def tell(stage: Stage, task: Task) -> str:
    """Play an episode and return it as JSON, or why the run has to stop."""
    try:
        return stage.play(task).to_json()
    except Paused as error:
        return json.dumps({"paused": str(error)})


def hear(text: str | bytes) -> Episode:
    """Return the episode that :func:`tell` has told of.

    Raises:
        Paused: It told why the run has to stop.
    """
    plain = text.encode() if isinstance(text, str) else text
    if plain.startswith(PAUSED):
        raise Paused(str(json.loads(plain)["paused"]))
    return Episode.from_json(plain)


def _close(user: object) -> None:
    if isinstance(user, Closes):
        user.close()
