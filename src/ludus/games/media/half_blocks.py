"""Draws pictures in a terminal with 24-bit colour: two pixels a character."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

__all__ = ["half_blocks"]


def half_blocks(pixels: NDArray[Any]) -> str:
    """Return a picture of an even number of rows as text with 24-bit colour.

    Example:
        >>> import numpy as np
        >>> half_blocks(np.zeros((2, 3, 3), np.uint8)).count("▀")
        3
    """
    return "\n".join(map(_line, pixels[::2].tolist(), pixels[1::2].tolist()))


def _line(upper: list[list[int]], lower: list[list[int]]) -> str:
    characters, before = [], ""
    for (r, g, b), (lower_r, lower_g, lower_b) in zip(upper, lower, strict=True):
        colours = f"\x1b[38;2;{r};{g};{b};48;2;{lower_r};{lower_g};{lower_b}m"
        characters.append("▀" if colours == before else f"{colours}▀")
        before = colours
    return "".join(characters) + "\x1b[0m"
