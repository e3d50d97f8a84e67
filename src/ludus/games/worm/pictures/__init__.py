"""Pictures, films and texts of a worm in its dish."""

from __future__ import annotations

from ludus.games.worm.pictures.frames import (
    FPS,
    SIDE,
    episode_frames,
    frame,
    write_picture,
    write_replay,
)
from ludus.games.worm.pictures.text import dish_text
from ludus.games.worm.pictures.themes import THEMES

__all__ = [
    "FPS",
    "SIDE",
    "THEMES",
    "dish_text",
    "episode_frames",
    "frame",
    "write_picture",
    "write_replay",
]
