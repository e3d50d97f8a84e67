from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg  # type: ignore[import-untyped]
import numpy as np
import pytest
from tests.games.media.films import gif_frames, mp4_frames

from ludus.errors import MissingExtra, OptionError
from ludus.games.media.video import write_film, write_gif, write_mp4
from ludus.games.platformer import Level, World
from ludus.games.platformer.pictures import episode_frames, frame, write_replay

RIGHT = 2
LEVEL = Level.parse(
    "\n".join(["-" * 30] * 11 + ["-M--o-------------tt---g----F-"] + ["X" * 30] * 2)
)
ACTIONS = [RIGHT] * 12


def test_a_gif_holds_the_frames_exactly(tmp_path: Path) -> None:
    frames = list(episode_frames(LEVEL, ACTIONS))
    path = tmp_path / "a.gif"
    write_gif(path, frames, 25)
    pictures, durations = gif_frames(path)
    assert len(pictures) == len(frames)
    assert all(np.array_equal(one, other) for one, other in zip(pictures, frames, strict=True))
    assert durations == [40] * len(frames)


def test_a_gif_keeps_time_in_hundredths(tmp_path: Path) -> None:
    write_gif(tmp_path / "a.gif", episode_frames(LEVEL, [RIGHT] * 29), 30)
    _, durations = gif_frames(tmp_path / "a.gif")
    assert sum(durations) == 1000
    assert set(durations) <= {30, 40, 60, 70}


def test_a_gif_of_many_colours_comes_close(tmp_path: Path) -> None:
    x, y = np.meshgrid(np.arange(64), np.arange(64))
    rich = np.stack([x * 4, y * 4, x + y], axis=2).astype(np.uint8)
    write_gif(tmp_path / "a.gif", [rich], 10)
    (picture,), _ = gif_frames(tmp_path / "a.gif")
    assert np.abs(picture.astype(int) - rich).mean() < 16


def test_films_can_be_enlarged(tmp_path: Path) -> None:
    write_gif(tmp_path / "a.gif", episode_frames(LEVEL, ACTIONS), scale=3)
    pictures, _ = gif_frames(tmp_path / "a.gif")
    assert np.array_equal(pictures[0][::3, ::3], frame(World(LEVEL)))
    assert pictures[0].shape == (768, 768, 3)


def test_an_mp4_shows_the_frames(tmp_path: Path) -> None:
    frames = list(episode_frames(LEVEL, ACTIONS))
    path = tmp_path / "a.mp4"
    write_mp4(path, frames, 30)
    pictures = mp4_frames(path)
    assert len(pictures) == len(frames)
    assert imageio_ffmpeg.count_frames_and_secs(str(path)) == (13, pytest.approx(13 / 30, abs=0.01))
    for got, wanted in zip(pictures, frames, strict=True):
        assert np.abs(got.astype(int) - wanted).mean() < 6


def test_an_mp4_has_even_sides(tmp_path: Path) -> None:
    frames = [np.full((35, 51, 3), shade, np.uint8) for shade in range(0, 250, 50)]
    write_mp4(tmp_path / "a.mp4", frames)
    pictures = mp4_frames(tmp_path / "a.mp4")
    assert pictures[0].shape == (34, 50, 3)
    with pytest.raises(OptionError, match="MP4"):
        write_mp4(tmp_path / "b.mp4", [np.zeros((1, 9, 3), np.uint8)])


@pytest.mark.parametrize("write", [write_gif, write_mp4])
def test_impossible_films_are_refused(write: Callable[..., None], tmp_path: Path) -> None:
    one = np.zeros((16, 16, 3), np.uint8)
    path = tmp_path / "film"
    for frames, fps, scale in (([], 30, 1), ([one], 0, 1), ([one], -1, 1), ([one], 30, 0)):
        with pytest.raises(OptionError):
            write(path, frames, fps, scale=scale)
    assert not path.exists()


def test_a_gif_cannot_be_too_fast(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="51"):
        write_gif(tmp_path / "a.gif", [np.zeros((16, 16, 3), np.uint8)], 51)


@pytest.mark.parametrize(("module", "name"), [("PIL", "a.gif"), ("imageio_ffmpeg", "a.mp4")])
def test_a_missing_extra_is_named_in_one_line(
    module: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loaded in [key for key in sys.modules if key.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r'pip install "ludus-arena\[video\]"') as caught:
        write_replay(tmp_path / name, LEVEL, ACTIONS)
    assert "\n" not in str(caught.value)
    assert module in str(caught.value)


@pytest.mark.parametrize("suffix", [".png", ".PNG"])
def test_a_picture_is_written_where_there_is_one(suffix: str, tmp_path: Path) -> None:
    black = np.zeros((4, 4, 3), np.uint8)
    write_film(tmp_path / f"a{suffix}", [], picture=lambda: black)
    assert (tmp_path / f"a{suffix}").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match=r"neither \.gif nor \.mp4"):
        write_film(tmp_path / f"b{suffix}", [black])
    with pytest.raises(OptionError, match=r"none of \.png, \.gif and \.mp4"):
        write_film(tmp_path / "a.bmp", [black], picture=lambda: black)
