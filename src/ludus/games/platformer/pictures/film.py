"""Writes films of the platformer's episodes, with the extra ``video``."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from ludus.games.media.video import FPS, write_film
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.pictures.frames import episode_frames

__all__ = ["write_replay"]


def write_replay(
    path: str | PathLike[str],
    level: Level,
    actions: Iterable[int],
    *,
    fps: float = FPS,
    scale: int = 2,
    size: tuple[int, int] | None = None,
    theme: str | None = None,
    **world_options: Any,
) -> None:
    r"""Write the film of an episode, as GIF or MP4 by the path's suffix.

    Args:
        path: The file, ending in ``.gif`` or ``.mp4``.
        level: Where it happens.
        actions: What the hero does, tick by tick; those after the end are ignored.
        fps: Frames a second.
        scale: How many times larger every pixel becomes.
        size: Width and height of what the camera sees, in the game's pixels; None for its screen.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.
        **world_options: As :class:`~ludus.games.platformer.World` takes them.

    Raises:
        MissingExtra: If the extra ``ludus-arena[video]`` is not installed.
        OptionError: If the suffix is neither, or an option is out of range.

    Example:
        >>> write_replay("game.gif", Level.parse("M----F\nXXXXXX"), [2] * 9)
    """
    frames = episode_frames(level, actions, size=size, theme=theme, **world_options)
    write_film(path, frames, fps, scale=scale)
