"""A level's map for a terminal: strips of coloured half blocks, two characters a tile."""

from __future__ import annotations

import numpy as np

from ludus.games.media.half_blocks import half_blocks
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.pictures import level_picture

__all__ = ["strips"]

PIXELS = 8  # of the map in one of the terminal's


def strips(level: Level, columns: int = 80) -> str:
    """Return a level's map as text with 24-bit colour, cut into strips of a width.

    Args:
        level: The level.
        columns: Characters in a line.
    """
    picture = level_picture(level)
    height, width = (side // PIXELS for side in picture.shape[:2])
    pixels = picture.reshape(height, PIXELS, width, PIXELS, 3).mean((1, 3)).astype(np.uint8)
    step = max(columns // 2, 1) * 2
    parts = [pixels[:, left : left + step] for left in range(0, width, step)]
    return "\n\n".join(half_blocks(part) for part in parts)
