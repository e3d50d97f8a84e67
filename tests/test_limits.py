"""What an agent may use and what it used, as records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.limits import GIBIBYTE, Limits, Usage


def test_limits_of_old_plans_stay_what_they_were() -> None:
    assert Limits(seconds=60, steps=2).to_dict() == {"seconds": 60, "steps": 2}
    assert Limits.from_dict({"seconds": 60, "steps": 2}) == Limits(seconds=60, steps=2)


def test_limits_come_back_from_their_values() -> None:
    limits = Limits(decision_units=7, memory=GIBIBYTE, over_budget="disqualified")
    written = {"seconds", "steps", "decision_units", "memory", "over_budget"}
    assert limits.to_dict().keys() == written
    assert Limits.from_dict(limits.to_dict()) == limits


@pytest.mark.parametrize(
    "values",
    [
        {"seconds": float("inf")},
        {"decision_seconds": -1.0},
        {"processor_seconds": float("nan")},
        {"decision_units": -1},
        {"episode_units": 2**63},
        {"memory": -1},
        {"processes": -1},
        {"over_budget": "shrug"},
    ],
)
def test_limits_that_make_no_sense(values: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Limits(**values)


@pytest.mark.parametrize("values", [{"seconds": "60"}, {"memory": 1.5}, {"speed": 1}, 7])
def test_values_that_are_no_limits(values: Any) -> None:
    with pytest.raises(TypeError):
        Limits.from_dict(values)


def test_a_confined_agent_has_limits_where_others_have_none() -> None:
    confined = Limits(seconds=60).in_sandbox()
    assert (confined.processor_seconds, confined.memory, confined.processes) == (
        60,
        8 * GIBIBYTE,
        1,
    )
    narrow = Limits(processor_seconds=2, memory=GIBIBYTE, processes=3)
    assert narrow.in_sandbox() == replace(narrow, processes=1)


def test_limits_are_described_in_words() -> None:
    limits = Limits(
        seconds=60,
        steps=9,
        decision_seconds=0.5,
        decision_units=10_000,
        episode_units=2_000_000,
        processor_seconds=30,
        memory=GIBIBYTE,
        processes=1,
        forward_model=False,
    )
    assert dict(limits.describe()) == {
        "time": "60 s an episode, 0.5 s a decision",
        "processor": "30 s an episode",
        "units": "10,000 a decision (over it: no-action), "
        "2,000,000 an episode (over it: disqualified)",
        "memory": "1,024 MiB",
        "processes": "1",
        "decisions": "9",
        "forward model": "no",
    }


def test_usage_comes_back_from_what_was_measured() -> None:
    usage = Usage(units=5, processor_seconds=0.25)
    assert usage.to_dict() == {"units": 5, "processor_seconds": 0.25}
    assert Usage.from_dict(usage.to_dict()) == usage
    assert Usage.from_dict({}) == Usage()


@pytest.mark.parametrize(
    "values",
    [
        {"units": -1},
        {"units": 1.5},
        {"units": True},
        {"peak_memory": 2**63},
        {"processor_seconds": float("nan")},
        {"over_budget": "1"},
        {"speed": 1},
        [1],
    ],
)
def test_values_that_are_no_usage(values: Any) -> None:
    with pytest.raises(ValueError, match=r"amount|nothing"):
        Usage.from_dict(values)


def test_episodes_are_summed_where_all_were_measured() -> None:
    usages = [Usage(3, 100, 0.5, 1), Usage(4, 50, None, 0)]
    assert Usage.sum(usages) == Usage(7, 100, None, 1)
    assert Usage.sum([]) == Usage()
