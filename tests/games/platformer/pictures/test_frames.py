from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer import Level, World
from ludus.games.platformer._native import draw_frame
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.art.scenery import backdrop
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.pictures import (
    ansi,
    episode_frames,
    frame,
    level_picture,
    world_text,
)
from ludus.games.platformer.records import Sprite

Picture = NDArray[np.uint8]

RIGHT, SPEED, JUMP = 2, 8, 16
SHOWN = [1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 15, 18, 19, 20, 21, 39, 40, 43, 44, 45, 46, 47, 50, 51, 52]
SHOWN += [53, *range(64, 84)]

MEADOW = Level.parse("\n".join(["-" * 40] * 12 + ["-M" + "-" * 36 + "F-"] + ["X" * 40] * 3))
BUSY = Level.parse(
    """
----------------------------------------
----------------------------------------
----------------------------------------
----------------------------------------
----------------------------------------
------oo-----------K----Y---------------
-------------G--------------------------
----------------------------------------
------------------------------------F---
-------?QSUCL12----R--------------------
----------------------------------------
------------------%%%%------------------
-------------t-*--|||---TT--#-----------
--M-----g-r--t-*-k|||-y-TT-##-----------
XXXXXXXXXXXXXXXXXXXXXXXX-XXXXXXXXXXXXXXX
XXXXXXXXXXXXXXXXXXXXXXXX-XXXXXXXXXXXXXXX
""".strip("\n")
)


def slow_draw(
    rgb: Picture,
    tiles: NDArray[np.uint8],
    camera: tuple[int, int],
    tile_frames: NDArray[np.uint8],
    tile_index: NDArray[np.uint8],
    background: NDArray[np.uint8],
    sprite_frames: NDArray[np.uint8],
    sprites: NDArray[np.int16],
) -> None:
    """Draw pixel by pixel, as plainly as it can be said."""
    height, width = rgb.shape[:2]
    rgb[:] = background[:, None]

    def put(pixels: NDArray[np.uint8], left: int, top: int) -> None:
        for y, x in np.argwhere(pixels[..., 3] > 0):
            if 0 <= top + y < height and 0 <= left + x < width:
                alpha = int(pixels[y, x, 3])
                below = rgb[top + y, left + x].astype(int)
                mixed = (pixels[y, x, :3].astype(int) * alpha + below * (255 - alpha)) / 255
                rgb[top + y, left + x] = np.floor(mixed + 0.5)

    def put_sprites(behind: int) -> None:
        for number, x, y, flip in sprites.tolist():
            if flip & 2 == behind and 0 <= number < len(sprite_frames):
                pixels = sprite_frames[number]
                put(pixels[:, ::-1] if flip & 1 else pixels, x - 8 - camera[0], y - 31 - camera[1])

    put_sprites(2)
    for column, row in np.ndindex(*tiles.shape):
        number = tile_index[tiles[column, row]]
        if number != 255 and number < len(tile_frames):
            put(tile_frames[number], 16 * column - camera[0], 16 * row - camera[1])
    put_sprites(0)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.tuples(st.integers(1, 70), st.integers(1, 70)),
    camera=st.tuples(st.integers(-40, 90), st.integers(-40, 90)),
)
def test_native_drawing_equals_the_plain_one(
    seed: int, size: tuple[int, int], camera: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    width, height = size
    alphas = np.array([0, 0, 255, 255, 255, 1, 100, 254], np.uint8)
    tile_frames = rng.integers(0, 256, (4, 16, 16, 4), np.uint8)
    tile_frames[..., 3] = rng.choice(alphas, (4, 16, 16))
    tile_frames[0, ..., 3] = 255
    sprite_frames = rng.integers(0, 256, (3, 32, 16, 4), np.uint8)
    sprite_frames[..., 3] = rng.choice(alphas, (3, 32, 16))
    tile_index = rng.choice(np.array([0, 1, 2, 3, 4, 255], np.uint8), 256)
    tiles = rng.integers(0, 256, (4, 3), np.uint8)
    sprites = rng.integers(-50, 120, (5, 4)).astype(np.int16)
    sprites[:, 0] = rng.integers(-1, 4, 5)
    sprites[:, 3] = rng.integers(0, 4, 5)
    background = rng.integers(0, 256, (height, 3), np.uint8)
    got, wanted = (np.full((height, width, 3), 77, np.uint8) for _ in range(2))
    draw_frame(got, tiles, *camera, tile_frames, tile_index, background, sprite_frames, sprites)
    slow_draw(wanted, tiles, camera, tile_frames, tile_index, background, sprite_frames, sprites)
    assert np.array_equal(got, wanted)


@pytest.mark.parametrize("code", SHOWN)
def test_every_tile_code_differs_from_the_background(code: int) -> None:
    tiles = np.zeros((3, 3), np.uint8)
    tiles[1, 1] = code
    art, rgb = atlas(), np.empty((48, 48, 3), np.uint8)
    none = np.zeros((0, 4), np.int16)
    draw_frame(
        rgb, tiles, 0, 0, art.tile_frames, art.tile_index[0], backdrop(48), art.sprite_frames, none
    )
    changed = (rgb != backdrop(48)[:, None]).any(axis=2)
    assert changed[16:32, 16:32].sum() > 40
    changed[16:32, 16:32] = False
    assert not changed.any()


class Staged:
    """A world with the sprites one wants in it."""

    def __init__(self, world: World, *sprites: Sprite, **changes: Any) -> None:
        self._world = world
        self.sprites = list(sprites)
        self.__dict__.update(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)


def staged(*sprites: Sprite, **changes: Any) -> Any:
    return Staged(World(MEADOW), *sprites, **changes)


def sprite(kind: int, x: float = 120, y: float = 150, **changes: Any) -> Sprite:
    return Sprite(kind, x, y, 0.0, 0.0, 1, True, False, 0)._replace(**changes)


def difference(one: Any, other: Any) -> NDArray[np.bool_]:
    changed: NDArray[np.bool_] = (frame(one) != frame(other)).any(axis=2)
    return changed


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_sprite_is_seen_where_it_is(kind: Kind) -> None:
    rows, columns = np.nonzero(difference(staged(sprite(kind)), staged()))
    assert len(rows) > 30
    assert columns.min() >= 120 - 16
    assert columns.max() <= 120 + 16
    assert rows.min() >= 150 - 31
    assert rows.max() == 150 + (10 if kind == Kind.ENEMY_FLOWER else 0)


def test_kinds_look_different() -> None:
    looks = {frame(staged(sprite(kind))).tobytes() for kind in Kind if kind not in {3, 5, 7, 9}}
    assert len(looks) == 14
    assert difference(staged(sprite(14, aux=0)), staged(sprite(14, aux=1))).any()


@pytest.mark.parametrize("kind", [3, 5, 7, 9])
def test_wings_show_while_they_last(kind: int) -> None:
    assert difference(staged(sprite(kind, winged=True)), staged(sprite(kind))).any()
    assert not difference(staged(sprite(kind)), staged(sprite(kind - 1))).any()


@pytest.mark.parametrize("kind", [4, 6, 8, 10])
def test_sprites_look_where_they_face(kind: int) -> None:
    right = frame(staged(sprite(kind, facing=1)))[119:151, 112:128]
    left = frame(staged(sprite(kind, facing=-1)))[119:151, 112:128]
    assert not np.array_equal(right, left)
    sky = frame(staged())[119:151, 112:128]
    painted = (right != sky).any(axis=2) & (left[:, ::-1] != sky[:, ::-1]).any(axis=2)
    assert np.array_equal(right[painted], left[:, ::-1][painted])


def test_walkers_move_their_feet_with_the_ticks() -> None:
    assert difference(staged(sprite(2), tick=0), staged(sprite(2), tick=4)).any()


def test_a_flower_in_its_pipe_is_not_seen() -> None:
    level = Level.parse("\n".join(["-" * 20] * 8 + ["-M---TT------------F"] * 2 + ["X" * 20]))
    world = World(level)
    waits_below = sprite(Kind.ENEMY_FLOWER, 5 * 16 + 17, 8 * 16 + 19)
    assert not difference(Staged(world, waits_below), Staged(world)).any()
    up = waits_below._replace(y=8 * 16 - 3)
    rows, _ = np.nonzero(difference(Staged(world, up), Staged(world)))
    assert rows.max() == 8 * 16 - 1


def test_a_mushroom_rises_from_behind_its_block() -> None:
    tiles = MEADOW.tiles.copy()
    tiles[7, 6] = 14
    rising = staged(sprite(Kind.MUSHROOM, 7 * 16 + 9, 6 * 16 + 4), tiles=tiles)
    rows, _ = np.nonzero(difference(rising, staged(tiles=tiles)))
    assert rows.max() == 6 * 16 - 1
    far = staged(sprite(Kind.MUSHROOM, -20, 20), sprite(Kind.MUSHROOM, 40, 900), tiles=tiles)
    assert not difference(far, staged(tiles=tiles)).any()


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_the_hero_is_where_he_says(mode: int) -> None:
    world = World(MEADOW, mode=mode)
    for tick in range(60):
        world.step(RIGHT | (JUMP if tick // 9 % 2 else 0) | (4 if tick % 15 == 14 else 0))
        mario = world.mario
        gone = Staged(world, mario=mario._replace(listed=False))
        rows, columns = np.nonzero(difference(world, gone))
        camera_x, camera_y = (int(edge) for edge in world.camera)
        x, y = int(np.floor(mario.x)) - camera_x, int(np.floor(mario.y)) - camera_y
        assert x - 8 <= columns.min() < columns.max() <= x + 7
        assert y - 1 <= rows.max() <= y
        assert y - 31 <= rows.min() <= y - 10


def test_the_hero_pales_while_nothing_can_hurt_him_but_never_vanishes() -> None:
    world = World(MEADOW)
    looks = []
    for left in range(8):
        hero = world.mario._replace(invulnerable=left)
        assert difference(
            Staged(world, mario=hero), Staged(world, mario=hero._replace(listed=False))
        ).any()
        looks.append(frame(Staged(world, mario=hero)).tobytes())  # type: ignore[arg-type]
    assert len(set(looks)) == 2


def test_the_hero_shows_what_he_does() -> None:
    world = World(MEADOW, mode=1)
    hero = world.mario._replace(on_ground=True, vx=0.0, ducking=False)
    poses = [
        hero,
        hero._replace(vx=4.0),
        hero._replace(on_ground=False),
        hero._replace(ducking=True),
        hero._replace(mode=2),
        hero._replace(mode=0),
        hero._replace(facing=-1),
    ]
    looks = {frame(Staged(world, mario=pose)).tobytes() for pose in poses}  # type: ignore[arg-type]
    looks.add(frame(Staged(world, mario=hero, status=2)).tobytes())  # type: ignore[arg-type]
    assert len(looks) == len(poses) + 1
    small = hero._replace(mode=0, on_ground=False)
    ducking = small._replace(ducking=True)
    assert not difference(Staged(world, mario=small), Staged(world, mario=ducking)).any()


def test_frames_have_the_size_of_the_screen() -> None:
    picture = frame(World(MEADOW))
    assert picture.shape == (256, 256, 3)
    assert picture.dtype == np.uint8


def test_the_same_world_gives_the_same_frame() -> None:
    worlds = [World(BUSY), World(BUSY)]
    for tick in range(120):
        if worlds[0].status:
            break
        for world in worlds:
            world.step(RIGHT | (JUMP if tick % 20 > 8 else 0))
        assert np.array_equal(frame(worlds[0]), frame(worlds[1]))
        assert np.array_equal(frame(worlds[0]), frame(worlds[0].clone()))


def test_drawing_leaves_the_world_alone() -> None:
    world = World(BUSY)
    before = world.hash()
    frame(world)
    level_picture(world)
    ansi(world)
    world_text(world)
    assert world.hash() == before


def test_a_forward_model_can_be_seen() -> None:
    world = World(BUSY)
    assert np.array_equal(frame(world.forward_model()), frame(world))


def test_the_camera_is_the_worlds() -> None:
    world = World(MEADOW)
    for _ in range(30):
        world.step(RIGHT | SPEED | JUMP)
    left = int(world.camera[0])
    assert left > 0
    ground = frame(world)[-40:-20]
    whole = level_picture(world)[-40:-20, left : left + 256]
    assert np.array_equal(ground[20:], whole[20:])


@pytest.mark.parametrize("size", [(64, 48), (300, 100), (1, 1), (1000, 700)])
def test_frames_come_in_other_sizes(size: tuple[int, int]) -> None:
    world = World(MEADOW)
    for _ in range(20):
        world.step(RIGHT)
    assert frame(world, size).shape == (size[1], size[0], 3)


@pytest.mark.parametrize(
    "text", ["M", "MF\nXX", "M-\n--\n--", "\n".join(["-" * 3] * 40 + ["M-F", "XXX"])]
)
def test_small_and_tall_levels_have_pictures(text: str) -> None:
    level = Level.parse(text)
    assert frame(World(level)).shape == (256, 256, 3)
    assert level_picture(level).shape == (16 * level.height, 16 * level.width, 3)


@pytest.mark.parametrize("size", [(0, 256), (256, -1)])
def test_a_frame_needs_room(size: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="no room"):
        frame(World(MEADOW), size)


def test_a_level_picture_shows_creatures_hero_and_standard() -> None:
    picture = level_picture(BUSY)
    bare = level_picture(Level.parse(re.sub("[gGkKrRyY]", "-", BUSY.text).replace("T", "t")))
    changed = (picture != bare).any(axis=2)
    for column, row, kind in BUSY.templates:
        x, y = (column * 16 + 17, row * 16) if kind == 11 else (column * 16 + 8, row * 16 + 16)
        assert changed[y - 14 : y, x - 8 : x + 8].sum() > 40, kind
    moved = level_picture(Level.parse(MEADOW.text.replace("-M", "M-", 1)))
    assert (moved != level_picture(MEADOW)).any(axis=2)[:, :32].sum() > 100
    column, _ = BUSY.exit
    reds = (picture[:, column * 16 : column * 16 + 16] == (0xE2, 0x48, 0x3D)).all(axis=2)
    assert reds.sum() > 50


def test_hidden_blocks_show_only_when_asked() -> None:
    def cell(picture: Picture, column: int, row: int) -> Picture:
        return picture[16 * row : 16 * row + 16, 16 * column : 16 * column + 16]

    kept, told = level_picture(BUSY, reveal_hidden=False), level_picture(BUSY)
    empty = level_picture(Level.parse(re.sub("[12]", "-", BUSY.text)), reveal_hidden=False)
    assert np.array_equal(kept, empty)
    for column in range(7, 15):
        same = np.array_equal(cell(kept, column, 9), cell(told, column, 9))
        assert same == (BUSY.text.split("\n")[9][column] == "S")


def test_a_world_is_drawn_as_it_stands() -> None:
    world = World(BUSY)
    start = level_picture(world)
    for _ in range(8):
        world.step(RIGHT)
    assert not np.array_equal(level_picture(world), start)


def test_wide_levels_are_drawn_in_one_piece() -> None:
    level = Level.parse("\n".join(["M" + "-" * 3000 + "g-F"] + ["X" * 3004] * 2))
    picture = level_picture(level)
    assert picture.shape == (48, 3004 * 16, 3)
    bare = level_picture(Level.parse(level.text.replace("g", "-")))
    _, columns = np.nonzero((picture != bare).any(axis=2))
    assert 3001 * 16 <= columns.min() < columns.max() < 3002 * 16


def test_a_path_is_a_line_that_changes_colour() -> None:
    path = np.stack([np.linspace(40, 500, 60), np.full(60, 120.0)], axis=1)
    bare, drawn = level_picture(MEADOW), level_picture(MEADOW, path)
    rows, columns = np.nonzero((bare != drawn).any(axis=2))
    assert 36 <= columns.min() <= 40
    assert 500 <= columns.max() <= 506
    assert (rows.min(), rows.max()) == (114 - 4, 114 + 4)
    line = drawn[114, 60:480].astype(int)
    assert np.abs(line[0] - line[-1]).sum() > 100
    assert np.abs(np.diff(line, axis=0)).max() < 12
    outline = drawn[116, 60:480].astype(int).sum(axis=1)
    assert (outline < line.sum(axis=1)).all()


@pytest.mark.parametrize(
    "path", [[], np.zeros((0, 2)), [(30, 60)], [(-500, -80), (-9, 9999)], [(5, 5), (5, 5)]]
)
def test_short_and_straying_paths_are_drawn_as_far_as_they_go(path: Any) -> None:
    if len(path) == 0:
        path = np.zeros((0, 2))
    assert level_picture(MEADOW, path).shape == (256, 640, 3)


@pytest.mark.parametrize("path", [[1, 2, 3], [[1, 2, 3]], np.zeros((2, 2, 2))])
def test_a_path_of_another_shape_is_refused(path: Any) -> None:
    with pytest.raises(OptionError, match="shape"):
        level_picture(MEADOW, path)


def test_frames_have_few_colours() -> None:
    picture = frame(World(BUSY)).reshape(-1, 3)
    assert len(np.unique(picture, axis=0)) <= 256


def test_record_gives_the_start_and_a_frame_a_tick() -> None:
    actions = [RIGHT] * 10
    frames = list(episode_frames(MEADOW, actions, mode=2))
    assert len(frames) == 11
    world = World(MEADOW, mode=2)
    assert np.array_equal(frames[0], frame(world))
    for action in actions:
        world.step(action)
    assert np.array_equal(frames[-1], frame(world))


def test_record_stops_when_the_game_is_over() -> None:
    level = Level.parse("M--F\nXXXX")
    frames = list(episode_frames(level, np.full(500, RIGHT | SPEED, np.uint8), size=(64, 32)))
    assert 2 < len(frames) < 60
    assert frames[0].shape == (32, 64, 3)


def test_ansi_has_two_pixels_a_character() -> None:
    lines = ansi(World(MEADOW), 64).split("\n")
    assert len(lines) == 32
    assert all(line.count("▀") == 64 and line.endswith("\x1b[0m") for line in lines)
    assert set(re.sub("\x1b\\[[0-9;]*m", "", "".join(lines))) == {"▀"}


def test_ansi_at_full_size_is_the_frame() -> None:
    world = World(MEADOW)
    colours: list[list[list[int]]] = []
    for line in ansi(world, 256).split("\n"):
        upper, lower, now = [], [], [0] * 6
        for match in re.finditer("\x1b\\[38;2;([0-9;]*)m|▀", line):
            if match[0] != "▀":
                now = [int(n) for n in match[1].replace(";48;2;", ";").split(";")]
            else:
                upper.append(now[:3])
                lower.append(now[3:])
        colours += [upper, lower]
    assert np.array_equal(np.array(colours), frame(world))


@pytest.mark.parametrize("columns", [1, 0, -3, 257])
def test_ansi_refuses_a_width_it_cannot_fill(columns: int) -> None:
    with pytest.raises(OptionError, match="columns"):
        ansi(World(MEADOW), columns)


def test_plain_reads_like_the_level() -> None:
    lines = world_text(World(BUSY)).split("\n")
    assert len(lines) == BUSY.height
    assert lines[-1] == BUSY.text.split("\n")[-1].replace("-", " ")
    assert lines[13][2] == "M"
    assert lines[9][7:15].rstrip() == "??SSSS"
    assert "g" in lines[13]
    assert "\x1b" not in "".join(lines)


def test_plain_shows_every_kind_by_its_letter() -> None:
    letters = []
    for kind in Kind:
        shown = world_text(staged(sprite(kind, winged=kind in {3, 5, 7, 9})))
        letters.append(shown.split("\n")[150 // 16][120 // 16])
    assert letters == list("gGrRkKyY*vmfcuxwPu")
    assert world_text(staged(sprite(3))).split("\n")[150 // 16][120 // 16] == "g"
    assert world_text(staged(sprite(16, -40, 20), sprite(16, 40, 900)))


def test_plain_follows_the_hero() -> None:
    world = World(MEADOW)
    for _ in range(60):
        world.step(RIGHT | SPEED)
    lines = world_text(world, 20).split("\n")
    assert max(map(len, lines)) == 20
    assert "M" in lines[12]
    with pytest.raises(OptionError, match="columns"):
        world_text(world, 0)
