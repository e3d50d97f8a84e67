"""Wide pictures of levels, set in rows that a screen can show, with names and marks."""

from __future__ import annotations

import numpy as np

from ludus.games.media.palette import Picture

__all__ = ["PAPER", "WIDEST", "draw_name", "mark_place", "wrap_rows"]

WIDEST = 1280
TILE = 16
GAP = 8
PAPER = (24, 24, 32)
INK = (240, 240, 240)
RED = (230, 30, 40)
ARM = 9  # half of a mark's size
PEN = 3

GLYPHS = {
    "0": "755557", "1": "262227", "2": "717447", "3": "717117", "4": "557111", "5": "747117",
    "6": "747557", "7": "711222", "8": "757557", "9": "757117", "-": "007000",
    "L": "444447", "I": "722227", "F": "747444", "E": "747447",
}  # fmt: skip
"""Each sign as six rows of three dots, a digit of octal for each row."""


def wrap_rows(picture: Picture, widest: int = WIDEST) -> Picture:
    """Return a picture cut into rows of one width, from the top down; narrow ones stay as they are.

    Args:
        picture: RGB, uint8.
        widest: The most pixels of a row.

    Example:
        >>> wrap_rows(np.zeros((256, 3200, 3), np.uint8)).shape
        (784, 1072, 3)
    """
    height, width = picture.shape[:2]
    if width <= widest:
        return picture
    count = -(-width // widest)
    step = -(-width // (count * TILE)) * TILE
    sheet = np.empty((count * (height + GAP) - GAP, step, 3), np.uint8)
    sheet[:] = PAPER
    for row in range(count):
        piece = picture[:, row * step : (row + 1) * step]
        sheet[row * (height + GAP) :][:height, : piece.shape[1]] = piece
    return sheet


def draw_name(name: str, width: int, size: int = 3) -> Picture:
    """Return a strip with a name on dark paper: digits, dashes and the letters of LIFE.

    The strip of a name with other signs, such as the address of a generated level, has no height.
    """
    drawable = GLYPHS.keys() >= set(name) - {" "}
    strip = np.empty((8 * size if drawable else 0, width, 3), np.uint8)
    if not drawable:
        return strip
    strip[:] = PAPER
    for place, sign in enumerate(name):
        for y, dots in enumerate(GLYPHS.get(sign, "")):
            for x in range(3):
                if int(dots) >> (2 - x) & 1:
                    top, left = (1 + y) * size, (1 + 4 * place + x) * size
                    strip[top : top + size, left : left + size] = INK
    return strip


def mark_place(picture: Picture, x: float, y: float) -> None:
    """Draw a red cross at a place, or at the nearest place that the picture shows."""
    height, width = picture.shape[:2]
    column = int(np.clip(x, ARM, max(width - ARM - 1, ARM)))
    line = int(np.clip(y, ARM, max(height - ARM - 1, ARM)))
    for along in range(-ARM, ARM + 1):
        for across in (along, -along):
            top, left = line + across, column + along
            picture[max(top - 1, 0) : top + PEN - 1, max(left - 1, 0) : left + PEN - 1] = RED
