from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ludus.agents.platformer.cell_paths import AHEAD, Hop, find_next_hop

SIDE = 21
MIDDLE = SIDE // 2
ME = 4  # columns behind Mario


def field(*rows: str) -> np.ndarray:
    """Return cells; Mario is in the middle row, and ``X`` is a block."""
    blocks = np.zeros((SIDE, ME + 1 + AHEAD), np.bool_)
    first = MIDDLE - len(rows) + 2
    for row, text in enumerate(rows, start=first):
        for column, block in enumerate(text):
            blocks[row, column] = block == "X"
    return blocks


def hop_on(*rows: str) -> Hop | None:
    blocks = field(*rows)
    return find_next_hop(blocks, blocks)


FLOOR = "X" * 15


def test_on_a_floor_the_next_hop_is_a_step() -> None:
    assert hop_on("", FLOOR) == Hop(1, 0)


def test_a_wall_is_jumped_onto() -> None:
    assert hop_on("-----X", "-----X", FLOOR) == Hop(1, 2)


def test_a_gap_is_jumped_over() -> None:
    assert hop_on("", "XXXXX--" + "X" * 8) == Hop(3, 0)


def test_there_is_no_way_past_a_wall_that_is_too_high() -> None:
    assert hop_on(*["-----X"] * 8, FLOOR) is None


def test_what_carries_but_does_not_stop_can_be_jumped_through() -> None:
    blocks = field("-" * 5 + "X" * 10, "", "XXXXX")
    walls = field("", "", "XXXXX")
    assert find_next_hop(blocks, walls) == Hop(1, 2)


@given(st.binary(min_size=SIDE * 15, max_size=SIDE * 15))
def test_a_hop_leads_onto_something_that_carries(noise: bytes) -> None:
    blocks = (np.frombuffer(noise, np.uint8) < 80).reshape(SIDE, 15)
    hop = find_next_hop(blocks, blocks)
    if hop is not None:
        row, column = MIDDLE - hop.rise, ME + hop.columns
        assert blocks[row + 1, column]
        assert not blocks[row, column]
