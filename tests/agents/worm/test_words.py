"""The worm's senses in words."""

from __future__ import annotations

import numpy as np
import pytest

from ludus.agents.worm.words import WormWords, describe_senses
from ludus.games.worm.features import feature_names
from ludus.games.worm.frozen_tasks import find_task
from ludus.games.worm.observation import Observation


def sense(task: str, **values: float) -> list[str]:
    """Return the senses of a worm that feels nothing but these."""
    found = find_task(task)
    names = feature_names(found)
    features = np.zeros(len(names), np.float32)
    for name, value in values.items():
        features[names.index(name.replace("__", "."))] = value
    return describe_senses(Observation(found, features))


@pytest.mark.parametrize(
    ("angle", "words"),
    [
        (0.0, "ahead."),
        (0.25, "ahead to the left (45 degrees left)."),
        (-0.5, "to the right (90 degrees right)."),
        (-0.75, "behind to the right (135 degrees right)."),
        (1.0, "behind (180 degrees left)."),
    ],
)
def test_directions(angle: float, words: str) -> None:
    told = sense("foraging-small", food_chemotaxis__strength=0.5, food_chemotaxis__angle=angle)
    assert told == [f"Smell of food: strength 0.500, {words}"]


def test_modes_without_directions_tell_changes_and_sides() -> None:
    told = sense(
        "foraging-small+klinotaxis",
        food_chemotaxis__concentration=0.4,
        food_chemotaxis__lateral=0.3,
        food_chemotaxis__derivative=-0.2,
    )
    first = "concentration 0.400, stronger on the right (+0.30), falling (-0.20)"
    assert told[0] == f"Smell of food: {first}."
    assert told[-1].startswith("Short-term memory: food mean")


@pytest.mark.parametrize("name", ["thermal-foraging-small", "pursuit-small"])
def test_every_sense_has_words(name: str) -> None:
    task = find_task(name)
    told = describe_senses(Observation(task, np.zeros(len(feature_names(task)), np.float32)))
    assert len(told) == len({one.partition(".")[0] for one in feature_names(task)})
    text = " ".join(told)
    assert "_" not in text
    if task.temperature is not None:
        assert "20.0 °C" in text


def test_steps_are_counted_and_taken_up_again() -> None:
    task = find_task("foraging-small")
    seen = Observation(task, np.zeros(2, np.float32))
    words, other = WormWords(None), WormWords(None)
    for _ in range(12):
        words.follow(seen, "left")
    other.recall(words.memory())
    assert other.describe(seen) == words.describe(seen)
    assert words.describe(seen)["steps_left"] == str(task.max_steps - 12)
    assert words.describe(seen)["recent"].count("then left") == 8


def test_steering_on_a_dish_has_the_nearest_name() -> None:
    words = WormWords(None)
    named = [words.find_name(one) for one in ((1.0, 0.1), (1.0, 0.9), (0.9, -1.0), (0.0, 0.0))]
    assert named == ["forward", "left", "right", "stay"]
    assert [words.find_action(words.find_name(k)) for k in range(4)] == [0, 1, 2, 3]
