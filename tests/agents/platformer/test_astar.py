from __future__ import annotations

from dataclasses import replace

import pytest
from tests.agents.platformer.players import episode, play, scenario, sprint

from ludus.agents.platformer.astar import AStar, SearchOptions
from ludus.games.platformer import Status, World
from ludus.games.platformer.levels.bundled import BUNDLED
from ludus.games.platformer.view import View

LEFT = 1

POCKET = scenario(
    "-" * 40,
    "-" * 10 + "#" * 16 + "-" * 14,
    "-" * 25 + "#" + "-" * 14,
    "-" * 25 + "#" + "-" * 14,
    "-" * 11 + "M" + "-" * 13 + "#" + "-" * 9 + "F" + "-" * 4,
    "X" * 40,
)
"""Mario starts under a shelf that is closed on the right: the way is back, up and over."""


def test_it_finishes_most_of_the_bundled_levels() -> None:
    wins = [
        episode("astar", sprint(number)).result.status == Status.WIN
        for number in range(1, len(BUNDLED) + 1)
    ]
    assert sum(wins) >= 8


def test_an_open_field_costs_no_tick_more_than_running() -> None:
    field = scenario("M" + "-" * 58 + "F", "X" * 60)
    world = World(field.level)
    while world.status == Status.RUNNING:
        world.step(2 | 8)
    assert episode("astar", field).result.ticks == world.result().ticks


def test_it_steps_back_to_go_on() -> None:
    played = episode("astar", POCKET)
    assert played.result.status == Status.WIN
    assert played.path[:, 0].min() < 10 * 16
    assert any(action & LEFT for action in played.actions)


def test_it_avoids_a_wound_when_there_is_a_way() -> None:
    field = scenario("M" + "-" * 20 + "yyy" + "-" * 15 + "F", "X" * 40, mode=1)
    played = episode("astar", field)
    assert played.result.status == Status.WIN
    assert played.result.mode == 1


def test_it_takes_a_wound_when_there_is_no_other_way() -> None:
    tunnel = scenario(
        "X" * 40,
        "X" * 40,
        "-" * 40,
        "M-------" + "y-" * 12 + "-" * 7 + "F",
        "X" * 40,
        mode=1,
    )
    played = play(AStar(SearchOptions(nodes=4000)), tunnel)
    assert played.result.hurts > 0
    assert played.result.completion > 0.5


def test_a_hopeless_level_is_played_to_its_end() -> None:
    pit = scenario("M" + "-" * 38 + "F", "XXX" + "-" * 36 + "X", seconds=2)
    assert play(AStar(SearchOptions(nodes=500)), pit).result.status in (
        Status.LOSE,
        Status.TIME_OUT,
    )


def test_the_same_budget_is_the_same_episode() -> None:
    assert episode("astar", sprint(5)) == episode("astar", sprint(5))


def test_an_episode_does_not_depend_on_the_one_before() -> None:
    player = AStar()
    play(player, sprint(2))
    assert play(player, sprint(3)) == episode("astar", sprint(3))


def test_planning_leaves_the_world_alone() -> None:
    world = World(sprint(1).level)
    before = world.hash()
    AStar().act(View(world))
    assert world.hash() == before


@pytest.mark.parametrize("stride", [1, 3, 4])
def test_other_strides_find_the_exit_too(stride: int) -> None:
    options = replace(SearchOptions(), stride=stride)
    assert play(AStar(options), sprint(1)).result.status == Status.WIN
