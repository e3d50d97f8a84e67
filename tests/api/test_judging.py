"""``ludus.judge`` and ``ludus judge``: what work costs, and where it goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludus import api
from ludus.agents.judge.judging import ProfileLine
from ludus.api.judging import JudgeResult
from ludus.cli.app import app
from ludus.limits import Limits

SLOW_LOOP = """
class Agent:
    name = "slow"

    def reset(self, scenario):
        self.decisions = 0

    def act(self, observation):
        self.decisions += 1
        if self.decisions == 4:
            self.think()
        return 10

    def think(self):
        total = 0
        for k in range(300_000):
            total += k
        return total
"""


@pytest.fixture
def spec(tmp_path: Path) -> str:
    file = tmp_path / "slow.py"
    file.write_text(SLOW_LOOP)
    return f"{file}:Agent"


def test_decision_over_the_budget_is_counted_and_its_line_named(spec: str) -> None:
    result = api.judge(spec, episodes=1)
    assert result.over == 1
    assert result.percentile(50) < 100 < max(result.decisions) > 500_000
    assert (result.lines[0].function, result.lines[0].file) == ("Agent.think", "slow.py")
    assert sum(line.units for line in result.lines) >= sum(result.decisions)
    assert "1 would be over it" in str(result)


def test_command_prints_json_for_machines(spec: str) -> None:
    answer = CliRunner().invoke(app, ["judge", spec, "--episodes", "1", "--json"])
    assert answer.exit_code == 0, answer.output
    values = json.loads(answer.stdout)
    assert values["decisions"]["over_budget"] == 1
    assert values["limits"]["decision_units"] == 1_000_000
    assert values["episodes"][0]["units"] >= values["decisions"]["most"]


def test_benchmark_without_a_budget_says_so(spec: str) -> None:
    assert "has no budget of units" in str(api.judge(spec, "platformer/bundled", episodes=1))


def test_percentiles_are_units_of_decisions() -> None:
    result = JudgeResult("a", "b", Limits(decision_units=90), (), range(1, 101), ())
    assert [result.percentile(p) for p in (0, 50, 95, 100)] == [1, 50, 95, 100]
    assert result.over == 10


def test_lines_are_plain_values() -> None:
    line = ProfileLine("a.py", "act", 3, 1, 12)
    result = JudgeResult("a", "b", Limits(), (), [12], [line])
    assert result.to_dicts() == [
        {"file": "a.py", "function": "act", "line": 3, "entered": 1, "units": 12}
    ]
