from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.games.platformer.art.atlas import NOTHING, atlas
from ludus.games.platformer.art.bitmap import (
    PALETTE,
    bitmap,
    overlay,
    repeat_row,
    stack,
    tile,
    tint,
)
from ludus.games.platformer.art.dress import (
    DOOR_FOOT,
    DOORWAY,
    GROUND,
    PLATFORM_OVER_BACKGROUND,
    TUFT_KINDS,
    TUFTS,
    dress,
)
from ludus.games.platformer.art.map_tiles import COIN_CHEST
from ludus.games.platformer.art.scenery import PIECE, backdrop, scenery
from ludus.games.platformer.art.themes import THEMES, Theme
from ludus.games.platformer.art.tiles import PHASES, REVEALED

SHOWN = [1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 15, 18, 19, 20, 21, 39, 40, 43, 44, 45, 46, 47, 50, 51, 52]
SHOWN += [53, *range(64, 84)]
HIDDEN = [48, 49]
POSES = ["stand", "walk-0", "walk-1", "jump", "climb", "lost"]


def test_bitmap_draws_letters_and_leaves_the_rest_clear() -> None:
    pixels = bitmap("\nK.\nr\n")
    assert pixels.shape == (2, 2, 4)
    assert bytes(pixels[0, 0, :3]).hex() == PALETTE["K"]
    assert pixels[..., 3].tolist() == [[255, 0], [255, 0]]


def test_bitmap_swaps_letters_for_letters_and_colours() -> None:
    assert np.array_equal(bitmap("rK", {"r": "b"}), bitmap("bK"))
    assert bitmap("rK", {"r": "010203"})[0, 0].tolist() == [1, 2, 3, 255]


def test_a_tile_is_filled_from_the_top_or_from_the_bottom() -> None:
    assert np.array_equal(tile("K")[0, 0], bitmap("K")[0, 0])
    assert tile("K")[..., 3].sum() == 255
    assert np.array_equal(tile("K", bottom=True)[-1, 0], bitmap("K")[0, 0])
    assert np.array_equal(tile(repeat_row("r" * 16)), bitmap(repeat_row("r" * 16)))


def test_over_cuts_off_what_sticks_out() -> None:
    below = bitmap("KK\nKK")
    assert np.array_equal(overlay(below, bitmap("rr\nrr"), 1, -1), bitmap("Kr\nKK"))
    assert np.array_equal(overlay(below, bitmap("r"), 5, 0), below)


def test_stacked_pictures_stand_one_under_the_other() -> None:
    assert np.array_equal(bitmap(stack("\nKr\n", "\nrK\n")), bitmap("Kr\nrK"))


def test_tint_reaches_its_colour_and_keeps_the_clear() -> None:
    tinted = tint(bitmap("K."), "102030", 1.0, alpha=9)
    assert tinted.tolist()[0][0] == [0x10, 0x20, 0x30, 9]
    assert tinted[0, 1, 3] == 0


@pytest.mark.parametrize("theme", THEMES)
def test_atlas_is_one_and_cannot_be_changed(theme: Theme) -> None:
    art = atlas(theme)
    assert atlas(theme) is art
    for array in (art.tile_frames, art.tile_index, art.map_index, art.sprite_frames):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        art.sprites = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        art.sprites["blob-0"] = 1  # type: ignore[index]


@pytest.mark.parametrize("theme", THEMES)
def test_atlas_has_the_shapes_that_drawing_needs(theme: Theme) -> None:
    art = atlas(theme)
    assert art.tile_frames.dtype == art.sprite_frames.dtype == np.uint8
    assert art.tile_frames.shape[1:] == (16, 16, 4)
    assert len(art.tile_frames) <= NOTHING
    assert art.tile_index.shape == (PHASES, 256)
    assert art.sprite_frames.shape[1:] == (32, 16, 4)
    assert sorted(art.sprites.values()) == list(range(len(art.sprite_frames)))


def test_a_sprite_has_its_frame_in_every_theme() -> None:
    named = [
        {name: n for name, n in atlas(theme).sprites.items() if not name.startswith(PIECE)}
        for theme in THEMES
    ]
    assert named[0] == named[1] == named[2]
    for name, n in named[0].items():
        frames = {atlas(theme).sprite_frames[n].tobytes() for theme in THEMES}
        assert len(frames) == 1, name


def test_ground_bricks_and_blocks_look_different_in_every_theme() -> None:
    for code in (1, 2, 6, 7, 47, 50, 51, *range(GROUND, GROUND + 16), TUFTS, TUFTS + 3):
        looks = {
            atlas(theme).tile_frames[atlas(theme).tile_index[0, code]].tobytes() for theme in THEMES
        }
        assert len(looks) == len(THEMES), code


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("code", SHOWN)
def test_every_tile_with_a_look_shows_in_every_phase(code: int, theme: Theme) -> None:
    art = atlas(theme)
    for phase in range(PHASES):
        frame = art.tile_frames[art.tile_index[phase, code]]
        assert (frame[..., 3] > 0).sum() > 40


def test_empty_and_hidden_tiles_show_nothing_in_play() -> None:
    assert (atlas().tile_index[:, [0, *HIDDEN]] == NOTHING).all()


def test_a_map_shows_what_blocks_hold() -> None:
    art = atlas()
    assert set(REVEALED) == {7, 8, 11, 48, 49, 50, 51, COIN_CHEST}
    for code in REVEALED:
        assert art.map_index[code] not in {NOTHING, art.tile_index[0, code]}
    assert len({int(art.map_index[code]) for code in (6, 7, 50, 51)}) == 4


def test_bricks_and_chests_keep_their_secret_in_play() -> None:
    frames, index = atlas().tile_frames, atlas().tile_index[0]
    for alike in ((6, 7, 50, 51), (8, 11)):
        assert all(np.array_equal(frames[index[c]], frames[index[alike[0]]]) for c in alike)


def test_different_tiles_look_different() -> None:
    frames, index = atlas().tile_frames, atlas().tile_index[0]
    distinct = [code for code in SHOWN if code not in {7, 11, 50, 51}]
    assert len({frames[index[code]].tobytes() for code in distinct}) == len(distinct)


@pytest.mark.parametrize("mode", ["small", "large", "fire"])
def test_the_hero_has_every_pose_in_every_form(mode: str) -> None:
    art = atlas()
    poses = POSES if mode == "small" else [*POSES, "duck"]
    frames = [art.sprite_frames[art.sprites[f"{mode}-{pose}"]] for pose in poses]
    assert len({frame.tobytes() for frame in frames}) == len(frames)
    for pose in poses:
        assert f"{mode}-{pose}-pale" in art.sprites


def test_forms_have_their_heights() -> None:
    art = atlas()

    def height(name: str) -> int:
        return int((art.sprite_frames[art.sprites[name]][..., 3] > 0).any(axis=1).sum())

    assert height("small-stand") == 16
    assert 24 <= height("large-stand") == height("fire-stand") <= 32
    assert height("large-duck") <= 16
    assert 20 <= height("snail-red-0") <= 24
    assert height("blob-0") <= 16


def test_everything_stands_on_the_bottom_row() -> None:
    art = atlas()
    for name, frame in art.sprites.items():
        if not name.startswith(PIECE) and "jump" not in name and "track" not in name:
            assert art.sprite_frames[frame][-1, :, 3].any(), name


def test_ground_is_dressed_by_its_open_sides() -> None:
    tiles = np.zeros((5, 5), np.uint8)
    tiles[2, 2] = 1
    assert dress(tiles)[2, 2] == GROUND + 15
    tiles[:, 2:] = 1
    dressed = dress(tiles)
    assert (dressed[:, 2] == GROUND + 1).all()
    assert (dressed[:, 3:] == GROUND).all()


def test_dressing_changes_only_ground_its_growth_propped_platforms_and_doors() -> None:
    tiles = np.arange(255, -1, -1).astype(np.uint8).reshape(64, 4)
    kept = (tiles != 1) & ((tiles < 78) | (tiles > 80))
    assert np.array_equal(dress(tiles)[kept], tiles[kept])
    platform = np.array([[44, 47], [46, 0], [45, 47]], np.uint8)
    assert dress(platform)[:, 0].tolist() == [
        PLATFORM_OVER_BACKGROUND + 1,
        46,
        PLATFORM_OVER_BACKGROUND + 2,
    ]


def test_doors_are_dressed_by_what_goes_on() -> None:
    closed = np.array([[78, 78, 78, 1], [0, 79, 80, 0], [80, 0, 80, 80]], np.uint8)
    foot = DOOR_FOOT
    assert dress(closed)[0, :3].tolist() == [78, 78, foot]
    assert dress(closed)[1, 1:3].tolist() == [foot + 1, foot + 2]
    assert dress(closed)[2].tolist() == [foot + 2, 0, 80, foot + 2]
    opened = np.array([[81, 81, 81, 1], [0, 82, 83, 83], [83, 80, 83, 0]], np.uint8)
    assert dress(opened)[0, :3].tolist() == [81, DOORWAY, DOORWAY]
    assert dress(opened)[1].tolist() == [0, 82, 83, DOORWAY + 2]
    assert dress(opened)[2, :3].tolist() == [83, foot + 2, 83]


def test_nothing_grows_where_something_lay() -> None:
    now = np.zeros((600, 3), np.uint8)
    now[:, 2] = 1
    then = now.copy()
    then[::2, 1] = 15
    grown = dress(now, 0, then)
    assert not grown[::2, 1].any()
    assert np.array_equal(grown[1::2, 1], dress(now)[1::2, 1])


def test_growth_belongs_to_the_column_not_to_the_view() -> None:
    tiles = np.zeros((600, 3), np.uint8)
    tiles[:, 2] = 1
    whole = dress(tiles)
    assert np.array_equal(dress(tiles[100:200], 100)[1:-1], whole[101:199])
    assert set(np.unique(whole[:, 1])) == {0, *range(TUFTS, TUFTS + TUFT_KINDS)}


def test_dressing_leaves_its_argument_alone() -> None:
    tiles = np.ones((3, 3), np.uint8)
    tiles.flags.writeable = False
    dress(tiles)
    assert (tiles == 1).all()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("height", [1, 16, 100, 256, 1000])
def test_backdrop_has_a_colour_for_each_row(height: int, theme: Theme) -> None:
    rows = backdrop(height, theme)
    assert rows.shape == (height, 3)
    assert rows.any(axis=1).all()


def covered(theme: Theme, left: int, width: int = 256, height: int = 256) -> NDArray[np.bool_]:
    """Return which pixels of a picture the scenery covers."""
    art = atlas(theme)
    shown = np.zeros((height + 64, width + 32), bool)  # with a margin of a frame
    for frame, x, y, flip in scenery(left, width, height, theme).tolist():
        assert flip == 2
        frame_covers = art.sprite_frames[art.scenery + frame][..., 3] > 0
        shown[y + 1 : y + 33, x + 8 : x + 24] |= frame_covers
    return shown[32:-32, 16:-16]


@pytest.mark.parametrize(
    ("theme", "above_bottom"), [("overground", 60), ("underground", 55), ("castle", 20)]
)
@pytest.mark.parametrize("left", [0, 3, 1000, 10**6])
def test_hills_rocks_and_walls_cover_the_whole_width(
    left: int, theme: Theme, above_bottom: int
) -> None:
    shown = covered(theme, left)
    assert shown[256 - above_bottom].all()
    assert not shown.all()


@pytest.mark.parametrize("theme", THEMES)
def test_scenery_moves_slower_than_the_camera_but_on_a_map_with_it(theme: Theme) -> None:
    period = 560 * 480 * 512 * 360
    for deep in (True, False):
        start = scenery(period, 256, 256, theme, deep=deep)
        moved = scenery(period + 16, 256, 256, theme, deep=deep)
        places = {tuple(record) for record in start.tolist()}
        shifts = {
            shift
            for shift in range(17)
            for frame, x, y, flip in moved.tolist()
            if 32 < x < 224 and (frame, x + shift, y, flip) in places
        }
        assert (16 in shifts) != deep


def test_torches_flicker() -> None:
    assert not np.array_equal(
        scenery(0, 256, 256, "castle", tick=0), scenery(0, 256, 256, "castle", tick=4)
    )
    assert np.array_equal(scenery(0, 256, 256, tick=0), scenery(0, 256, 256, tick=4))
