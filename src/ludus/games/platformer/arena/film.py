"""Pictures and films of arena episodes: every life in every level, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.media.palette import Picture
from ludus.games.media.video import film_scale, write_film, write_preview
from ludus.games.platformer.arena.facts import Attempt
from ludus.games.platformer.game import replay_path
from ludus.games.platformer.pictures import episode_frames, level_picture
from ludus.games.platformer.pictures.rows import PAPER, draw_name, mark_place, wrap_rows
from ludus.games.platformer.scenario import Scenario

__all__ = ["preview_attempts", "write_attempts"]


def write_attempts(
    path: Path, attempts: Sequence[Attempt], options: FilmOptions = AS_DRAWN
) -> None:
    """Write Mario's paths, one level below the other (.png), or the film of all (.gif, .mp4).

    In the picture each level has its name above it, and a red cross where a life was lost.
    """
    frames = chain.from_iterable(_frames(attempt) for attempt in attempts)
    write_film(
        path,
        frames,
        scale=film_scale(path),
        picture=lambda: _stack(list(map(_sheet, attempts))),
        options=options,
    )


def preview_attempts(path: Path, attempts: Sequence[Attempt]) -> None:
    """Write a small film of all attempts, one after the other."""
    frames = chain.from_iterable(_frames(attempt) for attempt in attempts)
    write_preview(path, frames, sum(len(attempt.ticks) for attempt in attempts))


def _path_picture(attempt: Attempt) -> Picture:
    level = attempt.world.level
    scenario = Scenario(attempt.stage, level, attempt.mode, level.time_limit)
    places = replay_path(scenario, bytes(attempt.ticks))
    picture = level_picture(level, places)
    if attempt.world.status and not attempt.won:
        mark_place(picture, *places[-1].tolist())
    return picture


def _sheet(attempt: Attempt) -> Picture:
    """Return the level's name above its picture, in rows."""
    rows = wrap_rows(_path_picture(attempt))
    return np.concatenate([draw_name(attempt.stage, rows.shape[1]), rows])


def _stack(pictures: Sequence[Picture]) -> Picture:
    """Return pictures one below the other, on the paper of their names."""
    width = max(picture.shape[1] for picture in pictures)
    sheet = np.empty((sum(len(picture) for picture in pictures), width, 3), np.uint8)
    sheet[:] = PAPER
    top = 0
    for picture in pictures:
        sheet[top : top + len(picture), : picture.shape[1]] = picture
        top += len(picture)
    return sheet


def _frames(attempt: Attempt) -> Iterator[Picture]:
    return episode_frames(attempt.world.level, attempt.ticks, mode=attempt.mode)
