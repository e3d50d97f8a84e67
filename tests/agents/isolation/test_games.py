"""An agent in a process of its own sees what it would see in the referee, in every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.games.guest.corridors import __file__ as corridors

from ludus.agents import load
from ludus.agents.isolation import AgentProcess, is_foreign, open_agent
from ludus.contract import Remembers
from ludus.execution.episode import Episode
from ludus.execution.match_play import play_match
from ludus.execution.plan import Plan, make_plan
from ludus.execution.stage import Stage
from ludus.games.game import find_game
from ludus.games.worm.frozen_tasks import find_task
from ludus.games.worm.training.scenario import TrainingScenario

AGENT = """
import hashlib
import json

class Base:
    \"\"\"Decides by a digest of everything that it can see.\"\"\"

    name = "watcher"

    def reset(self, scenario):
        self.seen = hashlib.sha256(repr((scenario.name, scenario.seed)).encode())

    def look(self, *things):
        self.seen.update(repr(things).encode())
        return self.seen.digest()[0]


class Platformer(Base):
    def act(self, view):
        ahead = view.forward_model()
        ahead.advance(10)
        number = self.look(
            view.tick, view.timer, view.coins, view.mario, view.level_size, view.merged.tolist(),
            view.enemy_positions.tolist(), ahead.hash(), view.grid("scene", detail=0).tolist(),
        )
        return 10 if number % 4 else 2


class Worm(Base):
    declared = {"learning": True, "parameters": 7}

    def act(self, observation):
        things = dict(observation), observation.names, observation.task.id
        return self.look(*things, observation.features.dtype, list(observation.features)) % 4


class Diplomacy(Base):
    def reset(self, scenario):
        super().reset(scenario)
        self.turns = 0

    def memory(self):
        return {"turns": self.turns}

    def recall(self, memory):
        self.turns = memory["turns"]

    def act(self, view):
        self.turns += 1
        number = self.look(
            view.phase, view.year, view.season, view.kind, view.units, view.centres, view.homes,
            view.retreats, view.builds, view.orderable, view.legal, view.messages, view.history,
            view.step, view.round, view.rounds, view.power, view.scenario, self.turns,
            sorted(view.legal_orders.items()), view.fork().units,
        )
        if view.step == "press":
            return [{"recipient": "GLOBAL", "text": f"I think of {number}"}]
        return [orders[number % len(orders)] for orders in view.legal.values()]


class Guest(Base):
    def act(self, observation):
        return self.look(getattr(observation, "tolist", lambda: observation)()) % 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "watchers.py"
    path.write_text(AGENT)
    return path


def facts_of(episodes: list[Episode]) -> list[Any]:
    return [(one.ending, one.reason, one.record, one.facts, one.steps) for one in episodes]


def play(plan: Plan, agents: Any = None) -> list[Any]:
    stage = Stage(plan, agents=agents)
    try:
        return facts_of([stage.play(planned) for planned in plan.episodes])
    finally:
        stage.close()


@pytest.mark.parametrize(
    ("benchmark", "name", "options"),
    [
        ("platformer/sprint", "Platformer", {}),
        ("mario-arena/1-1", "Platformer", {}),
        ("mario-arena/full-game", "Platformer", {}),
        ("worm/predator-small", "Worm", {}),
        ("worm/thermal-foraging-small", "Worm", {}),
        ("diplomacy/gunboat", "Diplomacy", {"year": "1902", "against": "random"}),
        ("diplomacy/france", "Diplomacy", {"year": "1901", "against": "hold"}),
        ("mario-arena/1-1", "Guest", {"env": f"{corridors}:Modern"}),
    ],
)
def test_agents_play_alike_here_and_in_their_own_process(
    file: Path, benchmark: str, name: str, options: dict[str, str]
) -> None:
    spec = f"{file}:{name}"
    plan = make_plan(benchmark, [spec], episodes=1, options=options)
    family = {"Diplomacy": "diplomacy", "Worm": "worm", "Guest": "guest"}.get(name, "platformer")
    there, here = play(plan), play(plan, {0: load(spec, family)})
    assert there == here
    assert there[0][:2] == ("finished", "")


def test_a_learner_is_reset_for_every_dish_in_its_own_process(file: Path) -> None:
    game, spec = find_game("worm-training"), f"{file}:Worm"
    scenario = TrainingScenario("training", find_task("foraging-small"), seed=5, episodes=3)
    records = []
    for agent in (open_agent(spec, "worm", game="worm-training"), load(spec, "worm")):
        match = game.begin(scenario)
        assert play_match(agent, scenario, match)[0] == "finished"
        assert match.facts()["learning"] == 1
        records.append(match.record())
    assert records[0] == records[1]


def test_a_diplomat_is_an_opponent_in_its_own_process_too(file: Path) -> None:
    options = {"year": "1901", "against": f"{file}:Diplomacy"}
    plan = make_plan("diplomacy/gunboat", ["hold"], episodes=1, options=options)
    ((ending, _, _, facts, _),) = play(plan)
    assert ending == "finished"
    assert facts["opponent_faults"] == 0


def test_what_an_agent_may_have_besides_is_asked_of_its_process(file: Path) -> None:
    agent = open_agent(f"{file}:Worm", "worm", game="worm")
    assert isinstance(agent, AgentProcess)
    assert not isinstance(agent, Remembers)
    assert agent.declared == {"learning": True, "parameters": 7}
    agent.close()
    diplomat = open_agent(f"{file}:Diplomacy", "diplomacy", game="diplomacy")
    assert isinstance(diplomat, Remembers)
    diplomat.recall({"turns": 5})
    assert diplomat.memory() == {"turns": 5}
    diplomat.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "family", "foreign"),
    [
        ("astar", "platformer", False),
        ("astar", "worm", False),  # not there: nothing is run to say so
        ("llm:model@http://localhost", "diplomacy", False),
        ("dumb#aggressive", "diplomacy", False),
        ("agent.py:Agent", "platformer", True),
        ("package.module:Agent#fast", "platformer", True),
        ("sb3:model.zip", "platformer", True),
        ("torch:model.pt", "platformer", True),
        ("ludus.agents.platformer.idle:Idle", "platformer", True),
    ],
)
def test_agents_of_ludus_alone_play_in_the_referee(spec: str, family: str, foreign: bool) -> None:
    assert is_foreign(spec, family) is foreign
