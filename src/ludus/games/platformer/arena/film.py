"""Pictures and films of arena episodes: every life in every level, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.media.video import write_gif, write_mp4
from ludus.games.platformer.arena.facts import Attempt
from ludus.games.platformer.game import path_of
from ludus.games.platformer.pictures import episode_frames, level_picture, write_png
from ludus.games.platformer.scenario import Scenario

__all__ = ["write"]

Picture = NDArray[np.uint8]


def write(attempts: Sequence[Attempt], path: Path) -> None:
    """Write Mario's ways over the levels, one below the other (.png), or the film (.gif, .mp4)."""
    suffix = path.suffix.lower()
    if suffix == ".png":
        write_png(path, _stacked([_way(attempt) for attempt in attempts]))
        return
    writers = {".gif": write_gif, ".mp4": write_mp4}
    if suffix not in writers:
        raise OptionError(f"{str(path)!r} ends in neither .png, .gif nor .mp4; name the film so")
    frames = chain.from_iterable(_frames(attempt) for attempt in attempts)
    writers[suffix](path, frames, scale=2)


def _way(attempt: Attempt) -> Picture:
    level = attempt.world.level
    scenario = Scenario(attempt.stage, level, attempt.mode, level.time_limit)
    return level_picture(level, path_of(scenario, bytes(attempt.ticks)))


def _stacked(pictures: Sequence[Picture]) -> Picture:
    """Return pictures one below the other, on black."""
    width = max(picture.shape[1] for picture in pictures)
    padded = [
        np.pad(picture, ((0, 0), (0, width - picture.shape[1]), (0, 0))) for picture in pictures
    ]
    return np.concatenate(padded)


def _frames(attempt: Attempt) -> Iterator[Picture]:
    return episode_frames(attempt.world.level, attempt.ticks, mode=attempt.mode)
