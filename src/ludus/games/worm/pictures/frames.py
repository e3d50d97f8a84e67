"""Pictures and films of a worm in its dish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ludus.games.media.film_options import AS_DRAWN, FilmOptions
from ludus.games.media.palette import Picture, reduce_colours
from ludus.games.media.png import write_png
from ludus.games.media.video import write_film
from ludus.games.worm.pictures.painter import Painter
from ludus.games.worm.task import Task
from ludus.games.worm.world import World, replay

__all__ = [
    "FPS",
    "SIDE",
    "episode_frames",
    "frame",
    "write_frames",
    "write_picture",
    "write_replay",
]

FPS = 20
"""Steps a second when a person watches."""

SIDE = 480
"""Pixels from wall to wall of a dish."""


def frame(
    world: World, path: ArrayLike | None = None, *, theme: str = "light", side: int = SIDE
) -> Picture:
    """Return a picture of the dish: scent, temperature, food, predators, the worm and its path.

    Below the dish are satiety, health where there is such a thing, and the food eaten.

    Args:
        world: Any world; it is not changed.
        path: The way to draw; without one, the world's own.
        theme: ``"light"`` or ``"dark"``.
        side: Pixels from wall to wall.

    Raises:
        OptionError: There is no such theme, or the side is too short.

    Example:
        >>> frame(World("foraging-small", seed=1), side=160).shape
        (226, 192, 3)
    """
    way = np.asarray(world.path if path is None else path, np.float64).reshape(-1, 2)
    return Painter(world.task, theme, side).paint(world, way)


def write_picture(
    path: str | PathLike[str], world: World, *, theme: str = "light", side: int = SIDE
) -> None:
    """Write a picture of the dish to a PNG file; one that exists is replaced.

    Example:
        >>> write_picture("dish.png", World("foraging-small", seed=1), side=160)
    """
    write_png(path, frame(world, theme=theme, side=side))


def episode_frames(
    task: Task | str, seed: int, actions: Iterable[Any], *, theme: str = "light", side: int = SIDE
) -> Iterator[Picture]:
    """Yield the frames of an episode: its start, then one for every action until it is over.

    Example:
        >>> len(list(episode_frames("foraging-small", 1, [0, 0], side=160)))
        3
    """
    world = World(task, seed)
    painter = Painter(world.task, theme, side)
    yield painter.paint(world, world.path)
    for action in actions:
        if world.ended:
            return
        world.step(action)
        yield painter.paint(world, world.path)


def write_replay(
    path: str | PathLike[str],
    task: Task | str,
    seed: int,
    actions: Iterable[Any],
    *,
    fps: float = FPS,
    theme: str = "light",
    side: int = 320,
    options: FilmOptions = AS_DRAWN,
) -> None:
    """Write the film of an episode, as GIF or MP4 by the path's suffix, or its end as PNG.

    Raises:
        MissingExtra: The extra ``ludus-arena[video]`` is not installed.
        OptionError: The suffix is neither, or an option is out of range.
    """
    write_frames(
        path,
        episode_frames(task, seed, actions, theme=theme, side=side),
        fps,
        lambda: frame(replay(task, seed, actions), theme=theme),
        options,
    )


def write_frames(
    path: str | PathLike[str],
    frames: Iterator[Picture],
    fps: float,
    draw_end: Callable[[], Picture],
    options: FilmOptions,
) -> None:
    """Write frames as a film, those of a GIF in few colours, or the end alone as PNG.

    Raises:
        MissingExtra: The extra ``ludus-arena[video]`` is not installed.
        OptionError: The suffix is neither, or an option is out of range.
    """
    if Path(path).suffix.lower() == ".gif":
        frames = reduce_colours(frames)
    write_film(path, frames, fps, picture=draw_end, options=options)
