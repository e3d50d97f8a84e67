"""Pictures and films of arena episodes: every life in every level, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from pathlib import Path

import numpy as np

from ludus.games.media.film_options import AS_DRAWN, FPS, SPEEDS, FilmOptions
from ludus.games.media.palette import Picture
from ludus.games.media.video import film_scale, write_film, write_preview
from ludus.games.platformer.arena.facts import Attempt
from ludus.games.platformer.game import replay_path
from ludus.games.platformer.pictures import episode_frames, level_picture
from ludus.games.platformer.pictures.rows import PAPER, WIDEST, draw_name, mark_place, wrap_rows
from ludus.games.platformer.scenario import Scenario

__all__ = ["name_attempts", "preview_attempts", "write_attempts"]

WIDTHS = (WIDEST, 2 * WIDEST, 4 * WIDEST)
TALLEST = 32_000
"""Pixels of a picture's height; browsers show none of more than 32,767."""

LONGEST_GIF = 60 * FPS
"""Ticks of a GIF that goes as fast as the game; it goes faster where there are more."""


def write_attempts(
    path: Path, attempts: Sequence[Attempt], options: FilmOptions = AS_DRAWN
) -> None:
    """Write Mario's paths, one level below the other (.png), or the film of all (.gif, .mp4).

    In the picture each level has its name above it, with the number of the life if there are
    several attempts, and a red cross where a life was lost. A GIF of a long game lasts a minute,
    unless the options name its speed.
    """
    if path.suffix.lower() == ".gif" and options.speed is None:
        options = replace(options, speed=_choose_speed(attempts))
    frames = chain.from_iterable(_frames(attempt) for attempt in attempts)
    write_film(
        path,
        frames,
        scale=film_scale(path),
        picture=lambda: _draw_attempts(attempts),
        options=options,
    )


def _choose_speed(attempts: Sequence[Attempt]) -> float:
    ticks = sum(len(attempt.ticks) for attempt in attempts)
    return min(max(1.0, ticks / LONGEST_GIF), SPEEDS[1])


def preview_attempts(path: Path, attempts: Sequence[Attempt]) -> None:
    """Write a small film of all attempts, one after the other."""
    frames = chain.from_iterable(_frames(attempt) for attempt in attempts)
    write_preview(path, frames, sum(len(attempt.ticks) for attempt in attempts))


def name_attempts(attempts: Sequence[Attempt]) -> list[str]:
    """Return what stands above each attempt in a picture."""
    if len(attempts) == 1:
        return [attempts[0].stage]
    lives = accumulate((_is_lost(attempt) for attempt in attempts), initial=1)
    return [f"{attempt.stage} LIFE {life}" for attempt, life in zip(attempts, lives, strict=False)]


def _is_lost(attempt: Attempt) -> bool:
    return bool(attempt.world.status) and not attempt.won


def _path_picture(attempt: Attempt) -> Picture:
    level = attempt.world.level
    scenario = Scenario(attempt.stage, level, attempt.mode, level.time_limit)
    places = replay_path(scenario, bytes(attempt.ticks))
    picture = level_picture(level, places)
    if _is_lost(attempt):
        mark_place(picture, *places[-1].tolist())
    return picture


def _draw_attempts(attempts: Sequence[Attempt]) -> Picture:
    """Return all paths with their names; rows are wider where the sheet would be too tall."""
    paths, names = list(map(_path_picture, attempts)), name_attempts(attempts)
    for widest in WIDTHS:
        sheet = _stack([_sheet(*one, widest) for one in zip(paths, names, strict=True)])
        if len(sheet) <= TALLEST:
            break
    return sheet


def _sheet(path: Picture, name: str, widest: int) -> Picture:
    """Return a name above the level's picture, in rows."""
    rows = wrap_rows(path, widest)
    return np.concatenate([draw_name(name, rows.shape[1]), rows])


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
