"""What an agent uses is measured from outside, and held to the limits of the plan."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.runs.small import SMALL

from ludus.context import RunContext
from ludus.execution.episode import Episode
from ludus.execution.plan import make_plan
from ludus.execution.stage import Stage
from ludus.limits import MEBIBYTE, Limits

AGENTS = Path(__file__).with_name("hungry_agents.py")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="measured on Linux alone")


def play(agent: str, *, sandbox: bool = False, **limits: Any) -> Episode:
    plan = make_plan(SMALL.id, [f"{AGENTS}:{agent}"], episodes=1, limits=Limits(**limits))
    stage = Stage(plan, RunContext(sandbox=sandbox))
    try:
        return stage.play(plan.episodes[0])
    finally:
        stage.close()


@pytest.mark.parametrize(
    ("agent", "limits", "reason"),
    [
        ("Spins", {"processor_seconds": 0.2}, "used more than 0.2 seconds of the processor"),
        ("Eats", {"memory": 150 * MEBIBYTE}, "used more than 150 MiB of memory"),
        ("Forks", {"processes": 2}, "had more than 2 processes at once"),
        ("Spins", {"decision_seconds": 0.2}, "took longer than 0.2 seconds for a decision"),
    ],
)
def test_an_agent_over_a_limit_is_disqualified(
    agent: str, limits: dict[str, Any], reason: str
) -> None:
    episode = play(agent, **limits)
    assert (episode.ending, episode.reason) == ("disqualified", reason)
    assert episode.usage.processor_seconds
    assert episode.usage.peak_memory


def test_a_confined_agent_is_held_to_the_same_limits() -> None:
    episode = play("Spins", sandbox=True, processor_seconds=0.2)
    assert episode.reason == "used more than 0.2 seconds of the processor"


def test_the_work_of_children_counts() -> None:
    usage = play("LetsOthersWork").usage
    assert usage.processor_seconds is not None
    assert usage.processor_seconds > 0.55


def test_a_peak_stays_though_the_agent_lets_the_kernel_forget_it() -> None:
    usage = play("HidesItsMemory").usage
    assert usage.peak_memory is not None
    assert usage.peak_memory > 150 * MEBIBYTE


def test_an_agent_cannot_set_its_own_figures() -> None:
    usage = play("HidesItsTime").usage
    assert usage.processor_seconds is not None
    assert usage.processor_seconds > 0.25


def test_each_episode_has_its_own_figures() -> None:
    plan = make_plan(SMALL.id, [f"{AGENTS}:EatsOnce"], episodes=2)
    stage = Stage(plan)
    try:
        first, second = (stage.play(planned).usage for planned in plan.episodes)
    finally:
        stage.close()
    assert first.peak_memory is not None
    assert second.peak_memory is not None
    assert first.peak_memory - second.peak_memory > 100 * MEBIBYTE


def test_an_agent_of_ludus_is_measured_with_its_game() -> None:
    plan = make_plan(SMALL.id, ["idle"], episodes=1)
    usage = Stage(plan).play(plan.episodes[0]).usage
    assert usage.processor_seconds is not None
    assert usage.peak_memory is None


@pytest.mark.parametrize("spec", ["astar", f"{AGENTS}:PlaysAhead"])
def test_a_benchmark_may_allow_no_forward_model(spec: str) -> None:
    plan = make_plan(SMALL.id, [spec], episodes=1, limits=Limits(forward_model=False))
    stage = Stage(plan)
    try:
        episode = stage.play(plan.episodes[0])
    finally:
        stage.close()
    assert episode.ending == "disqualified"
    assert "a forward model, which the benchmark does not allow" in episode.reason


@pytest.mark.parametrize("spec", ["forward-jumping", f"{AGENTS}:Right"])
def test_without_a_forward_model_others_play_on(spec: str) -> None:
    plan = make_plan(SMALL.id, [spec], episodes=1, limits=Limits(forward_model=False))
    stage = Stage(plan)
    try:
        assert stage.play(plan.episodes[0]).ending == "finished"
    finally:
        stage.close()


def test_a_slow_decision_of_an_object_is_late() -> None:
    class Slow:
        name = "slow"

        def reset(self, scenario: object) -> None:
            pass

        def act(self, view: object) -> int:
            time.sleep(0.02)
            return 2

    plan = make_plan(SMALL.id, ["idle"], episodes=1, limits=Limits(decision_seconds=0.01))
    episode = Stage(plan, agents={0: Slow()}).play(plan.episodes[0])
    assert episode.ending == "disqualified"
    assert episode.reason == "took longer than 0.01 seconds for a decision"
