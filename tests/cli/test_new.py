from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused

from ludus.agents import names
from ludus.agents.registry import REGISTERED
from ludus.benchmarks import benchmarks
from ludus.testing import check_agent


def test_a_new_agent_plays(ludus: Ludus, tmp_path: Path) -> None:
    said = ludus("new", "agent", "my-agent")
    assert said.out.splitlines() == [
        "Written: my_agent.py",
        "Written: test_my_agent.py",
        "Next: ludus run platformer/bundled my_agent.py:MyAgent",
    ]
    plain = ludus("run", "platformer/bundled", "my_agent.py:MyAgent", "--json").json
    (line,) = plain["standings"]
    assert line["agent"] == "my-agent"
    assert line["faults"] == 0
    assert line["headline"]["value"] > 20
    check_agent(f"{tmp_path / 'my_agent.py'}:MyAgent", "platformer/bundled")


def test_its_test_passes(ludus: Ludus, tmp_path: Path) -> None:
    ludus("new", "agent", "hopper")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_hopper.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_what_is_written_is_clean(ludus: Ludus, tmp_path: Path) -> None:
    ludus("new", "agent", "hopper")
    files = [str(tmp_path / name) for name in ("hopper.py", "test_hopper.py")]
    for command in (
        ["check", "--select", "E,F,I,D,UP", "--ignore", "D203,D213"],
        ["format", "--check"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", "--line-length", "100", *files],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("there", ["my_agent.py", "test_my_agent.py"])
def test_nothing_is_overwritten(ludus: Ludus, tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("precious")
    said = refused(ludus("new", "agent", "my-agent", code=2))
    assert f"'{there}' exists already" in said
    assert (tmp_path / there).read_text() == "precious"
    assert len(list(tmp_path.glob("*.py"))) == 1


def test_another_folder(ludus: Ludus, tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    plain = ludus("new", "agent", "Big Jumper2", "--in", "agents", "--json").json
    assert plain == {
        "agent": "agents/big_jumper2.py:BigJumper2",
        "files": ["agents/big_jumper2.py", "agents/test_big_jumper2.py"],
    }
    assert "there is no directory 'no'" in refused(ludus("new", "agent", "x", "--in", "no", code=2))


@pytest.mark.parametrize("name", ["", "7up", "class", "../x", "ä", "a\nb", 'x"y', "-"])
def test_names_that_are_none(ludus: Ludus, tmp_path: Path, name: str) -> None:
    assert "is no name for a file" in refused(ludus("new", "agent", "--", name, code=2))
    assert list(tmp_path.glob("*.py")) == []


def test_agents_are_listed(ludus: Ludus) -> None:
    said = ludus("agents")
    for name in names():
        assert name in said.out
    assert ludus("agents", "--json").json == {game: names(game) for game in REGISTERED}


def test_benchmarks_are_listed(ludus: Ludus) -> None:
    said = ludus("benchmarks")
    assert "mario-arena/1-1@1 to 8-4" in said.out
    assert "ludus benchmarks nematode" in said.words
    family = ludus("benchmarks", "nematode").out
    for name in benchmarks():
        group = name.partition("/")[0]
        if group in ("platformer", "diplomacy"):
            assert name in said.out
        if group == "nematode":
            assert name in family
    plain = {one["benchmark"]: one for one in ludus("benchmarks", "--json").json}
    assert plain["platformer/bundled"]["episodes"] == 10
    assert plain["platformer/bundled"]["tie_breakers"] == {"wins": "more"}
    assert (
        "The letter: the line to the first food"
        in ludus("benchmarks", "nematode/foraging-small").words
    )
    one = ludus("benchmarks", "mario-arena/1-1")
    assert "--mode" in one.out
    assert "best of 10" in one.words
    assert ludus("benchmarks", "mario-arena/1-1", "--json").json["options"]["mode"]["default"]
    assert "no benchmark 'chess'" in refused(ludus("benchmarks", "chess", code=2))


def test_new_without_a_word_is_its_help(ludus: Ludus) -> None:
    assert "agent" in ludus("new").out


def test_a_new_brain_can_be_trained(ludus: Ludus) -> None:
    said = ludus("new", "brain", "my-brain")
    assert said.out.splitlines() == [
        "Written: my_brain.py",
        "Next: ludus train nematode/foraging-small --brain my_brain.py:MyBrain",
    ]
    words = ["--trainings", "1", "--episodes", "1", "--workers", "1", "--json"]
    told = ludus("train", "nematode/foraging-small", "--brain", "my_brain.py:MyBrain", *words).json
    assert told["parameters"] == 2 * 16 + 16 * 4 + 16
    assert "exists already" in refused(ludus("new", "brain", "my-brain", code=2))
