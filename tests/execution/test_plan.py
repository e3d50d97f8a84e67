from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runs.small import SMALL, register

from ludus.benchmarks import benchmarks
from ludus.errors import AgentError, BenchmarkError, OptionError, RunError
from ludus.execution.plan import Limits, Plan, make_plan

AGENT = """
class Agent:
    name = "mine"
    def reset(self, scenario): ...
    def act(self, view): return {action}
"""


@settings(deadline=None)
@given(st.integers(0, 2**40), st.integers(1, 5))
def test_the_same_arguments_give_the_same_plan(seed: int, episodes: int) -> None:
    register()
    one, two = (make_plan(SMALL.id, ["idle", "random"], seed=seed, episodes=episodes) for _ in "12")
    assert one == two
    assert one.identity == two.identity
    assert Plan.from_json(one.to_json()) == one
    assert make_plan(SMALL.id, ["idle", "random"], seed=seed + 1).identity != one.identity


def turn_keys(value: Any) -> Any:
    """Return plain values with the keys of every mapping in the opposite order."""
    if isinstance(value, dict):
        return {key: turn_keys(value[key]) for key in reversed(value)}
    return [turn_keys(one) for one in value] if isinstance(value, list) else value


def test_the_order_of_keys_in_a_file_does_not_matter() -> None:
    plan = make_plan(SMALL.id, ["idle", "random"])
    turned = Plan.from_json(json.dumps(turn_keys(json.loads(plan.to_json()))))
    assert turned.identity == plan.identity
    assert turned.to_json() == plan.to_json()


@pytest.mark.parametrize("scenario", [{}, 7, "text", {"level": 7}, None, []])
def test_a_plan_of_no_scenarios_of_its_game_is_refused(scenario: Any) -> None:
    plan = replace(make_plan(SMALL.id, ["idle"]), scenarios=(scenario,))
    with pytest.raises(RunError, match="the plan holds no scenarios of platformer"):
        plan.check_rules()


def test_every_agent_plays_every_scenario() -> None:
    plan = make_plan(SMALL.id, ["idle", "random"], episodes=3)
    pairs = [(task.agent, task.scenario) for task in plan.episodes]
    assert sorted(pairs) == [(a, s) for a in range(2) for s in range(3)]
    assert [task.number for task in plan.episodes] == list(range(6))


def test_the_identity_knows_agents_by_what_they_are(tmp_path: Path) -> None:
    here, there = tmp_path / "here.py", tmp_path / "there.py"
    here.write_text(AGENT.format(action=2))
    there.write_text(AGENT.format(action=2))
    one = make_plan(SMALL.id, [f"{here}:Agent"])
    assert make_plan(SMALL.id, [f"{there}:Agent"]).identity == one.identity
    there.write_text(AGENT.format(action=3))
    assert make_plan(SMALL.id, [f"{there}:Agent"]).identity != one.identity
    assert make_plan(SMALL.id, [f"{here}:Agent"], limits=Limits(9)).identity != one.identity


def test_a_changed_agent_is_found_before_a_run_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(AGENT.format(action=2))
    plan = make_plan(SMALL.id, [f"{file}:Agent"])
    assert plan.check_unchanged() is SMALL
    file.write_text(AGENT.format(action=3))
    with pytest.raises(RunError, match="'mine' has changed"):
        plan.check_unchanged()


def test_agents_of_one_name_are_numbered() -> None:
    names = [agent.name for agent in make_plan(SMALL.id, ["idle", "random", "idle"]).agents]
    assert names == ["idle", "random", "idle-2"]


@pytest.mark.parametrize(
    ("benchmark", "agents", "episodes", "error", "words"),
    [
        ("test/smal", ["idle"], None, BenchmarkError, "did you mean 'test/small'"),
        ("test/small@9", ["idle"], None, BenchmarkError, "version 1 here, not 9"),
        ("test/small", [], None, OptionError, "no agent"),
        ("test/small", ["idel"], None, AgentError, "did you mean 'idle'"),
        ("test/small", ["idle"], 0, OptionError, "0 episodes"),
    ],
)
def test_what_does_not_fit_is_named(
    benchmark: str, agents: list[str], episodes: int | None, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        make_plan(benchmark, agents, episodes=episodes)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": -1}, {"steps": -1}])
def test_limits_make_sense(limits: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        Limits(**limits)  # type: ignore[arg-type]


def test_options_are_part_of_the_identity_unless_they_are_the_default() -> None:
    usual = make_plan(SMALL.id, ["idle"])
    assert make_plan(SMALL.id, ["idle"], options={"clock": "08"}) == usual
    other = make_plan(SMALL.id, ["idle"], options={"clock": "5"})
    assert (usual.options, other.options) == ({}, {"clock": "5"})
    assert other.identity != usual.identity
    assert Plan.from_json(other.to_json()) == other
    assert {one["time_limit"] for one in other.scenarios} == {5}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": "red"}, "test/small has no option 'colour'; there are clock"),
        ({"clock": "soon"}, "clock 'soon' is no whole number"),
    ],
)
def test_wrong_options_are_named(options: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        make_plan(SMALL.id, ["idle"], options=options)


def test_a_benchmark_may_give_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, limits=Limits(seconds=4000.0)))
    assert make_plan(SMALL.id, ["idle"]).limits.seconds == 4000
    assert make_plan(SMALL.id, ["idle"], limits=Limits(seconds=5)).limits.seconds == 5


@pytest.mark.parametrize(
    "rules", ["", "framework", "framework@", "a@1+", "\x1b[2J@1", "a@1 b@2", "a@1\n"]
)
def test_rules_have_names_and_versions(rules: str) -> None:
    plan = make_plan(SMALL.id, ["idle"])
    assert replace(plan, rules="framework@1+ludus@12").rules == "framework@1+ludus@12"
    with pytest.raises(OptionError, match="are not of the form framework@1"):
        replace(plan, rules=rules)
