"""How an agent of the referee's own process is asked: held to its time, and to its budget."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from functools import cache
from time import perf_counter, thread_time
from typing import Any

from ludus.agents.isolation import AgentProcess
from ludus.contract import Agent, Learns, Waits
from ludus.errors import AgentLate, AgentOverBudget
from ludus.games.game import HasForwardModel
from ludus.limits import Limits

__all__ = ["call_within_budget", "hold_learning_to_limits", "hold_to_limits"]

OWN_AGENTS = "ludus.agents."
LONG = 10.0  # seconds


def hold_to_limits(agent: Agent[Any, Any, Any], limits: Limits) -> Callable[[Any], Any]:
    """Return what asks an agent for an action; one in a process of its own is held there.

    Nothing can stop an agent of this process, so a decision that took too long counts as late
    afterwards. Ludus's own agents are held to processor time: they never sleep, and what other
    processes of a busy machine take from them is not their fault.
    """
    most, act = limits.decision_seconds, agent.act
    if isinstance(agent, AgentProcess) or (limits.forward_model and not most):
        return act
    timed = _limit_time(act, most, _choose_clock(agent, most)) if most else act
    if limits.forward_model:
        return timed

    def ask(observation: Any) -> Any:
        if _has_forward_model(type(observation)):  # type: ignore[arg-type]
            observation.close_forward_model()
        return timed(observation)

    return ask


def hold_learning_to_limits(
    agent: Agent[Any, Any, Any], limits: Limits
) -> Callable[[Mapping[str, Any]], None] | None:
    """Return what lets an agent learn, for as long as a decision may take; None if it cannot."""
    if not isinstance(agent, Learns):
        return None
    most = limits.decision_seconds
    held = isinstance(agent, AgentProcess) or not most
    return agent.learn if held else _limit_time(agent.learn, most, _choose_clock(agent, most))


def call_within_budget(call: Callable[[Any], None], argument: Any, goes_on: bool) -> None:
    """Call what has no action to return; over the budget of a decision, the match goes on.

    Args:
        call: What is called.
        argument: What with.
        goes_on: Whether it does; otherwise the error is raised.
    """
    try:
        call(argument)
    except AgentOverBudget as error:
        if error.of == "episode" or not goes_on:
            raise


@cache
def _has_forward_model(kind: type) -> bool:
    """Return whether observations of a kind offer one; asking a protocol takes microseconds."""
    return issubclass(kind, HasForwardModel)


def _choose_clock(agent: Agent[Any, Any, Any], most: float) -> Callable[[], float]:
    """Return the clock of an agent of this process: the processor's for one of Ludus.

    Reading that one takes microseconds, and no machine is so busy that a long limit needs it.
    """
    ours = type(agent).__module__.startswith(OWN_AGENTS)
    waits = isinstance(agent, Waits) and agent.waits
    return thread_time if ours and not waits and most < LONG else perf_counter


def _limit_time(
    call: Callable[[Any], Any], most: float, clock: Callable[[], float]
) -> Callable[[Any], Any]:
    """Return what makes a call and raises AgentLate if it took too long.

    Python collects its garbage between the calls, so that no decision pays for all others.
    """

    def timed(argument: Any) -> Any:
        collects = gc.isenabled()
        gc.disable()
        started = clock()
        try:
            answer = call(argument)
            late = clock() - started > most
        finally:
            if collects:
                gc.enable()
        if late:
            raise AgentLate(f"took longer than {most:g} seconds for a decision")
        return answer

    return timed
