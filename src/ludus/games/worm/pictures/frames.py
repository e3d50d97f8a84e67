"""Pictures and films of a worm in its dish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError
from ludus.games.media.png import write_png
from ludus.games.media.video import write_gif, write_mp4
from ludus.games.worm.pictures.painter import Painter
from ludus.games.worm.task import Task
from ludus.games.worm.world import World

__all__ = ["FPS", "SIDE", "episode_frames", "frame", "write_picture", "write_replay"]

FPS = 20
"""Steps a second when a person watches."""

SIDE = 480
"""Pixels from wall to wall of a dish."""

TONES, FEW = (8, 12, 16), 200
"""Steps between the tones of a GIF, and the colours its first frame may have: more will come."""

Picture = NDArray[np.uint8]


def frame(
    world: World, path: ArrayLike | None = None, *, theme: str = "light", side: int = SIDE
) -> Picture:
    """Return a picture of the dish: scent, temperature, food, predators, the worm and its way.

    Below the dish are satiety, health where there is such a thing, and the food eaten.

    Args:
        world: Any world; it is not changed.
        path: The way to draw; without one, the world's own.
        theme: ``"light"`` or ``"dark"``.
        side: Pixels from wall to wall.

    Raises:
        OptionError: There is no such theme, or the side is too short.
    """
    way = np.asarray(world.path if path is None else path, np.float64).reshape(-1, 2)
    return Painter(world.task, theme, side).paint(world, way)


def write_picture(
    path: str | PathLike[str], world: World, *, theme: str = "light", side: int = SIDE
) -> None:
    """Write a picture of the dish to a PNG file; one that exists is replaced."""
    write_png(path, frame(world, theme=theme, side=side))


def episode_frames(
    task: Task | str, seed: int, actions: Iterable[Any], *, theme: str = "light", side: int = SIDE
) -> Iterator[Picture]:
    """Yield the frames of an episode: its start, then one for every action until it is over."""
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
) -> None:
    """Write the film of an episode, as GIF or MP4 by the path's suffix.

    Raises:
        MissingExtra: The extra ``ludus[video]`` is not installed.
        OptionError: The suffix is neither, or an option is out of range.
    """
    frames = episode_frames(task, seed, actions, theme=theme, side=side)
    suffix = Path(path).suffix.lower()
    if suffix == ".gif":
        write_gif(path, _in_fewer_colours(frames), fps)
    elif suffix == ".mp4":
        write_mp4(path, frames, fps)
    else:
        raise OptionError(f"{str(path)!r} ends in none of .png, .gif and .mp4; name the film so")


def _in_fewer_colours(frames: Iterator[Picture]) -> Iterator[Picture]:
    """Yield frames in as many colours as a GIF can hold, so that what stands still stays alike."""
    first = next(frames)
    tone = next((one for one in TONES if _colours(_toned(first, one)) <= FEW), TONES[-1])
    for one in chain([first], frames):
        yield _toned(one, tone)


def _toned(picture: Picture, tone: int) -> Picture:
    return (np.rint(picture / tone) * tone).clip(0, 255).astype(np.uint8)


def _colours(picture: Picture) -> int:
    return len(np.unique(picture.reshape(-1, 3), axis=0))
