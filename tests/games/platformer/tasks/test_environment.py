"""The interfaces of the paper, used directly from Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ludus.agents import load
from ludus.errors import ActionError
from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.tasks.environment import Environment, evaluate
from ludus.games.platformer.tasks.scenario import TaskScenario
from ludus.games.platformer.tasks.task import Noise, ReceptiveField, Task
from ludus.games.platformer.view import View

FLAT = "-lf on -ll 60 -tl 40"


class Runner:
    """An agent of the paper: it looks at a grid and returns five bits."""

    name = "runner"

    def __init__(self) -> None:
        self.scenarios: list[Any] = []

    def reset(self, scenario: Any) -> None:
        self.scenarios.append(scenario)

    def act(self, observation: Any) -> list[bool]:
        wall = bool(observation.scene[9:11, 8].any())
        return [False, True, False, wall, True]


def test_the_loop_of_the_paper() -> None:
    environment, agent = Environment(FLAT), Runner()
    agent.reset(environment.scenario)
    assert not environment.over
    while not environment.over:
        environment.step(agent.act(environment.observation))
    assert environment.facts["status"] == 1
    assert environment.fitness == environment.facts["distance"] == 960
    environment.reset()
    assert not environment.over
    assert environment.fitness == 32


def test_a_whole_task_shows_the_view_with_the_fields_of_the_task() -> None:
    task = Task(scene=ReceptiveField((5, 7), 2))
    shown = Environment(FLAT, task).observation
    assert isinstance(shown, View)
    assert shown.scene.shape == (5, 7)
    assert shown.grid("scene", size=40).shape == (40, 40)
    assert shown.forward_model().advance(2) == 0


def test_fitness_is_the_mean_over_levels_and_attempts() -> None:
    agent, task = Runner(), Task(attempts=3)
    short = Level.parse("M-------F\nX--------", rules="2010")
    levels: list[TaskScenario | Level | str] = [FLAT, short, generate("notch-2009")]
    single = [evaluate(Task(), Runner(), [level]) for level in levels]
    assert evaluate(task, agent, levels) == pytest.approx(sum(single) / 3)
    assert len(agent.scenarios) == 9


def test_noise_is_another_in_every_attempt() -> None:
    class Looks(Runner):
        def __init__(self) -> None:
            super().__init__()
            self.first: list[bytes] = []

        def act(self, observation: Any) -> list[bool]:
            if observation.tick == 1:
                self.first.append(observation.scene.tobytes())
            return [False, True, False, False, True]

    agent = Looks()
    task = Task(noise=Noise(flip=0.2), attempts=3, forward_model=False)
    evaluate(task, agent, [FLAT])
    evaluate(task, agent, [FLAT])
    assert len(set(agent.first)) == 3
    assert agent.first[:3] == agent.first[3:]


def test_a_function_of_ones_own_evaluates() -> None:
    def coins_and_speed(figures: Mapping[str, Any]) -> float:
        return float(1000 * figures["coins"] + figures["time_left"])

    environment = Environment(FLAT, Task(evaluation=coins_and_speed))
    while not environment.over:
        environment.step(2 + 16)
    assert environment.fitness == environment.facts["time_left"]
    assert environment.fitness > 0


def test_a_bad_action_changes_nothing() -> None:
    environment = Environment(FLAT)
    with pytest.raises(ActionError, match="neither a number of buttons from 0 to 63"):
        environment.step([1, 2, 3, 4, 5])
    assert environment.observation.tick == 1


def test_registered_players_play_tasks_that_hide_what_they_do_not_need() -> None:
    task = Task(kinds=("state",), forward_model=False, evaluation="weighted-2010")
    seen = evaluate(Task(evaluation="weighted-2010"), load("forward-jumping", "platformer"), [FLAT])
    assert evaluate(task, load("forward-jumping", "platformer"), [FLAT]) == seen


def test_a_scenario_can_be_given_with_its_task() -> None:
    scenario = TaskScenario("mine", Level.parse("M---F\nXXXXX"), time_limit=20)
    environment = Environment(scenario)
    while not environment.over:
        environment.step(2)
    assert environment.facts["status"] == 1
