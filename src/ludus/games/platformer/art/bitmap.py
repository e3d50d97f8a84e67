"""Pictures written as text: one letter a pixel, the palette that gives letters their colours."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["PALETTE", "SIZE", "Pixels", "bitmap", "overlay", "repeat_row", "stack", "tile", "tint"]

Pixels = NDArray[np.uint8]
"""RGBA pixels, shape ``(height, width, 4)``."""
SIZE = 16
"""Pixels along a tile's side."""

PALETTE: Mapping[str, str] = {
    "K": "261c2c",  # ink: every outline
    # cloth and crest
    "p": "ff8f78", "r": "e2483d", "R": "9c2740",
    "c": "86c5f4", "b": "3f74d1", "B": "2b418f",
    "n": "dba2ee", "m": "a45bc8", "M": "633487",
    "v": "ff9ccb", "V": "d6478f",
    # skin
    "s": "f6c396", "S": "cd8358",
    # metals
    "z": "fff2b0", "y": "ffd053", "Y": "e39b2b", "O": "9c5a1c",
    "i": "dfe6ee", "a": "98a3b5", "A": "596279",
    # plants
    "l": "b9e765", "g": "64b944", "G": "2c7a45", "h": "1c5440",
    # wood, earth and brick
    "d": "e8b877", "t": "c68648", "T": "8c5430", "D": "57321f",
    "e": "d9805a", "E": "b4573f", "F": "7d3634",
    # marble and sandstone
    "W": "fdf8ea", "w": "e3dccb", "x": "bcb2a5", "X": "8b8083",
    "j": "f3dfae", "J": "d6b67e", "q": "a3835a",
    # fire
    "o": "ff9430", "f": "ffe27a",
}  # fmt: skip
"""Letter → RGB in hexadecimal; any other character is transparent."""


def _colour(hexadecimal: str) -> tuple[int, int, int, int]:
    red, green, blue = bytes.fromhex(hexadecimal)
    return red, green, blue, 255


def bitmap(text: str, swaps: Mapping[str, str] | None = None) -> Pixels:
    """Return the picture that a text draws.

    Args:
        text: One letter a pixel. Lines may be shorter than the longest: the rest is transparent.
        swaps: Letter → the letter or RGB in hexadecimal that replaces it.
    """
    lines = text.strip("\n").split("\n")
    pixels = np.zeros((len(lines), max(map(len, lines)), 4), np.uint8)
    for y, line in enumerate(lines):
        for x, letter in enumerate(line):
            name = (swaps or {}).get(letter, letter)
            colour = PALETTE.get(name, name)
            if len(colour) == len("rrggbb"):
                pixels[y, x] = _colour(colour)
    return pixels


def overlay(below: Pixels, above: Pixels, left: int = 0, top: int = 0) -> Pixels:
    """Return a copy of ``below`` with ``above`` laid on it; what sticks out is cut off."""
    result = below.copy()
    height, width = below.shape[:2]
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + above.shape[0], height), min(left + above.shape[1], width)
    if y0 < y1 and x0 < x1:
        part = above[y0 - top : y1 - top, x0 - left : x1 - left]
        result[y0:y1, x0:x1] = np.where(part[..., 3:] > 0, part, result[y0:y1, x0:x1])
    return result


def repeat_row(text: str, rows: int = SIZE) -> str:
    """Return the text whose picture is this row again and again."""
    return "\n".join([text] * rows)


def tile(text: str, swaps: Mapping[str, str] | None = None, *, bottom: bool = False) -> Pixels:
    """Return a full tile with the text's picture at its top, or at its bottom."""
    picture = bitmap(text, swaps)
    clear = np.zeros((SIZE, SIZE, 4), np.uint8)
    return overlay(clear, picture, 0, SIZE - len(picture) if bottom else 0)


def stack(*texts: str) -> str:
    """Return the text whose picture is those of the texts, one under the other."""
    return "\n".join(text.strip("\n") for text in texts)


def tint(pixels: Pixels, hexadecimal: str, amount: float, alpha: int = 255) -> Pixels:
    """Return the picture drawn towards one colour, its opaque pixels at the given alpha."""
    result = pixels.copy()
    colour = np.array(_colour(hexadecimal)[:3])
    result[..., :3] = np.rint(pixels[..., :3] * (1 - amount) + colour * amount).astype(np.uint8)
    result[..., 3] = np.where(pixels[..., 3] > 0, alpha, 0)
    return result
