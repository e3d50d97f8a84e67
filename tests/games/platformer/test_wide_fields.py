from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer import Level, World
from ludus.games.platformer._native import SIGHT_FIELDS, WIDE_FIELDS, sight_fields, wide_fields

BEHIND, COLUMNS, STEP, PIT, ONE = 3, 23, 8, -127, 64
RIGHT = 2


def world(*rows: str) -> World:
    return World(Level.parse("\n".join(rows), rules="ludus"))


def ground(w: World) -> list[int]:
    return [int(number) for number in wide_fields(w)[SIGHT_FIELDS : SIGHT_FIELDS + COLUMNS]]


def platforms(w: World) -> NDArray[np.int8]:
    return wide_fields(w)[SIGHT_FIELDS + COLUMNS :].reshape(3, 7)


def settle(w: World, ticks: int = 8) -> World:
    for _ in range(ticks):
        w.step(0)
    return w


def test_the_wide_row_begins_with_the_other_one() -> None:
    w = settle(world(*["-" * 30] * 8, "M" + "-" * 28 + "F", "X" * 30))
    assert len(wide_fields(w)) == WIDE_FIELDS == 638
    np.testing.assert_array_equal(wide_fields(w)[:SIGHT_FIELDS], sight_fields(w))


def test_the_ground_is_level_a_wall_a_step_down_or_a_pit() -> None:
    rows = [
        *["-" * 30] * 6,
        "----M---XX" + "-" * 20,
        "XXXXXXX-XX" + "-" * 19 + "F",
        "XXXXXXX-XX-XX" + "-" * 11 + "XXXXXX",
    ]
    w = settle(world(*rows))
    assert int(w.mario.x) // 16 == 4
    seen = ground(w)
    assert seen[: BEHIND + 3] == [0] * 6  # as high as where he stands, behind and ahead
    assert seen[BEHIND + 3] == PIT  # column 7
    assert seen[BEHIND + 4] == seen[BEHIND + 5] == STEP  # a wall of one
    assert seen[BEHIND + 6] == PIT
    assert seen[BEHIND + 7] == -STEP  # one lower
    assert seen[-1] == PIT


def test_platforms_are_seen_with_their_way() -> None:
    rows = [*["-" * 40] * 7, "M---------==....-==....----------------F"]
    rows.append("XXXXXXX" + "-" * 27 + "XXXXXX")
    w = settle(world(*rows))
    there, dx, dy, vx, vy, width, to_turn = platforms(w)[0].tolist()
    (x, y), *_ = [(p[0], p[1]) for p in w.platforms]
    assert (there, vx, vy, width) == (ONE, ONE, 0, 16)
    assert abs(2 * dx - (x + 16 - w.mario.x)) <= 2
    assert abs(2 * dy - (y - w.mario.y)) <= 2
    assert platforms(w)[1][0] == ONE
    assert not platforms(w)[2].any()
    settle(w, 2 * to_turn + 4)  # it turns
    assert platforms(w)[0][3] == -ONE


def test_no_platform_is_seen_where_there_is_none() -> None:
    w = settle(world(*["-" * 30] * 8, "M" + "-" * 28 + "F", "X" * 30))
    assert not platforms(w).any()
