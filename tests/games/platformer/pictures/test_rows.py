from __future__ import annotations

import numpy as np

from ludus.games.platformer.pictures.rows import (
    GAP,
    GLYPHS,
    INK,
    RED,
    draw_name,
    mark_place,
    wrap_rows,
)


def test_rows_hold_every_column_once() -> None:
    picture = np.zeros((4, 3000, 3), np.uint8)
    picture[:, :, 0] = np.arange(3000) % 251
    sheet = wrap_rows(picture, 1280)
    rows = [sheet[start : start + 4] for start in range(0, len(sheet), 4 + GAP)]
    assert sheet.shape[1] <= 1280
    assert (np.concatenate(rows, axis=1)[:, :3000] == picture).all()


def test_narrow_pictures_stay_as_they_are() -> None:
    picture = np.ones((4, 1280, 3), np.uint8)
    assert wrap_rows(picture) is picture


def test_names_are_drawn_and_marks_stay_inside() -> None:
    one, other = draw_name("1-1", 100), draw_name("8-4", 100)
    assert (one == INK).any()
    assert (one != other).any()
    picture = np.zeros((64, 64, 3), np.uint8)
    mark_place(picture, 1000.0, -50.0)
    assert (picture == RED).all(axis=2).sum() > 30


def test_every_sign_looks_different() -> None:
    assert len(set(GLYPHS.values())) == len(GLYPHS)


def test_names_that_cannot_be_drawn_are_left_out() -> None:
    assert draw_name("1-1 LIFE 10", 100).shape == (24, 100, 3)
    assert draw_name("ludus?difficulty=1&seed=7", 100).shape == (0, 100, 3)
