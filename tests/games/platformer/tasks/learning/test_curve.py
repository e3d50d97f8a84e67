"""The curve sums up training plays, and no forged one is read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import OptionError
from ludus.games.platformer.tasks.learning.curve import CurvePart, LearningCurve


def curve_of(scores: list[int], planned: int) -> LearningCurve:
    curve = LearningCurve(planned)
    for score in scores:
        curve.add(score)
    return curve


def test_a_curve_by_hand() -> None:
    curve = curve_of([*range(250)], planned=250)
    parts = curve.parts
    assert len(parts) == 100
    assert parts[:3] == [CurvePart(3, 2, 3), CurvePart(2, 4, 7), CurvePart(3, 7, 18)]
    assert parts[1].mean == 3.5
    assert (curve.first, curve.best, curve.complete) == (0, 249, True)


@given(st.data(), st.integers(1, 450))
def test_parts_hold_every_play_once(data: st.DataObject, planned: int) -> None:
    scores = data.draw(st.lists(st.integers(0, 9999), max_size=planned))
    curve = curve_of(scores, planned)
    place = 0
    for part in curve.parts:
        own = scores[place : place + part.plays]
        assert (part.best, part.total) == (max(own), sum(own))
        place += part.plays
    assert place == len(scores)
    assert len(curve.parts) <= min(100, planned)
    again = LearningCurve.from_dict(curve.to_dict(), planned)
    assert (again.parts, again.first, again.plays) == (curve.parts, curve.first, curve.plays)


def test_parts_end_as_often_as_there_are_parts() -> None:
    curve = LearningCurve(1000)
    ends = 0
    for score in range(1000):
        curve.add(score)
        ends += curve.at_end_of_part
    assert ends == 100
    assert curve.at_end_of_part


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plays": 5}, "5 training plays are not from 0 to 4"),
        ({"plays": True}, "True training plays"),
        ({"plays": 2}, "2 plays has 2 parts"),
        ({"best": [9, 9, 9]}, "has 4 parts"),
        ({"best": [9, 9, 9, "9"]}, "not a list of scores"),
        ({"best": [9, 9, 9, -1]}, "not a list of scores"),
        ({"totals": [9, 9, 9, 10]}, "part 4 of the curve cannot be"),
        ({"totals": [9, 9, 9, 8]}, "part 4 of the curve cannot be"),
        ({"first": None}, "no score of a first play"),
        ({"first": 10}, "above the best of its part"),
    ],
)
def test_forged_curves_are_refused(change: dict[str, Any], message: str) -> None:
    values = curve_of([9, 9, 9, 9], planned=4).to_dict()
    with pytest.raises(OptionError, match=message):
        LearningCurve.from_dict(values | change, 4)
