"""A match, from the first decision to the last, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Any

from ludus.contract import Agent, Declares, Learns, Remembers
from ludus.errors import (
    ActionError,
    AgentFault,
    AgentLate,
    AgentOverBudget,
    AgentOverLimit,
    EnvironmentFault,
    Paused,
    clean_text,
    format_error,
)
from ludus.execution.asking import call_within_budget
from ludus.execution.episode import EpisodeEnding
from ludus.games.game import (
    Checkpointable,
    HasEmptyAction,
    HasTraining,
    Match,
    RoundBased,
    scenario_for_agent,
)

__all__ = ["judge_error", "play_match"]


def play_match(
    agent: Agent[Any, Any, Any],
    scenario: Any,
    match: Match,
    most_steps: int = 0,
    *,
    act: Callable[[Any], Any] | None = None,
    learn: Callable[[Mapping[str, Any]], None] | None = None,
    first_step: int = 0,
    memory: Any = None,
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
        memory: What the agent remembered then, unless the match itself knows it.
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
        if memory is None and isinstance(match, Checkpointable):
            memory = match.memory
        if memory is not None and isinstance(agent, Remembers):
            agent.recall(memory)
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
        return *judge_error(error), steps
    return EpisodeEnding.FINISHED, "", steps


def _find_empty_action(match: Match, error: AgentOverBudget, goes_on: bool) -> Any:
    """Return what is played for a decision over its budget, or raise the error."""
    if goes_on and error.of == "decision" and isinstance(match, HasEmptyAction):
        return match.empty_action
    raise error


def judge_error(error: Exception) -> tuple[EpisodeEnding, str]:
    """Return how an episode ends by an error, and the reason that tables show."""
    if isinstance(error, AgentFault):
        late = isinstance(error, AgentLate | AgentOverLimit)
        return EpisodeEnding.DISQUALIFIED if late else EpisodeEnding.CRASHED, clean_text(error)
    if isinstance(error, EnvironmentFault):
        return EpisodeEnding.GUEST_FAILED, clean_text(error)
    refused = isinstance(error, ActionError)
    ending = EpisodeEnding.DISQUALIFIED if refused else EpisodeEnding.CRASHED
    return ending, clean_text(format_error(error))
