from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.games.media.films import gif_frames, mp4_frames

from ludus.errors import OptionError
from ludus.games.platformer import Level
from ludus.games.platformer.pictures import episode_frames, write_replay

LEVEL = Level.parse(
    "\n".join(["-" * 30] * 11 + ["-M--o-------------tt---g----F-"] + ["X" * 30] * 2)
)
ACTIONS = [2] * 12


@pytest.mark.parametrize("name", ["a.gif", "a.MP4"])
def test_a_replay_becomes_what_its_name_says(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_replay(path, LEVEL, ACTIONS, mode=1, scale=1)
    wanted = list(episode_frames(LEVEL, ACTIONS, mode=1))
    pictures = gif_frames(path)[0] if path.suffix == ".gif" else mp4_frames(path)
    if path.suffix == ".gif":  # every other tick: the screen has twice as many a second
        assert len(pictures) == len(wanted) // 2 + 1
    else:
        assert len(pictures) == len(wanted)
    assert np.abs(pictures[-1].astype(int) - wanted[-1]).mean() < 6


@pytest.mark.parametrize("name", ["a.avi", "a", "gif", "a.png"])
def test_other_suffixes_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"neither \.gif nor \.mp4"):
        write_replay(tmp_path / name, LEVEL, ACTIONS)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_a_film_needs_a_directory_that_exists(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_replay(tmp_path / "nowhere" / name, LEVEL, ACTIONS)
