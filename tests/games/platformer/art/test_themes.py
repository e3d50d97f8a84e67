"""The looks of levels: overground, underground, castle."""

from __future__ import annotations

import numpy as np
import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, World
from ludus.games.platformer.art.themes import THEMES, Theme, find_theme
from ludus.games.platformer.pictures import ansi, episode_frames, frame, level_picture

TEXT = "\n".join(
    ["-" * 40] * 8
    + ["-" * 12 + "SS?2" + "-" * 24]
    + ["-" * 40] * 2
    + ["-M" + "-" * 20 + "|||-##---o--k-TT" + "F-"] * 2
    + ["X" * 40] * 3
)


def labelled(*labels: str) -> Level:
    return Level.parse(TEXT, labels=labels)


def test_a_level_without_a_label_is_overground() -> None:
    assert find_theme(labelled()) == find_theme(labelled("impossible")) == "overground"
    assert np.array_equal(level_picture(labelled()), level_picture(labelled("overground")))


@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_is_that_of_the_labels_unless_told_otherwise(theme: Theme) -> None:
    level = labelled("hard", theme)
    assert find_theme(level) == theme
    assert np.array_equal(level_picture(level), level_picture(labelled(), theme=theme))
    world = World(level)
    assert np.array_equal(frame(world), frame(World(labelled()), theme=theme))
    assert np.array_equal(frame(world, theme="overground"), frame(World(labelled())))
    assert ansi(world) == ansi(World(labelled()), theme=theme)
    assert np.array_equal(next(episode_frames(labelled(), [], theme=theme)), frame(world))


def test_themes_look_different() -> None:
    assert len({level_picture(labelled(theme)).tobytes() for theme in THEMES}) == len(THEMES)
    bright, *dark = (frame(World(labelled(theme))).mean() for theme in THEMES)
    assert all(one < bright / 2 for one in dark)


def test_there_are_no_other_themes() -> None:
    world = World(labelled())
    with pytest.raises(OptionError, match=r"desert.*overground, underground, castle"):
        frame(world, theme="desert")
    with pytest.raises(OptionError, match="desert"):
        level_picture(labelled(), theme="desert")
    with pytest.raises(OptionError, match="desert"):
        ansi(world, theme="desert")


@pytest.mark.parametrize("theme", THEMES)
def test_frames_keep_to_the_colours_of_a_gif(theme: Theme) -> None:
    world = World(labelled(theme))
    for _ in range(40):
        world.step(2)
    assert len(np.unique(frame(world).reshape(-1, 3), axis=0)) <= 256


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("text", ["M", "MF\nXX", "\n".join(["-" * 3] * 60 + ["M-F", "XXX"])])
def test_small_and_tall_levels_have_every_look(text: str, theme: Theme) -> None:
    level = Level.parse(text, labels=[theme])
    assert frame(World(level)).shape == (256, 256, 3)
    assert frame(World(level), (1000, 40)).shape == (40, 1000, 3)
    assert level_picture(level).shape == (16 * level.height, 16 * level.width, 3)


@pytest.mark.parametrize("theme", THEMES)
def test_maps_of_pieces_have_no_seam(theme: Theme) -> None:
    wide = Level.parse("\n".join(["-" * 200] * 10 + ["M" + "-" * 198 + "F"] + ["X" * 200] * 2))
    whole = level_picture(wide, theme=theme)
    for width in (1024, 2048):
        rows = "\n".join(row[: width // 16 + 2] for row in wide.text.split("\n"))
        cut = level_picture(Level.parse(rows), theme=theme)
        kept = np.s_[:, : width - 64]
        assert np.array_equal(whole[kept], cut[kept])


def test_torches_light_a_castle_and_flicker() -> None:
    world = World(labelled("castle"))
    warm = (frame(world).astype(int) @ (1, 0, -1)) > 120
    assert warm[60:140].any()
    early = frame(world)
    for _ in range(4):
        world.step(0)
    assert not np.array_equal(early[60:140, 120:], frame(world)[60:140, 120:])
