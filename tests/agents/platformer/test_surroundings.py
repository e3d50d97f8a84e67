from __future__ import annotations

import pytest
from tests.agents.platformer.players import scenario

from ludus.agents.platformer.surroundings import Surroundings, look_around
from ludus.games.platformer import World
from ludus.games.platformer.benchmark_2010 import benchmark_scenario
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.view import View


def see(*rows: str, mode: int = 0) -> Surroundings:
    return look_around(View(World(scenario(*rows).level, mode)))


def test_an_open_field_has_no_wall_and_no_gap() -> None:
    around = see("M--------------F", "X" * 16)
    assert (around.wall_height(5), around.gap_width(5), around.over_gap) == (0, 0, False)


@pytest.mark.parametrize("height", [1, 2, 3])
def test_a_wall_is_as_high_as_its_blocks(height: int) -> None:
    rows = ["--#-------------"] * (height - 1)
    around = see("-" * 16, *rows, "M-#------------F", "X" * 16)
    assert around.wall_height(2) == height
    assert around.wall_height(1) == 0


def test_what_only_a_tall_mario_meets_is_no_wall_for_a_small_one() -> None:
    rows = ("-" * 16, "--#-------------", "M--------------F", "X" * 16)
    assert see(*rows).wall_height(3) == 0
    assert see(*rows, mode=1).wall_height(3) == 2


def test_a_gap_is_as_wide_as_its_columns() -> None:
    around = see("M--------------F", "XX---XXXXXXXXXXX")
    assert (around.gap_width(1), around.gap_width(2)) == (0, 3)


def test_coins_stop_nobody() -> None:
    assert see("M-o------------F", "X" * 16).wall_height(3) == 0


def test_spikies_cannot_be_stomped_on_and_goombas_can() -> None:
    (goomba,) = see("M---g----------F", "X" * 16).creatures
    (spiky,) = see("M---y----------F", "X" * 16).creatures
    assert goomba.stompable
    assert not spiky.stompable
    assert goomba.dx > 0


def test_creatures_ahead_are_those_within_reach() -> None:
    around = see("M---g----------F", "X" * 16)
    assert around.creature_ahead(10.0) is None
    assert around.creature_ahead(100.0) == around.creatures[0]


@pytest.mark.parametrize(
    "level",
    [generate("notch-2009", seed=3), benchmark_scenario("-ld 3 -ls 2").level],
    ids=["2009", "2010"],
)
def test_other_rules_stop_mario_where_their_engines_do(level: Level) -> None:
    world = World(level, 0, 200)
    while not world.mario.on_ground:  # he falls from the sky
        world.step(0)
    around = look_around(View(world))
    assert around.blocks[11, 10], "Mario stands on something"
    assert not around.walls[10, 10], "and is in no wall"
