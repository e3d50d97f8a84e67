"""The pre-flight of an agent: the sandbox and the limits of an organiser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.runs.small import SMALL

import ludus
from ludus.api import checking
from ludus.benchmarks import benchmarks
from ludus.errors import AgentError, OptionError
from ludus.limits import MEBIBYTE, Limits

AGENTS = """
import os, random
class Good:
    name = "good"
    def reset(self, scenario): pass
    def act(self, view): return 2
class Nosy(Good):
    def act(self, view): return len(open("/etc/hostname").read())
class Fickle(Good):
    def act(self, view): return random.randrange(4)
class Hungry(Good):
    def act(self, view):
        self.eaten = bytearray(b"x" * 300 * 2**20)
        while True: pass
"""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(benchmarks(), SMALL.id, SMALL)


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


def limit(monkeypatch: pytest.MonkeyPatch, **limits: Any) -> None:
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, limits=Limits(**limits)))


def test_an_agent_that_keeps_to_all_limits_is_good(agents: Path) -> None:
    result = ludus.check(f"{agents}:Good", SMALL.id, episodes=2)
    assert result.good
    assert result.violations == []
    assert result.repeats
    assert result.most.peak_memory
    values = result.to_dict()
    assert (values["agent"], values["good"], values["sandbox"]) == ("good", True, True)
    assert values["layers"]["seccomp"]
    assert values["limits"]["memory"] == 8192 * MEBIBYTE
    assert [one["ending"] for one in values["episodes"]] == ["finished", "finished"]
    assert "good keeps to the limits of test/small@1 in 2 episodes." in result.view.notes


def test_what_the_sandbox_forbids_is_one_line_an_episode(agents: Path) -> None:
    result = ludus.check(f"{agents}:Nosy", SMALL.id, episodes=1)
    assert not result
    (line,) = result.violations
    assert line.startswith("episode 0 (small 0): crashed: ")
    assert ludus.check(f"{agents}:Nosy", SMALL.id, episodes=1, sandbox=False).sandbox is False


def test_the_limits_of_the_benchmark_count(agents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, memory=200 * MEBIBYTE)
    result = ludus.check(f"{agents}:Hungry", SMALL.id, episodes=1)
    assert result.violations == [
        "episode 0 (small 0): disqualified: used more than 200 MiB of memory"
    ]
    assert any(note.startswith("memory: ") for note in result.view.notes)


def test_units_are_shown_beside_their_budget(
    agents: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    limit(monkeypatch, decision_units=1_000, episode_units=10**9)
    (tmp_path / "busy.py").write_text(
        "class Agent:\n    def reset(self, scenario): pass\n"
        "    def act(self, view):\n        for _ in range(100_000): pass\n        return 2\n"
    )
    result = ludus.check(f"{tmp_path / 'busy.py'}:Agent", SMALL.id, episodes=1)
    assert any("decisions used more than 1,000 units (no-action)" in v for v in result.violations)
    assert any(note.endswith(" of 1,000,000,000 an episode") for note in result.view.notes)


def test_an_agent_that_does_not_repeat_itself_is_told(agents: Path) -> None:
    result = ludus.check(f"{agents}:Fickle", SMALL.id, episodes=1)
    assert result.good
    assert not result.repeats
    assert any("otherwise each time" in note for note in result.view.notes)


def test_without_a_sandbox_there_is_a_clear_refusal(
    agents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "has_sandbox", lambda: False)
    with pytest.raises(AgentError, match="--no-sandbox"):
        ludus.check(f"{agents}:Good", SMALL.id)


def test_too_few_episodes_are_refused() -> None:
    with pytest.raises(OptionError, match="0 episodes"):
        ludus.check("idle", SMALL.id, episodes=0)
