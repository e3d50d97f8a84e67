"""A level's map for a terminal: strips of coloured half blocks, two characters a tile."""

from __future__ import annotations

import numpy as np

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
    return "\n\n".join(_half_blocks(part.tolist()) for part in parts)


def _half_blocks(rows: list[list[list[int]]]) -> str:
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        line, before = [], ""
        for (r, g, b), (lower_r, lower_g, lower_b) in zip(upper, lower, strict=True):
            colours = f"\x1b[38;2;{r};{g};{b};48;2;{lower_r};{lower_g};{lower_b}m"
            line.append("▀" if colours == before else f"{colours}▀")
            before = colours
        lines.append("".join(line) + "\x1b[0m")
    return "\n".join(lines)
