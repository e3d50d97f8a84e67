"""Which clock an agent of the referee's own process is held to."""

from __future__ import annotations

import gc
from time import sleep
from typing import Any

import pytest

from ludus.agents.platformer.idle import Idle
from ludus.errors import AgentLate
from ludus.execution.asking import hold_to_limits
from ludus.limits import Limits

LIMITS = Limits(decision_seconds=0.02)


class Sleeper:
    """Sleeps before it answers."""

    name = "sleeper"

    def reset(self, scenario: Any) -> None: ...

    def act(self, observation: Any) -> int:
        sleep(0.03)
        return 0


class LosesTheProcessor(Idle):
    """Is kept waiting by other processes, as an agent of Ludus on a busy machine."""

    __module__ = Idle.__module__

    def act(self, observation: Any) -> int:
        sleep(0.03)
        return super().act(observation)


class Computes(Idle):
    """Computes for too long."""

    __module__ = Idle.__module__

    def act(self, observation: Any) -> int:
        sum(range(20_000_000))
        return super().act(observation)


def test_a_sleeping_agent_of_the_caller_is_late() -> None:
    with pytest.raises(AgentLate, match=r"took longer than 0\.02 seconds for a decision"):
        hold_to_limits(Sleeper(), LIMITS)(None)


def test_an_agent_of_ludus_is_held_to_the_time_of_the_processor() -> None:
    assert hold_to_limits(LosesTheProcessor(), LIMITS)(None) == 0
    with pytest.raises(AgentLate):
        hold_to_limits(Computes(), LIMITS)(None)


class Collects(Idle):
    """Notes whether Python collects garbage while it decides."""

    __module__ = Idle.__module__

    def act(self, observation: Any) -> int:
        self.collected = gc.isenabled()
        return super().act(observation)


def test_no_decision_pays_for_the_garbage_of_others() -> None:
    agent = Collects()
    assert gc.isenabled()
    hold_to_limits(agent, LIMITS)(None)
    assert not agent.collected
    assert gc.isenabled()


def test_garbage_is_collected_again_after_an_agent_has_raised() -> None:
    class Raises(Idle):
        def act(self, observation: Any) -> int:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        hold_to_limits(Raises(), LIMITS)(None)
    assert gc.isenabled()
