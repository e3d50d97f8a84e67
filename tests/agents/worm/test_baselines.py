"""The worms that come with Ludus, and what they are worth."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

from ludus.agents.loading import load
from ludus.agents.registry import REGISTERED
from ludus.errors import AgentError
from ludus.games.worm import find_task
from ludus.games.worm.game import WormGame
from ludus.games.worm.scenario import Scenario

BASELINES = ("random-walk", "klinokinesis", "run-and-tumble", "gradient")
GAME = WormGame()


def episode(agent: Any, scenario: Scenario) -> dict[str, Any]:
    match = GAME.begin(scenario)
    agent.reset(scenario)
    while not match.over:
        match.step(agent.act(match.observation))
    return dict(match.facts())


def mean(name: str, task: str, figure: str, episodes: int = 12) -> float:
    agent = load(name, game="worm")
    return fmean(
        episode(agent, Scenario("dish", find_task(task), seed))[figure] for seed in range(episodes)
    )


def test_all_are_registered() -> None:
    assert set(BASELINES) <= set(REGISTERED["worm"])


@pytest.mark.parametrize("name", BASELINES)
def test_an_episode_depends_on_its_scenario_alone(name: str) -> None:
    scenario = Scenario("dish", find_task("pursuit-small"), 5)
    other = Scenario("dish", find_task("pursuit-small"), 6)
    agent = load(name, game="worm")
    assert agent.name == name
    first = episode(agent, scenario)
    episode(agent, other)
    assert episode(agent, scenario) == first
    assert episode(load(name, game="worm"), scenario) == first


def test_a_nose_helps_and_a_direction_helps_more() -> None:
    foods = [mean(name, "foraging-small", "foods") for name in BASELINES]
    assert foods[0] < 4 < foods[1] < foods[2]
    assert foods[3] > 8
    assert mean("gradient", "foraging-small", "efficiency") > 0.65
    assert mean("random-walk", "foraging-small", "chemotaxis_index") < 0.1
    assert mean("run-and-tumble", "foraging-small", "chemotaxis_index") > 0.35


def test_the_gradient_keeps_clear_of_predators() -> None:
    for task in ("predator-small@e25", "pursuit-small"):
        assert mean("gradient", task, "success") > 0.8


@pytest.mark.parametrize("task", ["foraging-small+temporal", "foraging-small+klinotaxis"])
def test_smell_alone_is_enough_for_some(task: str) -> None:
    for name in ("klinokinesis", "run-and-tumble"):
        assert mean(name, task, "foods") > 6


def test_a_dish_without_cells_can_be_played() -> None:
    assert mean("run-and-tumble", "c3-continuous+klinotaxis", "foods", 4) > 5


def test_what_cannot_be_played_is_told() -> None:
    scenario = Scenario("dish", find_task("foraging-small+temporal"), 1)
    with pytest.raises(AgentError, match="try the mode oracle, or the agent run-and-tumble"):
        episode(load("gradient", game="worm"), scenario)
    with pytest.raises(AgentError, match="no smell of food"):
        load("klinokinesis", game="worm").act({"thermotaxis.level": 0.0})
