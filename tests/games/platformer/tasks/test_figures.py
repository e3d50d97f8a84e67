"""Evaluation functions and rewards, worked out by hand."""

from __future__ import annotations

import pytest

from ludus.games.platformer import Evaluation2010, Level, World
from ludus.games.platformer.tasks.figures import EVALUATIONS, measure, total_reward
from ludus.games.platformer.tasks.scenario import TaskScenario

FIGURES = {
    "distance": 4096, "status": 1, "mode": 2, "coins": 76, "mushrooms": 1, "flowers": 2,
    "green_mushrooms": 1, "hidden_blocks": 3, "kills_total": 10, "kills_by_stomp": 4,
    "kills_by_fire": 5, "kills_by_shell": 1, "time_left": 165, "time_spent": 34,
}  # fmt: skip


def test_the_weighted_fitness_by_hand() -> None:
    by_hand = (
        4096 + 1024 + 2 * 32 + 76 * 16 + 58 + 2 * 64 + 58 + 3 * 24
        + 10 * 42 + 4 * 12 + 5 * 4 + 17 + 165 * 8
    )  # fmt: skip
    assert EVALUATIONS["weighted-2010"](FIGURES) == by_hand == 8541


def test_the_basic_fitness_by_hand() -> None:
    assert EVALUATIONS["basic"](FIGURES) == 4096 - 34 + 76 + 1024
    old = {name: FIGURES[name] for name in ("distance", "time_spent", "coins", "status")}
    assert EVALUATIONS["basic"](old) == 4096 - 34 + 76 + 5000
    assert EVALUATIONS["basic"]({**old, "status": 0}) == 4096 - 34 + 76


def test_a_running_game_is_no_win() -> None:
    running = {**FIGURES, "status": 2}
    for name in ("weighted-2010", "basic"):
        assert EVALUATIONS[name](running) == EVALUATIONS[name]({**FIGURES, "status": 0})


def test_the_engine_of_2010_agrees() -> None:
    scenario = TaskScenario.from_options("-ld 0 -ls 0 -le g")
    assert scenario.level is not None
    world = World(scenario.level, 2, 200)
    while not world.status:
        world.step(2 + 8 * (world.tick % 2))
    figures, evaluation = measure(world), Evaluation2010.of(world)
    assert EVALUATIONS["weighted-2010"](figures) == evaluation.weighted_fitness
    assert EVALUATIONS["basic"](figures) == evaluation.basic_fitness
    assert total_reward(world) == evaluation.reward


@pytest.mark.parametrize("rules", ["framework", "ludus", "2009"])
def test_rewards_of_other_rules_have_the_values_of_2010(rules: str) -> None:
    coins = World(Level.parse("------F\nM-oo---\nXXXXXXX", rules=rules), time_limit=20)
    dies = World(Level.parse(f"M{'-' * 40}F\nX{'-' * 41}", rules=rules), time_limit=20)
    for world in (coins, dies):
        while not world.status:
            world.step(2)
    picked = measure(coins)["coins"]
    assert picked > 0
    assert total_reward(coins) == 16 * picked + 1024
    assert total_reward(dies) == -512
    assert (measure(coins)["status"], measure(dies)["status"]) == (1, 0)
