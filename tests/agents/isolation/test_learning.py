"""An agent that learns does so in a process of its own as well, and is held to its limits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ludus.agents.isolation import open_agent
from ludus.context import RunContext
from ludus.contract import Learns, Remembers
from ludus.errors import AgentFault, AgentLate, AgentOverBudget
from ludus.games.platformer.game import PlatformerMatch
from ludus.games.platformer.levels import bundled
from ludus.games.platformer.scenario import Scenario
from ludus.limits import Limits

AGENT = """
class Agent:
    name = "learner"

    def __init__(self):
        self.outcomes = []

    def reset(self, scenario): pass

    def act(self, view): return int(sum(outcome["score"] for outcome in self.outcomes))

    def learn(self, outcome):
        LEARN
        self.outcomes.append(outcome)
"""
REMEMBERS = """
    def memory(self): return self.outcomes

    def recall(self, memory): self.outcomes = memory
"""
SCENARIO = Scenario("sprint-01", bundled.bundled_level("sprint-01"))


@contextmanager
def opened(source: str, folder: Path, **context: Any) -> Iterator[Any]:
    (folder / "agent.py").write_text(source)
    run = RunContext(**context)
    agent: Any = open_agent(f"{folder / 'agent.py'}:Agent", context=run, game="platformer")
    try:
        yield agent
    finally:
        agent.close()


def learner(learn: str = "") -> str:
    return AGENT.replace("LEARN", learn)


@pytest.mark.parametrize("sandbox", [False, True])
def test_outcomes_reach_the_agent_as_plain_values(tmp_path: Path, sandbox: bool) -> None:
    with opened(learner() + REMEMBERS, tmp_path, sandbox=sandbox) as agent:
        assert [isinstance(agent, protocol) for protocol in (Learns, Remembers)] == [True, True]
        agent.reset(SCENARIO)
        agent.learn({"score": 7, "status": 1, "death": "Gap"})
        agent.learn({"score": 2.5})
        assert agent.memory() == [{"score": 7, "status": 1, "death": "Gap"}, {"score": 2.5}]
        assert agent.act(PlatformerMatch(SCENARIO).observation) == 9


@pytest.mark.parametrize(("more", "remembers"), [("", False), (REMEMBERS, True)])
def test_only_who_learns_is_said_to(tmp_path: Path, more: str, remembers: bool) -> None:
    with opened(learner() + more, tmp_path) as agent:
        assert (isinstance(agent, Learns), isinstance(agent, Remembers)) == (True, remembers)
    silent = (learner() + more).replace("def learn", "def study")
    with opened(silent, tmp_path) as agent:
        assert (isinstance(agent, Learns), isinstance(agent, Remembers)) == (False, remembers)


def test_what_learning_returns_is_not_read(tmp_path: Path) -> None:
    with opened(learner("return b'junk' * 10_000_000"), tmp_path) as agent:
        agent.reset(SCENARIO)
        assert agent.learn({"score": 1}) is None


def test_an_error_in_learning_is_the_agents_fault(tmp_path: Path) -> None:
    with opened(learner("raise OSError('no disk')"), tmp_path) as agent:
        agent.reset(SCENARIO)
        with pytest.raises(AgentFault, match="no disk"):
            agent.learn({"score": 1})


@pytest.mark.parametrize("limits", [Limits(seconds=5), Limits(decision_seconds=5)])
def test_learning_that_hangs_is_late(tmp_path: Path, limits: Limits) -> None:
    with opened(learner("__import__('time').sleep(1000)"), tmp_path, limits=limits) as agent:
        agent.reset(SCENARIO)
        with pytest.raises(AgentLate, match="took longer"):
            agent.learn({"score": 1})
        assert agent.gone


def test_learning_is_counted_in_units_with_the_episode(tmp_path: Path) -> None:
    limits = Limits(decision_units=20_000)
    with opened(learner("sum([1 for _ in range(500)])"), tmp_path, limits=limits) as agent:
        units = []
        for plays in (1, 2):
            for _ in range(plays):
                agent.reset(SCENARIO)
                agent.learn({"score": 1})
            units.append(agent.end_episode().units)
        assert 2 * units[0] - 100 < units[1] <= 2 * units[0]


def test_learning_over_its_budget_is_stopped(tmp_path: Path) -> None:
    limits = Limits(decision_units=20_000)
    with opened(learner("while True: pass"), tmp_path, limits=limits) as agent:
        agent.reset(SCENARIO)
        with pytest.raises(AgentOverBudget):
            agent.learn({"score": 1})
        agent.reset(SCENARIO)
        assert agent.act(PlatformerMatch(SCENARIO).observation) == 0
