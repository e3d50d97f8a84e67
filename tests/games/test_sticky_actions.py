from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.sticky_actions import ActionHolder, SplitMix64, StickyActions


def test_the_generator_is_splitmix64() -> None:
    """The first words of its published test vector for the seed 1234567."""
    chance = SplitMix64(1234567)
    assert [chance.next_word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(st.integers(0, 2**64 - 1), st.integers(1, 1000))
def test_draws_are_in_their_range(seed: int, bound: int) -> None:
    chance = SplitMix64(seed)
    assert 0 <= chance.next_float() < 1
    assert 0 <= chance.next_below(bound) < bound


def test_no_ops_are_alike_likely_and_go_up_to_the_most() -> None:
    holder = ActionHolder(StickyActions(no_ops=30), 7)
    drawn = [holder.draw_no_ops() for _ in range(31_000)]
    counts = [drawn.count(number) for number in range(31)]
    assert sum(counts) == len(drawn)
    assert all(abs(count - 1000) < 5 * sqrt(1000) for count in counts)


def test_ticks_stick_as_often_as_the_terms_say() -> None:
    holder = ActionHolder(StickyActions(sticky=0.25, frame_skip=4), 7)
    stuck = ticks = before = 0
    for number in range(20_000):
        for pressed in holder.hold(number + 1):
            if before == number + 1:
                break
            ticks += 1
            stuck += pressed == before
            before = pressed
    assert abs(stuck - ticks / 4) < 5 * sqrt(ticks * 3 / 16)


def test_what_sticks_is_what_was_pressed_before() -> None:
    holder = ActionHolder(StickyActions(sticky=0.5), 3)
    before = 0
    for action in [5, 9, 2, 30, 1] * 40:
        for pressed in holder.hold(action):
            assert pressed in (before, action)
            before = pressed


def test_without_stickiness_a_decision_is_held() -> None:
    holder = ActionHolder(StickyActions(sticky=0.0, frame_skip=3), 0)
    assert [*holder.hold(7), *holder.hold(8)] == [7, 7, 7, 8, 8, 8]


def test_a_new_life_begins_with_nothing_pressed() -> None:
    holder = ActionHolder(StickyActions(sticky=0.0), 0)
    list(holder.hold(7))
    holder.draw_no_ops()
    assert holder.pressed == 0


@pytest.mark.parametrize(
    "wrong",
    [
        *({"frame_skip": 0}, {"step_cap": 0}, {"lives": 0}, {"sticky": 1.0}, {"no_ops": -1}),
        *({"frame_skip": "4"}, {"no_ops": 1.5}, {"sticky": "a"}, {"sticky": float("nan")}),
    ],
)
def test_terms_out_of_range(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(wrong))):
        StickyActions(**wrong)


def test_terms_travel_as_plain_values() -> None:
    terms = StickyActions(lives=3, step_cap=9)
    assert StickyActions.from_dict(terms.to_dict()) == terms
