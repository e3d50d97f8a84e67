"""Pictures, films and texts of platformer worlds and levels.

A level whose labels name a theme, such as ``underground`` or ``castle``, is drawn in it.

Example:
    >>> from ludus.games.platformer import World
    >>> from ludus.games.platformer.levels.bundled import bundled_level
    >>> frame(World(bundled_level("sprint-01"))).shape
    (256, 256, 3)
"""

from __future__ import annotations

from ludus.games.media.png import write_png
from ludus.games.platformer.pictures.film import write_replay
from ludus.games.platformer.pictures.frames import episode_frames, frame, level_picture
from ludus.games.platformer.pictures.terminal import ansi, world_text

__all__ = [
    "ansi",
    "episode_frames",
    "frame",
    "level_picture",
    "world_text",
    "write_png",
    "write_replay",
]
