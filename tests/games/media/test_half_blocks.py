from __future__ import annotations

import numpy as np

from ludus.games.media.half_blocks import half_blocks


def test_a_character_shows_two_pixels_and_repeats_no_colours() -> None:
    pixels = np.array([[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]], np.uint8)
    assert half_blocks(pixels) == "\x1b[38;2;1;2;3;48;2;4;5;6m▀▀\x1b[0m"


def test_every_two_rows_are_a_line() -> None:
    text = half_blocks(np.zeros((6, 5, 3), np.uint8))
    assert text.count("\n") == 2
    assert text.count("▀") == 15
