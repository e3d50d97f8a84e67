from __future__ import annotations

import math
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.benchmarks.nematode.scoring import (
    WEIGHTS,
    assess,
    band,
    distance_efficiency,
    episodes_to_success,
    final_success,
    learning_speed,
    margin,
    score_trainings,
    stability,
    success_rate,
    weighted,
)
from ludus.errors import OptionError

UNIT = st.floats(0, 1)
FLAGS = st.lists(st.booleans(), min_size=1, max_size=60)


def flags(text: str) -> list[bool]:
    return [sign == "1" for sign in text]


def test_the_example_of_the_document() -> None:
    values = {
        "success_rate": 0.92,
        "distance_efficiency": 0.78,
        "learning_speed": 0.85,
        "stability": 0.95,
    }
    parts = weighted(values)
    assert parts == pytest.approx(
        {
            "success_rate": 0.368,
            "distance_efficiency": 0.234,
            "learning_speed": 0.170,
            "stability": 0.095,
        }
    )
    assert math.fsum(parts.values()) == pytest.approx(0.867, abs=1e-12)
    assert band(math.fsum(parts.values())) == "Excellent"


def test_the_weights_are_a_whole() -> None:
    assert math.fsum(WEIGHTS.values()) == pytest.approx(1)


@pytest.mark.parametrize("value", [-0.01, 1.01, math.nan, None])
def test_values_outside_are_refused(value: float) -> None:
    good = dict.fromkeys(WEIGHTS, 0.5)
    with pytest.raises(OptionError, match="stability is"):
        weighted({**good, "stability": value})


def test_success_rate() -> None:
    assert success_rate(flags("0111")) == 0.75
    assert success_rate([]) == 0


def test_efficiency_is_capped_and_counts_failures() -> None:
    assert distance_efficiency([1.17, 0.5, 0.0]) == 0.5
    assert distance_efficiency([]) == 0


@pytest.mark.parametrize(
    ("text", "episodes"),
    [
        ("1" * 10, 10),
        ("1" * 9, None),
        ("00" + "1" * 8, 10),
        ("000" + "1" * 8, 11),
        ("1111111010" + "1", 10),
        ("1111110000" + "1111111", None),
        ("1111110000" + "11111111", 18),
        ("0" * 40, None),
    ],
)
def test_episodes_to_success(text: str, episodes: int | None) -> None:
    assert episodes_to_success(flags(text)) == episodes


def test_learning_speed_is_measured_against_500_episodes() -> None:
    assert learning_speed(flags("0" * 67 + "1" * 20)) == 1 - 75 / 500
    assert learning_speed(flags("0" * 67 + "1" * 20), max_episodes=100) == 0.25
    assert learning_speed(flags("0" * 500)) == 0
    assert learning_speed(flags("0" * 600 + "1" * 10)) == 0
    assert learning_speed(flags("1" * 10), max_episodes=1) == 0
    with pytest.raises(OptionError, match="0 episodes are too few"):
        learning_speed([True], max_episodes=0)


def test_final_success_looks_at_the_last_hundred() -> None:
    assert final_success(flags("0" * 100 + "1" * 75 + "0" * 25)) == 0.75
    assert final_success(flags("01")) == 0.5


def test_stability() -> None:
    assert stability([0.6, 1.0]) == pytest.approx(1 - 0.2 / 0.8)
    assert stability([1.0, 0.0, 0.0, 0.0]) == 0  # deviation above the mean
    assert stability([0.0, 0.0]) == 0
    assert stability([0.9]) == 0
    assert stability([]) == 0


def test_the_margin_is_196_standard_errors_of_the_sample() -> None:
    values = [0.8, 0.85, 0.95, 0.7]
    assert margin(values) == pytest.approx(1.96 * stdev(values) / 2)
    assert margin([0.8]) is None


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (1.0, "Exceptional"),
        (0.9, "Exceptional"),
        (0.8999999, "Excellent"),
        (0.895, "Excellent"),
        (0.1 * 8, "Excellent"),
        (0.7999999, "Good"),
        (0.7, "Good"),
        (0.6, "Acceptable"),
        (0.5999999, "Below threshold"),
        (0.0, "Below threshold"),
    ],
)
def test_bands_have_no_gaps(score: float, name: str) -> None:
    assert band(score) == name


def test_two_trainings_by_hand() -> None:
    good = assess(flags("1" * 20), [0.5] * 20)
    bad = assess(flags("0" * 20), [0.1] * 20)
    made = score_trainings([good, bad])
    assert made.values == {
        "success_rate": 0.5,
        "distance_efficiency": pytest.approx(0.3),
        "learning_speed": pytest.approx(0.49),  # (1 − 10/500 + 0) / 2
        "stability": 0.0,  # deviation 0.5 of mean 0.5
    }
    assert made.total == pytest.approx(0.4 * 0.5 + 0.3 * 0.3 + 0.2 * 0.49)
    own = [0.4 + 0.15 + 0.2 * 0.98, 0.03]
    assert made.margin == pytest.approx(1.96 * stdev(own) / math.sqrt(2))
    assert not made.valid
    assert made.band == "Below threshold"


def test_fifty_trainings_are_valid() -> None:
    one = assess(flags("1" * 500), [1.0] * 500)
    made = score_trainings([one] * 50)
    assert made.valid
    assert made.total == pytest.approx(0.4 + 0.3 + 0.2 * 0.98 + 0.1)
    assert made.margin == 0
    assert not score_trainings([one] * 49).valid


def test_nothing_has_no_score() -> None:
    with pytest.raises(OptionError, match="no training"):
        score_trainings([])
    with pytest.raises(OptionError, match="no training"):
        assess([], [])
    with pytest.raises(OptionError, match="2 episodes with 1"):
        assess([True, False], [0.5])


@given(st.lists(st.tuples(FLAGS, UNIT), min_size=1, max_size=8))
def test_no_value_leaves_its_range(trainings: list[tuple[list[bool], float]]) -> None:
    made = score_trainings(assess(own, [value] * len(own)) for own, value in trainings)
    for value in (*made.values.values(), made.total):
        assert 0 <= value <= 1
    assert math.fsum(made.parts.values()) == made.total
    for name, weight in WEIGHTS.items():
        assert made.parts[name] == pytest.approx(weight * made.values[name])
    assert (made.margin is None) == (len(trainings) == 1)
    assert made.margin is None or made.margin >= 0


@given(FLAGS, st.lists(st.floats(0, 100), min_size=1, max_size=60))
def test_odd_trainings_stay_in_range(own: list[bool], raw: list[float]) -> None:
    values = (raw * len(own))[: len(own)]
    training = assess(own, values)
    for value in (
        training.success_rate,
        training.distance_efficiency,
        training.learning_speed,
        training.final_success,
    ):
        assert 0 <= value <= 1


@given(st.lists(UNIT, max_size=20))
def test_stability_stays_in_range(rates: list[float]) -> None:
    assert 0 <= stability(rates) <= 1
