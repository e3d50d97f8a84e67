"""The pre-flight of an agent: the sandbox and the limits of an organiser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.runs.small import SMALL

import ludus
from ludus.api import settings
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
    monkeypatch.setattr(settings, "has_sandbox", lambda: False)
    with pytest.raises(AgentError, match="--no-sandbox"):
        ludus.check(f"{agents}:Good", SMALL.id)


def test_too_few_episodes_are_refused() -> None:
    with pytest.raises(OptionError, match="0 episodes"):
        ludus.check("idle", SMALL.id, episodes=0)


TALKING = """
import helper
print("loaded")
class Talks:
    name = "talks"
    def reset(self, scenario): print("level", end=" ")
    def act(self, view): return helper.fail()
class NotMade(Talks):
    def __init__(self): self.moves = {}[7]
"""
HELPER = """
import json
def fail(): return json.loads("{")
"""


@pytest.fixture
def talking(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    path = tmp_path / "talking.py"
    path.write_text(TALKING)
    return path


@pytest.mark.parametrize("sandbox", [True, False])
def test_what_an_agent_prints_is_shown_with_the_traceback_of_its_files(
    talking: Path, sandbox: bool
) -> None:
    result = ludus.check(f"{talking}:Talks", SMALL.id, episodes=1, sandbox=sandbox)
    lines, helper = result.printed.to_lines(), talking.parent / "helper.py"
    assert lines[:2] == ["loaded", "level Traceback (most recent call last):"]
    assert [line.strip() for line in lines if line.startswith("  File ")] == [
        f'File "{talking}", line 7, in act',
        f'File "{helper}", line 3, in fail',
    ]
    assert lines[-1].startswith("json.decoder.JSONDecodeError: ")
    assert result.to_dict()["printed"] == {"lines": lines, "dropped": 0}
    notes = result.view.notes
    assert notes[notes.index("printed:") + 1] == "| loaded"


@pytest.mark.parametrize("sandbox", [True, False])
def test_an_agent_that_cannot_be_made_says_where_it_failed(talking: Path, sandbox: bool) -> None:
    with pytest.raises(AgentError, match="KeyError") as caught:
        ludus.check(f"{talking}:NotMade", SMALL.id, sandbox=sandbox)
    assert "\n" not in str(caught.value)
    assert caught.value.__notes__[0] == "loaded"
    assert f'  File "{talking}", line 9, in __init__' in caught.value.__notes__


def test_an_agent_that_prints_nothing_has_no_log(agents: Path) -> None:
    result = ludus.check(f"{agents}:Good", SMALL.id, episodes=1)
    assert result.to_dict()["printed"] == {"lines": [], "dropped": 0}
    assert "printed:" not in result.view.notes


def test_what_a_guest_environment_prints_is_in_the_log(tmp_path: Path) -> None:
    env = tmp_path / "env.py"
    env.write_text(ENVIRONMENT)
    options = {"env": f"{env}:Env"}
    result = ludus.check("random", "mario-arena/1-1", episodes=1, options=options)
    lines = result.printed.to_lines()
    assert lines[0] == "made"
    assert f'  File "{env}", line 12, in step' in lines
    assert lines[-1] == "ZeroDivisionError: division by zero"


ENVIRONMENT = """
class Env:
    class action_space: n = 3
    def __init__(self): print("made")
    def reset(self, *, seed):
        self.seed, self.steps = seed, 0
        return 0, {"x_pos": 0}
    def step(self, action):
        self.steps += 1
        if not self.seed:
            return 0, 0.0, False, False, {"x_pos": 1}
        return 1 / 0
"""
