from __future__ import annotations

from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.learning.platformer.settings import Course, settings_for


@pytest.mark.parametrize(
    ("algorithm", "changes", "course", "fault"),
    [
        ("ppo", {"games": "5000000"}, {}, "games 5,000,000 are too many"),
        ("evolution", {"games": "5000000"}, {}, "games 5,000,000 are too many"),
        ("ppo", {"games": "0"}, {}, "games 0 is out of range: 1 to"),
        ("ppo", {"hidden": "64,1000000"}, {}, "hidden 1,000,000 is out of range: 1 to 4,096"),
        ("evolution", {"members": "-2"}, {}, "members -2 is out of range"),
        ("ppo", {}, {"seeds": 10**6}, "seeds 1,000,000 are too many: give 10,000 at most"),
        ("ppo", {}, {"seeds": 1_000}, "for 1,000 seeds they make 8,192,000 at once"),
        ("ppo", {}, {"levels": 5 * 10**6}, "levels 5,000,000 are too many: give 100,000 at most"),
        ("ppo", {}, {"steps": 10**20}, "are too many: give 100,000,000,000 at most"),
        (
            "evolution",
            {},
            {"evaluation_episodes": 5 * 10**6},
            "evaluation_episodes 5,000,000 are too many: give 10,000 at most",
        ),
        ("ppo", {"hidden": ",".join(["2"] * 40)}, {}, "too many layers: give 31 at most"),
        ("ppo", {"strides": "8,2"}, {}, "are not for fields"),
        ("ppo", {}, {"observe": "pixels"}, "are not for pixels"),
        ("ppo", {}, {"seed": -1}, "seed -1 is out of range"),
        ("ppo", {}, {"seed": 2**63}, "seed 9223372036854775808 is out of range"),
    ],
)
def test_what_no_memory_holds_is_refused(
    algorithm: str, changes: dict[str, Any], course: dict[str, Any], fault: str
) -> None:
    settings = settings_for(algorithm, "fields", changes)
    with pytest.raises(OptionError, match=fault):
        Course(benchmark="mario-arena/1-1", algorithm=algorithm, settings=settings, **course)


def test_convolutions_leave_something() -> None:
    settings = settings_for("ppo", "pixels", {"strides": "8,8"})
    with pytest.raises(OptionError, match="strides 8,8 leave nothing of a picture"):
        Course(benchmark="mario-arena/1-1", observe="pixels", settings=settings)


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_a_setting_is_a_finite_number(value: str) -> None:
    with pytest.raises(OptionError, match=f"setting rate is '{value}': give something like 0.001"):
        settings_for("ppo", "fields", {"rate": value})
    with pytest.raises(OptionError, match="setting hidden is"):
        settings_for("ppo", "fields", {"hidden": f"64,{value}"})


@pytest.mark.parametrize(
    ("algorithm", "changes", "fault"),
    [
        ("ppo", {"gamma": "2"}, "gamma 2 is out of range: give 0 to 1"),
        ("ppo", {"trace": "-1"}, "trace -1 is out of range"),
        ("ppo", {"rate": "1e9"}, r"rate 1e\+09 is out of range"),
        ("ppo", {"loss": "1e7"}, r"loss 1e\+07 is out of range: give -1,000,000 to 1,000,000"),
        ("ppo", {"patience": "-1"}, "patience -1 is out of range"),
        ("evolution", {"decay": "-1"}, "decay -1 is out of range"),
        ("ppo", {"minibatches": "999"}, "999 are no equal parts of the 8,192 decisions"),
    ],
)
def test_settings_with_which_nothing_is_learned_are_refused(
    algorithm: str, changes: dict[str, Any], fault: str
) -> None:
    settings = settings_for(algorithm, "fields", changes)
    with pytest.raises(OptionError, match=fault):
        Course(benchmark="mario-arena/1-1", algorithm=algorithm, settings=settings)
