"""Actions are bits, or truth values in the order of the bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import ActionError
from ludus.games.platformer.codes import CompetitionButton, buttons_of
from ludus.games.platformer.tasks.actions import read_action


@given(st.lists(st.booleans(), min_size=5, max_size=5), st.sampled_from(["2009", "ludus"]))
def test_five_truth_values_are_the_bits(values: list[bool], rules: str) -> None:
    bits = int("".join(str(int(value)) for value in reversed(values)), 2)
    assert read_action(values, rules) == read_action(bits, rules) == bits
    assert read_action(np.array(values), rules) == bits
    assert read_action(tuple(map(int, values)), rules) == bits


def test_the_order_is_that_of_the_buttons() -> None:
    for place, name in enumerate(("LEFT", "RIGHT", "DOWN", "JUMP", "SPEED", "UP")):
        values = [position == place for position in range(6)]
        assert read_action(values, "2010") == CompetitionButton[name]
    assert read_action([0, 0, 0, 0, 1], "framework") == buttons_of("framework").JUMP


@pytest.mark.parametrize(
    ("action", "rules"),
    [
        (32, "2009"), (64, "2010"), (-1, "2010"), (2.0, "2009"), (None, "2009"), ("01010", "2009"),
        ([1, 0, 1], "2009"), ([0] * 6, "2009"), ([0, 0, 0, 0, 2], "2009"), ([[0] * 5], "2009"),
        ([0, 0, 0, 0, "1"], "2009"), ([0.0] * 5, "2009"), (np.zeros((5, 5), bool), "2009"),
        ({0, 1, 2, 3, 4}, "2009"), (10**30, "2010"), ([None] * 5, "2009"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_in_one_line(action: Any, rules: str) -> None:
    with pytest.raises(ActionError, match="is neither a number of buttons") as refused:
        read_action(action, rules)
    assert "\n" not in str(refused.value)
