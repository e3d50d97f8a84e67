from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg  # type: ignore[import-untyped]
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from ludus.errors import MissingExtra, OptionError
from ludus.games.media.video import write_gif, write_mp4
from ludus.games.platformer import Level, World
from ludus.games.platformer.pictures import episode_frames, frame, write_replay

Picture = NDArray[np.uint8]

RIGHT = 2
LEVEL = Level.parse(
    "\n".join(["-" * 30] * 11 + ["-M--o-------------tt---g----F-"] + ["X" * 30] * 2)
)
ACTIONS = [RIGHT] * 12


def gif_frames(path: Path) -> tuple[list[Picture], list[int]]:
    """Read a GIF's frames and how many milliseconds each lasts."""
    pictures, durations = [], []
    with Image.open(path) as gif:
        for number in range(getattr(gif, "n_frames", 1)):
            gif.seek(number)
            pictures.append(np.array(gif.convert("RGB")))
            durations.append(int(gif.info["duration"]))
    return pictures, durations


def mp4_frames(path: Path) -> list[Picture]:
    """Read an MP4's frames, by way of a stream of PPM pictures."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path)]
    stream = subprocess.run(
        [*command, "-f", "image2pipe", "-c:v", "ppm", "-"], check=True, capture_output=True
    ).stdout
    pictures = []
    while stream:
        kind, size, depth, pixels = stream.split(b"\n", 3)
        width, height = map(int, size.split())
        assert (kind, depth) == (b"P6", b"255")
        length = height * width * 3
        pictures.append(np.frombuffer(pixels[:length], np.uint8).reshape(height, width, 3))
        stream = pixels[length:]
    return pictures


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


@pytest.mark.parametrize("name", ["a.gif", "a.MP4"])
def test_a_replay_becomes_what_its_name_says(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_replay(path, LEVEL, ACTIONS, mode=1, scale=1)
    wanted = list(episode_frames(LEVEL, ACTIONS, mode=1))
    pictures = gif_frames(path)[0] if path.suffix == ".gif" else mp4_frames(path)
    assert len(pictures) == len(wanted)
    assert np.abs(pictures[-1].astype(int) - wanted[-1]).mean() < 6


@pytest.mark.parametrize("name", ["a.avi", "a", "gif", "a.png"])
def test_other_suffixes_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"neither \.gif nor \.mp4"):
        write_replay(tmp_path / name, LEVEL, ACTIONS)
    assert not list(tmp_path.iterdir())


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


@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_a_film_needs_a_directory_that_exists(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_replay(tmp_path / "nowhere" / name, LEVEL, ACTIONS)
