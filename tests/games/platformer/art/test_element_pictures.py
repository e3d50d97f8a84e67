"""How ladders, keys, locks, switches, doors and moving platforms look."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.games.platformer import Level, World
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.art.figures import hero, tracks
from ludus.games.platformer.pictures import ansi, frame, level_picture, world_text
from ludus.games.platformer.records import Platform

Picture = NDArray[np.uint8]

RIGHT, DOWN, JUMP = 2, 4, 16


def level(*rows: str, height: int = 16) -> Level:
    """Return a level with these rows at the bottom and a sky above them."""
    sky = ["-" * len(rows[0])] * (height - len(rows))
    return Level.parse("\n".join([*sky, *rows]), rules="ludus")


def cell(picture: Picture, column: int, row: int) -> Picture:
    return picture[16 * row : 16 * row + 16, 16 * column : 16 * column + 16]


class Staged:
    """A world in which some things are as one wants them."""

    def __init__(self, world: World, **changes: Any) -> None:
        self._world = world
        self.__dict__.update(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)


def look(world: World, **changes: Any) -> Picture:
    return frame(Staged(world, **changes))  # type: ignore[arg-type]


def changed(one: Picture, other: Picture) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows, columns = np.nonzero((one != other).any(axis=2))
    return rows, columns


ALL = level("------------------F-", "-l-hijHIJnpzNPZ()_--", "M-------------------", "X" * 20)


def test_every_element_shows_in_frames_and_on_maps() -> None:
    bare = level("------------------F-", "-" * 20, "M-------------------", "X" * 20)
    for picture, without in (
        (frame(World(ALL)), frame(World(bare))),
        (level_picture(ALL), level_picture(bare)),
    ):
        looks = [cell(picture, column, 13) for column in (1, *range(3, 16))]
        for shown, column in zip(looks, (1, *range(3, 16)), strict=True):
            assert (shown != cell(without, column, 13)).any(axis=2).sum() > 30, column
    map_looks = {cell(level_picture(ALL), column, 13).tobytes() for column in (1, *range(3, 18))}
    assert len(map_looks) == 16


def test_a_framework_level_shows_no_elements() -> None:
    plain_level = Level.parse(ALL.text)
    empty = Level.parse(ALL.text.replace("-l-hijHIJnpzNPZ()_--", "-" * 20))
    assert np.array_equal(level_picture(plain_level), level_picture(empty))


def test_keys_hover_and_gleam() -> None:
    world = World(ALL)
    looks = {cell(look(world, tick=tick), 3, 13).tobytes() for tick in range(0, 16, 4)}
    assert len(looks) == 3


def test_switches_and_doors_show_how_they_stand() -> None:
    world = World(level("-----F", "-n-N(-", "M-----", "XXXXXX"))
    before = frame(world)
    tiles = world.tiles
    tiles[1, 13], tiles[3, 13], tiles[4, 13] = 75, 81, 78
    after = look(world, tiles=tiles)
    for column in (1, 3, 4):
        assert (cell(before, column, 13) != cell(after, column, 13)).any()


def test_a_door_ends_in_spikes_and_opens_upwards() -> None:
    def shown(char: str) -> list[NDArray[np.bool_]]:
        """Return which pixels a door of three tiles covers, from the top down."""
        picture, bare = (
            level_picture(level(*[f"-{one}----"] * 3, "M----F", height=6)) for one in (char, "-")
        )
        return [(cell(picture, 1, row) != cell(bare, 1, row)).any(axis=2) for row in (2, 3, 4)]

    first, second, third = shown("N")
    assert np.array_equal(first, second)
    assert np.array_equal(second[:13], third[:13])
    assert third[-1].sum() < second[-1].sum()
    first, second, third = shown("(")
    assert first.sum() > 2 * second.sum() > 0
    assert np.array_equal(second, third)


def test_a_platform_is_drawn_where_it_is() -> None:
    world = World(level("-" * 12 + "F", "---===......-", "-" * 13, "M" + "-" * 12, "X" * 13))
    for _ in range(60):
        here = world.platforms[0]
        rows, columns = changed(frame(world), look(world, platforms=[]))
        assert (columns.min(), columns.max()) == (here.x, here.x + here.width - 1)
        assert (rows.min(), rows.max()) == (here.y, here.y + 8)
        world.step(0)


@pytest.mark.parametrize("width", [16, 32, 48, 96])
def test_a_platform_has_two_ends(width: int) -> None:
    world = World(level("----F", "M----", "XXXXX"))
    drawn = look(world, platforms=[Platform(40, 60, width)])[60:69, 40 : 40 + width]
    assert (drawn != look(world)[60:69, 40 : 40 + width]).any(axis=2)[1].all()
    assert not np.array_equal(drawn[:, :8], drawn[:, -8:])
    middles = {drawn[:, x : x + 16].tobytes() for x in range(16, width - 16, 16)}
    assert len(middles) <= 1


def test_the_hero_stands_in_front_of_platforms() -> None:
    world = World(level("------F", "M------", "XXXXXXX"))
    x, y = int(world.mario.x), int(world.mario.y)
    without = look(world, platforms=[])
    gone = look(world, platforms=[], mario=world.mario._replace(listed=False))
    body = (without != gone).any(axis=2)
    covered = look(world, platforms=[Platform(x - 16, y - 8, 32)])
    assert np.array_equal(covered[body], without[body])
    assert not np.array_equal(covered, without)


def test_a_map_shows_the_ways_of_platforms_and_a_frame_does_not() -> None:
    rows = (
        "-:-----------",
        "-vv---..==...",
        "-:----------F",
        "-:-----------",
        "M------------",
    )
    with_tracks = level(*rows, height=8)
    bare = level(*(row.replace(".", "-").replace(":", "-") for row in rows), height=8)
    dots = (level_picture(with_tracks) != level_picture(bare)).any(axis=2)
    y, x = np.nonzero(dots)
    across, down = x >= 16 * 4, x < 16 * 4
    assert set(y[across]) == {16 * 4 + 3, 16 * 4 + 4}
    assert 16 * 6 <= x[across].min() < 16 * 7
    assert 16 * 12 <= x[across].max() < 16 * 13
    assert set(x[down]) == {16 * 2 - 1, 16 * 2}
    assert 16 * 3 <= y[down].min() < 16 * 4
    assert 16 * 6 <= y[down].max() < 16 * 7
    world = World(with_tracks)
    assert np.array_equal(look(world, platforms=[]), look(World(bare), platforms=[]))


def test_tracks_end_where_their_marks_do() -> None:
    text = "..-..=.-..\n----v-----\n----:-----\n----------\n----:-----\nM--------F"
    figures = list(tracks(Level.parse(text, rules="ludus")))
    across = sorted({x for _, x, y, _ in figures if y < 16})
    assert across == [16 * 3 + 8, 16 * 4 + 8, 16 * 5 + 8, 16 * 6 + 8]
    assert len(figures) - len(across) == 1
    assert list(tracks(Level.parse(text))) == []


LADDER = ("------XXXF", "-----lXXXX", "-----lXXXX", "-----lXXXX", "M----lXXXX", "XXXXXXXXXX")


def climbing(mode: int = 0) -> World:
    world = World(level(*LADDER), mode)
    while world.mario.x < 84:
        world.step(RIGHT)
    for _ in range(10):
        world.step(0)
    for _ in range(6):
        world.step(JUMP)
    return world


def pose(world: World, **changes: Any) -> tuple[str, int]:
    """Return what the hero's frame is called, and whether it is mirrored."""
    staged: Any = Staged(world, mario=world.mario._replace(**changes))
    ((drawn, x, y, flip),) = hero(staged, world.tiles)
    assert (x, y) == (int(staged.mario.x), int(staged.mario.y))
    return next(name for name, n in atlas().sprites.items() if n == drawn), flip


@pytest.mark.parametrize(("mode", "form"), [(0, "small"), (1, "large"), (2, "fire")])
def test_the_hero_turns_to_the_ladder_while_he_climbs(mode: int, form: str) -> None:
    world = climbing(mode)
    assert pose(world)[0] == f"{form}-climb"
    assert pose(world, facing=-1) == pose(world, facing=1)
    world.step(0)
    assert pose(world)[0] == f"{form}-climb"
    for _ in range(3):
        world.step(DOWN)
        assert pose(world)[0] == f"{form}-climb"


def test_the_hero_climbs_hand_over_hand() -> None:
    world = climbing()
    grips = []
    for _ in range(6):
        grips.append(pose(world)[1])
        world.step(JUMP)
    assert grips in ([0, 0, 1, 1, 0, 0], [1, 1, 0, 0, 1, 1], [0, 1, 1, 0, 0, 1], [1, 0, 0, 1, 1, 0])


def test_only_whoever_holds_on_climbs() -> None:
    world = climbing()
    assert pose(world, vy=3.0)[0] == "small-jump"
    assert pose(world, x=40.0)[0] == "small-jump"
    assert pose(world, x=-40.0)[0] == "small-jump"
    assert pose(world, on_ground=True, vx=0.0)[0] == "small-stand"
    while not world.mario.on_ground:
        world.step(JUMP)
    assert pose(world)[0] == "small-stand"


def test_keys_that_the_hero_holds_show_in_the_corner() -> None:
    world = World(level("------F", "M------", "XXXXXXX"))
    none = look(world)
    assert np.array_equal(look(world, keys=(0, 0, 0)), none)
    rows, columns = changed(look(world, keys=(1, 0, 0)), none)
    assert 4 <= rows.min() < rows.max() < 20
    assert 4 <= columns.min() < columns.max() < 16
    icons = [look(world, keys=keys)[:20, :16] for keys in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    assert len({icon.tobytes() for icon in icons}) == 3
    _, columns = changed(look(world, keys=(2, 1, 1)), none)
    assert 40 <= columns.max() < 50
    _, columns = changed(look(world, keys=(255, 255, 255)), none)
    assert columns.max() < 256
    assert frame(world, (1, 1)).shape == (1, 1, 3)


def test_keys_stay_in_the_corner_when_the_camera_moves() -> None:
    world = World(level("-" * 39 + "F", "M" + "-" * 39, "X" * 40))
    for _ in range(80):
        world.step(RIGHT)
    assert world.camera[0] > 100
    rows, columns = changed(look(world, keys=(0, 0, 1)), frame(world))
    assert rows.max() < 20
    assert columns.max() < 20


@pytest.mark.parametrize("thing", ["o", "h"])
def test_nothing_grows_where_something_lay(thing: str) -> None:
    world = World(level("-" * 39 + "F", "M" + thing * 38 + "-", "X" * 40))
    for _ in range(80):
        world.step(RIGHT)
    assert not world.tiles[1:18, 14].any()
    gone = Staged(world, mario=world.mario._replace(listed=False))
    row = level_picture(gone)[16 * 15 - 3 : 16 * 15, 16 : 16 * 18]  # type: ignore[arg-type]
    assert (row == row[:, :1]).all()


def test_ansi_shows_the_elements() -> None:
    bare = level("------------------F-", "-" * 20, "M-------------------", "X" * 20)
    assert ansi(World(ALL)) != ansi(World(bare))


def test_plain_shows_the_elements_by_the_letters_of_the_format() -> None:
    lines = world_text(World(ALL)).split("\n")
    assert lines[13][:18] == " l hijHIJnpzNPZ()_"
    world = World(ALL)
    tiles = world.tiles
    tiles[9:12, 13] += 3
    pressed = world_text(Staged(world, tiles=tiles)).split("\n")  # type: ignore[arg-type]
    assert pressed[13] == lines[13]


def test_plain_shows_platforms_where_they_are_now() -> None:
    world = World(level("-----------F", "--===....---", "-" * 12, "M" + "-" * 11, "X" * 12))
    assert world_text(world).split("\n")[12] == "  ==="
    for _ in range(32):
        world.step(0)
    assert world_text(world).split("\n")[12] == "    ==="
    outside = Staged(world, platforms=[Platform(-80, 4000, 32)])
    assert "=" not in world_text(outside)  # type: ignore[arg-type]
