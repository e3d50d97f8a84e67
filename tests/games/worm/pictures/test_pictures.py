from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.games.worm.making import BARE, EAST, world

from ludus.errors import OptionError
from ludus.games.media.video import Picture
from ludus.games.worm import World, find_task
from ludus.games.worm.pictures import (
    THEMES,
    dish_text,
    episode_frames,
    frame,
    write_picture,
    write_replay,
)

SIDE = 120
MARGIN = 16


def at(picture: Picture, x: float, y: float) -> NDArray[np.int64]:
    """Gives the colour near the middle of a cell, off the light on a food."""
    side = picture.shape[1] - 2 * MARGIN
    row, column = MARGIN + side * (1 - (y + 0.45) / 20), MARGIN + side * (x + 0.55) / 20
    return np.asarray(picture[int(row), int(column)], np.int64)


@pytest.mark.parametrize("theme", list(THEMES))
@pytest.mark.parametrize(
    "name", ["foraging-large", "stationary-small", "oxygen-thermal-pursuit-large", "c3-continuous"]
)
def test_every_kind_of_dish_can_be_drawn(name: str, theme: str) -> None:
    one = World(find_task(name), 1)
    for _ in range(10):
        one.step(one.steps % 3)
    before = one.hash()
    picture = frame(one, theme=theme, side=SIDE)
    assert picture.shape == (SIDE + 2 * MARGIN + 34, SIDE + 2 * MARGIN, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    assert one.hash() == before


def test_food_is_where_it_lies() -> None:
    for place in ([3, 4], [16, 15]):
        picture = frame(world(foods=[place]))
        food = np.array(THEMES["light"].food)
        others = [at(picture, x, y) for x in range(1, 20, 4) for y in range(0, 20, 3)]
        gap = np.abs(at(picture, *place) - food).sum()
        assert gap < min(np.abs(other - food).sum() for other in others)


def test_the_head_is_where_the_worm_is() -> None:
    one = world(worm=(15, 5), heading=EAST)
    skin = np.array(THEMES["dark"].worm)
    picture = frame(one, theme="dark", side=480)
    scale = 480 / 20
    row, column = MARGIN + 480 - 5.5 * scale, MARGIN + 15.5 * scale - 3
    assert np.abs(picture[int(row), int(column)] - skin).sum() < 60


def test_warm_and_cold_are_told_apart() -> None:
    picture = frame(World(find_task("thermal-foraging-small"), 0), side=SIDE)
    cold, warm = at(picture, 1, 1), at(picture, 18, 1)
    assert warm[0] - warm[2] > cold[0] - cold[2] + 40


def test_a_film_has_a_frame_for_the_start_and_every_step() -> None:
    frames = list(episode_frames("pursuit-small", 3, [0, 1, 2, 3], side=SIDE))
    assert len(frames) == 5
    assert (frames[0] != frames[1]).any()
    still = World("pursuit-small", 3)
    for action in (0, 1, 2, 3):
        still.step(action)
    assert (frames[-1] == frame(still, side=SIDE)).all()


def test_a_film_ends_with_the_episode() -> None:
    task = replace(BARE, max_steps=2)
    assert len(list(episode_frames(task, 0, [3] * 9, side=SIDE))) == 3


def test_files(tmp_path: Path) -> None:
    write_picture(tmp_path / "dish.png", World("foraging-small", 1), side=SIDE)
    assert (tmp_path / "dish.png").read_bytes().startswith(b"\x89PNG")
    write_replay(tmp_path / "dish.gif", "foraging-small", 1, [0, 1], side=SIDE)
    assert (tmp_path / "dish.gif").read_bytes().startswith(b"GIF")


def test_text() -> None:
    lines = dish_text(world(foods=[[2, 0]], worm=(5, 19), heading=EAST)).splitlines()
    assert len(lines) == 20
    assert lines[0] == "·····▶" + "·" * 14
    assert lines[-1] == "··o" + "·" * 17
    hunted = dish_text(World("pursuit-small", 1))
    assert hunted.count("X") == 2
    assert dish_text(World("c3-continuous", 1)).count("▲") == 1


def test_options_are_checked(tmp_path: Path) -> None:
    one = World("foraging-small", 1)
    with pytest.raises(OptionError, match="no theme 'pink'; try light or dark"):
        frame(one, theme="pink")
    with pytest.raises(OptionError, match="a dish of 10 pixels"):
        frame(one, side=10)
    with pytest.raises(OptionError, match="ends in none of"):
        write_replay(tmp_path / "dish.txt", "foraging-small", 1, [])
