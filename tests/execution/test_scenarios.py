from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.diplomacy.saving import unpack
from tests.runs.small import SMALL, register

from ludus.benchmarks import Benchmark, benchmarks, find_benchmark
from ludus.benchmarks.building import ScenarioMaker
from ludus.errors import BenchmarkError, OptionError, RunError
from ludus.execution import scenarios as module
from ludus.execution.plan import Plan, PlannedEpisode, PlannedEpisodes, make_plan
from ludus.execution.scenarios import BLOCK, Description, ScenariosByReference

SPRINT = "platformer/sprint"


def referring(**more: Any) -> Plan:
    return make_plan(SPRINT, ["idle", "random"], **more)


def test_a_plan_keeps_digests_and_no_levels() -> None:
    plan = make_plan("worm/foraging-small", ["random-walk"], episodes=2 * BLOCK + 1)
    text = plan.to_json()
    assert len(text) < 2_000
    assert json.loads(text)["scenarios"]["count"] == len(plan.scenarios) == 2 * BLOCK + 1
    assert len(json.loads(text)["scenarios"]["digests"]) == 3


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        (SPRINT, "idle"),
        ("platformer/bundled", "idle"),
        ("mario-arena/1-1", "idle"),
        ("diplomacy/league", "hold"),
        ("worm/foraging-small", "random-walk"),
    ],
)
def test_scenarios_are_those_of_the_benchmark(name: str, agent: str) -> None:
    plan = Plan.from_json(make_plan(name, [agent], seed=7, episodes=5).to_json())
    expected = list(find_benchmark(name).make_scenarios(7, 5))
    assert isinstance(plan.scenarios, ScenariosByReference)
    assert list(plan.scenarios) == expected
    assert [plan.scenarios[k] for k in range(5)] == expected
    assert plan.scenarios[-1] == expected[-1]
    assert plan.scenarios[1:3] == expected[1:3]
    assert plan.scenarios == expected
    with pytest.raises(IndexError):
        plan.scenarios[5]


def test_a_plan_by_reference_is_itself_after_json_and_pickle() -> None:
    plan = referring(episodes=3)
    for copy in (Plan.from_json(plan.to_json()), pickle.loads(pickle.dumps(plan))):
        assert copy == plan
        assert copy.identity == plan.identity
        assert copy.to_json() == plan.to_json()
    assert len({plan.scenarios, referring(episodes=3).scenarios}) == 1


def test_the_identity_covers_the_scenarios() -> None:
    identities = {
        referring().identity,
        referring(seed=1).identity,
        referring(episodes=11).identity,
        replace(referring(), seed=1).identity,
    }
    assert len(identities) == 4


def test_options_are_part_of_what_is_made() -> None:
    plan = make_plan("mario-arena/1-1", ["random"], options={"mode": "speedrun"})
    copy = Plan.from_json(plan.to_json())
    assert {scenario["scoring"] for scenario in copy.scenarios} == {"speedrun"}


def test_one_scenario_takes_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    text = make_plan("worm/foraging-small", ["random-walk"], episodes=5 * BLOCK).to_json()
    digested: list[int] = []
    digest = module.digest_block

    def count(block: Sequence[Description]) -> str:
        digested.append(len(block))
        return digest(block)

    monkeypatch.setattr(module, "digest_block", count)
    plan = Plan.from_json(text)
    assert plan.scenarios[3 * BLOCK + 5]["name"] == f"dish {3 * BLOCK + 6}"
    assert plan.scenarios[4 * BLOCK - 1]["name"] == f"dish {4 * BLOCK}"
    assert digested == [BLOCK]


def install(monkeypatch: pytest.MonkeyPatch, benchmark: Benchmark) -> None:
    """Let a benchmark count as one that every process finds."""
    monkeypatch.setattr(module, "is_installed", lambda _: True)
    monkeypatch.setitem(benchmarks(), benchmark.id, benchmark)


def test_other_scenarios_than_the_plan_has_are_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    text = referring().to_json()
    sprint = find_benchmark(SPRINT)
    changed = replace(sprint, scenarios=lambda seed, count: sprint.scenarios(seed + 1, count))
    install(monkeypatch, changed)
    plan = Plan.from_json(text)
    words = r"scenarios 0 to 9 of platformer/sprint@1, seed 0, are others here than in the plan"
    with pytest.raises(RunError, match=words):
        plan.scenarios[0]
    with pytest.raises(RunError, match=words):
        plan.check_unchanged()


def test_another_version_of_the_benchmark_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.from_json(referring().to_json())
    install(monkeypatch, replace(find_benchmark(SPRINT), version=2))
    with pytest.raises(BenchmarkError, match="version 2 here, not 1"):
        plan.scenarios[0]
    with pytest.raises(RunError, match="this Ludus plays version 2"):
        plan.check_unchanged()


def test_a_benchmark_of_this_process_alone_stays_in_the_plan() -> None:
    register()
    plan = make_plan(SMALL.id, ["idle"])
    assert type(plan.scenarios) is tuple
    assert len(json.loads(plan.to_json())["scenarios"]) == SMALL.episodes


def test_what_a_file_led_to_stays_in_the_plan(tmp_path: Path) -> None:
    unpack(tmp_path)
    position = f"{tmp_path}/s07/lmvsgame.json@F1910M"
    plan = make_plan("diplomacy/critical", ["hold"], options={"position": position})
    assert type(plan.scenarios) is tuple
    assert plan.scenarios[0]["position"]["phase"] == "F1910M"


@given(st.integers(1, 6), st.integers(0, 40))
def test_planned_episodes_are_counted_not_kept(agents: int, scenarios: int) -> None:
    planned = PlannedEpisodes(agents, scenarios)
    listed = [PlannedEpisode(k, k % agents, k // agents) for k in range(agents * scenarios)]
    assert list(planned) == listed
    assert planned[1:7] == listed[1:7]
    assert [planned[k] for k in range(-len(listed), len(listed))] == listed * 2
    assert all(one in planned for one in listed)
    assert PlannedEpisode(0, 1, 0) not in planned
    assert PlannedEpisode(len(listed), 0, scenarios) not in planned


@given(st.integers(0, 50))
def test_a_maker_is_a_sequence(count: int) -> None:
    made = ScenarioMaker(count, lambda number: {"number": number})
    listed = [{"number": number} for number in range(count)]
    assert list(made) == listed
    assert made == listed
    assert made[::2] == listed[::2]
    assert len(made) == count


@pytest.mark.parametrize("count", [1_000_001, 5_000_000, 10**12])
def test_more_episodes_than_can_be_planned_are_refused(count: int) -> None:
    words = f"{count:,} episodes are too many for one run: give 1,000,000 at most"
    with pytest.raises(OptionError, match=words):
        referring(episodes=count)
