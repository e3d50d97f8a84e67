from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from ludus.games.platformer import World
from ludus.games.platformer.levels.bundled import bundled_level
from ludus.games.platformer.view import View

RIGHT, SPEED = 2, 8


@pytest.fixture
def world() -> World:
    world = World(bundled_level("sprint-01"), time_limit=20)
    for _ in range(15):
        world.step(RIGHT | SPEED)
    return world


@pytest.mark.parametrize("kind", ["scene", "enemies", "merged"])
def test_the_grids_are_those_of_the_world(
    world: World, kind: Literal["scene", "enemies", "merged"]
) -> None:
    grid = getattr(View(world), kind)
    assert grid.shape == (16, 16)
    np.testing.assert_array_equal(grid, world.observe(kind))


def test_a_grid_may_have_another_detail_and_size(world: World) -> None:
    view = View(world)
    grid = view.grid("scene", detail=2, size=(7, 5))
    assert grid.shape == (7, 5)
    assert set(grid.ravel().tolist()) <= {0, 100}
    np.testing.assert_array_equal(
        view.grid("merged", detail=(0, 2), centre="screen"),
        world.observe("merged", detail=(0, 2), centre="screen"),
    )


def test_the_view_tells_what_the_world_tells(world: World) -> None:
    view = View(world)
    assert view.mario == world.mario
    assert view.tick == world.tick
    assert view.timer == world.timer
    assert view.coins == world.coins
    assert view.level_size == (16 * 120, 256)
    np.testing.assert_array_equal(view.enemy_positions, world.enemies())


def test_the_view_follows_the_world(world: World) -> None:
    view = View(world)
    before = view.tick
    world.step(0)
    assert view.tick == before + 1


def test_playing_ahead_leaves_the_world_alone(world: World) -> None:
    before = world.hash()
    model = View(world).forward_model()
    for _ in range(10):
        model.advance(RIGHT)
    assert model.tick == world.tick + 10
    assert world.hash() == before


def test_changing_a_grid_leaves_the_view_alone(world: World) -> None:
    view = View(world)
    grid = view.merged
    grid[:] = 99
    assert 99 not in view.merged


@pytest.mark.parametrize("name", ["step", "run", "clone", "world"])
def test_a_view_cannot_move_the_world(world: World, name: str) -> None:
    assert not hasattr(View(world), name)


@pytest.mark.parametrize("name", ["tick", "mario", "anything"])
def test_a_view_cannot_be_written_to(world: World, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(View(world), name, 1)


def test_the_view_says_where_mario_is(world: World) -> None:
    assert repr(View(world)).startswith("<View tick 16, Mario at (")
