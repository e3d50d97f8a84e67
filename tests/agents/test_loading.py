from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.agents import find, load, names
from ludus.agents.checkpoint import write_checkpoint
from ludus.agents.platformer.linear import ACTIONS, FEATURES, Linear
from ludus.errors import AgentError

WRONG = Path(__file__).parents[1] / "runs" / "agents_gone_wrong.py"

GOOD = """
class Mine:
    name = "mine"
    def reset(self, scenario): ...
    def act(self, view): return 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agent.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize("name", names("platformer"))
def test_every_registered_agent_loads(name: str) -> None:
    assert load(name).name == name
    assert find(name).fingerprint


def test_an_agent_comes_from_a_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(f"{file}:Mine").name == "mine"
    monkeypatch.chdir(file.parent)
    source = find("agent.py:Mine")
    assert source.spec == f"{file}:Mine"
    before = source.fingerprint
    file.write_text(GOOD + "# changed")
    assert find("agent.py:Mine").fingerprint != before


def test_an_agent_comes_from_a_module() -> None:
    assert load("ludus.agents.platformer.idle:Idle").name == "idle"


def test_a_checkpoint_names_its_agent_and_brings_its_weights(tmp_path: Path) -> None:
    weights = np.zeros((len(ACTIONS), FEATURES))
    weights[2, -1] = 1
    path = tmp_path / "brain.npz"
    Linear(weights).save(path)
    agent = load(str(path))
    assert isinstance(agent, Linear)
    assert agent.name == "brain"
    assert np.array_equal(agent.weights, weights)
    assert find(str(path)).spec == str(path)


@pytest.mark.parametrize(
    ("arrays", "agent", "words"),
    [
        ({"weights": np.zeros(3)}, "linear", "shape"),
        ({}, "linear", "no weights"),
        ({}, "idle", "cannot be made from a checkpoint"),
        ({}, "os:system", "unknown kind 'os:system'"),
    ],
)
def test_wrong_checkpoints_are_named(
    arrays: dict[str, np.ndarray], agent: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.npz"
    write_checkpoint(path, agent, arrays)
    with pytest.raises(AgentError, match=words):
        load(str(path))


def test_a_checkpoint_with_objects_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "objects.npz"
    np.savez(path, agent=np.array("linear"), weights=np.array([{"a": 1}], dtype=object))
    with pytest.raises(AgentError, match="not a checkpoint"):
        load(str(path))
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(AgentError, match="not a checkpoint"):
        load(str(tmp_path / "text.npz"))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("astra", "did you mean 'astar'"),
        ("nowhere.py:Agent", "no file 'nowhere.py'"),
        ("nowhere.py", "names no class: try nowhere.py:Agent"),
        ("nowhere.npz", "no such file"),
        ("no.such.module:Agent", "ModuleNotFoundError"),
        ("ludus.agents.platformer.idle:Idol", "no class 'Idol' in it; it has"),
        (f"{WRONG}:Mute", r"no method act\(\)"),
        (f"{WRONG}:CannotBeMade", "OSError: no weights"),
    ],
)
def test_what_cannot_be_loaded_is_one_clear_line(spec: str, words: str) -> None:
    with pytest.raises(AgentError, match=words) as caught:
        load(spec)
    assert "\n" not in str(caught.value)


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("x = 1\ndef (:\n")
    with pytest.raises(AgentError, match=r"in line 2 of .*broken\.py"):
        load(f"{path}:Agent")


def test_a_name_of_another_game_is_not_found() -> None:
    with pytest.raises(AgentError, match="it plays platformer, not chess"):
        load("astar", "chess")


def test_a_variant_is_an_agent_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "moody.py"
    path.write_text(
        "class Moody:\n    def __init__(self, variant='calm'):\n        self.name = 'moody'\n"
        "        self.mood = variant\n    def reset(self, scenario): ...\n"
        "    def act(self, view): return 0\n"
    )
    wild: Any = load(f"{path}:Moody#wild")
    assert (wild.name, wild.mood) == ("moody-wild", "wild")
    assert find(f"{path}:Moody#wild").spec == f"{path}:Moody#wild"
    assert load(f"{path}:Moody").name == "moody"
    with pytest.raises(AgentError, match="'idle' has no variants: leave #wild out"):
        load("idle#wild")
