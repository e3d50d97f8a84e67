"""Ludus's own gameplay track: elements of the rules ``ludus``, rising difficulty."""

from __future__ import annotations

import pytest

from ludus.agents import load
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.mario_ai.gameplay_ludus import score
from ludus.games.game import find_game
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.tasks.environment import Environment
from ludus.testing import check_benchmark

TRACK = find_benchmark("mario-ai/gameplay-ludus")
GAME = find_game("mario-ai")


def test_the_track_keeps_its_promises() -> None:
    check_benchmark(TRACK, agent="forward-jumping")


def test_levels_are_of_our_own_rules_and_grow_harder() -> None:
    levels = [GAME.parse_scenario(one).level for one in TRACK.make_scenarios(0, 20)]
    assert {level.rules for level in levels} == {"ludus"}
    assert [level.recipe.options["difficulty"] for level in levels] == list(range(20))
    assert levels[0].width < levels[-1].width


def test_levels_can_be_finished() -> None:
    for number in (0, 7, 14):
        scenario = GAME.parse_scenario(TRACK.make_scenarios(0, 20)[number])
        assert solve(scenario.level).outcome == "solved"


def test_the_score_by_hand() -> None:
    level = {"distance": 1111.5, "exit_x": 2000, "status": 0, "time_left": 40}
    assert score(level).total == 555
    assert score({**level, "distance": 1999.5, "status": 1}).total == 1000 + 40
    assert score({**level, "distance": -3.0}).total == 0
    assert score({**level, "distance": 2500.0}).total == 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["idle", "random", "forward-jumping", "scared"])
def test_simple_players_score_everywhere_and_clear_few(name: str) -> None:
    scores, won, player = [], 0, load(name, "platformer")
    for description in TRACK.make_scenarios(0, 20):
        environment = Environment(GAME.parse_scenario(description))
        player.reset(environment.scenario)
        while not environment.over:
            environment.step(player.act(environment.observation))
        scores.append(TRACK.score(environment.facts).total)
        won += environment.facts["status"] == 1
    assert min(scores) > 0
    assert won < 10


@pytest.mark.slow
def test_a_planner_leaves_levels_too() -> None:
    environment = Environment(GAME.parse_scenario(TRACK.make_scenarios(0, 20)[1]))
    player = load("best-first", "platformer")
    player.reset(environment.scenario)
    while not environment.over:
        environment.step(player.act(environment.observation))
    assert environment.facts["status"] == 0
