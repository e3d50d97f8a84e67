from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.benchmarks.nematode.making import change, small_submission, whole_submission

from ludus.cli import main


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "kept.db"))
    return str(tmp_path / "kept.db")


def test_a_folder_is_checked_submitted_and_shown(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(whole_submission(tmp_path / "nose"))
    assert main(["submit", "--check", folder]) == 0
    shown = capsys.readouterr().out
    assert "nose on nematode/foraging-small, 50 trainings, seed 0" in shown
    assert "a random walker has" in shown
    assert "11 parameters" in shown
    assert "claimed, none measured here" in shown
    assert "note: the brain is frozen" in shown
    assert "50 trainings played again." in shown
    assert main(["board", "nematode/foraging-small", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == []
    assert main(["submit", folder, "--by", "me", "--name", "my-nose", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["good"]
    assert told["board"]["agent"] == "my-nose"
    assert told["board"]["outcome"] == "new"
    assert main(["board", "nematode/foraging-small", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["run"], row["by"]) == (told["run"], "me")
    assert row["headline"]["value"] == pytest.approx(told["submission"]["composite"])
    assert main(["verify", told["run"]]) == 0
    capsys.readouterr()
    assert main(["submit", folder]) == 1
    assert "problem: this is on the board already" in capsys.readouterr().out


def test_problems_are_lines_and_exit_code_1(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = small_submission(tmp_path / "nose")
    change(folder / "0001.json", learning=True)
    assert main(["submit", str(folder)]) == 1
    shown = capsys.readouterr().out
    assert "problem: training 1: learning is True, that of training 0 False" in shown
    assert "Not fit for a board: 1 problem." in shown
    assert main(["submit", str(folder), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["good"], told["run"], told["board"]) == (False, None, None)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere", "--check"], "there is no folder 'nowhere' to check"),
        (["nematode/nowhere", "--brain", "mlp-ppo"], "no benchmark 'nematode/nowhere'"),
        (["platformer/sprint", "--brain", "mlp-ppo"], "takes no submissions"),
        (["worm/foraging-small", "--brain", "mlp-ppo"], "takes no submissions"),
        (["nematode/foraging-small"], "no brain was named"),
        (
            ["nematode/foraging-small", "--brain", "x", "--trainings", "3"],
            "50 or more; to train fewer, try ludus train nematode/foraging-small --brain x --trai",
        ),
        (["nematode/foraging-small", "--brain", "x", "--name", "a\tb"], "name of the brain"),
        (
            ["nematode/foraging-small", "--brain", "mlp-ppo", "--name", "Gradient"],
            "--name 'Gradient' is taken for 'gradient', which is of Ludus",
        ),
        (
            ["nematode/foraging-small", "--brain", "mlp-ppo", "--sensing", "nose"],
            "no sensing 'nose'",
        ),
        (["nematode/pursuit-small", "--brain", "mlp-ppo", "--world", "e25"], "no option 'world'"),
    ],
)
def test_wrong_input_is_one_line(
    store: str, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert main(["submit", *words]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_agents_play_trainings_as_they_are(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = tmp_path / "wall.py"
    agent.write_text(
        "class Wall:\n"
        "    name = 'wall'\n"
        "    def reset(self, scenario): self.steps = 0\n"
        "    def act(self, observation):\n"
        "        self.steps += 1\n"
        "        return 0 if self.steps <= 500 else 'too late'\n",
        encoding="utf-8",
    )
    words = ["run", "nematode/foraging-small", f"{agent}:Wall", "--episodes", "1", "--workers", "1"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (row,) = told["standings"]
    assert row["headline"]["value"] < 0.1
    assert row["faults"] == 0  # it was told of every dish
    assert row["columns"]["learns"] == 0
    assert main(["verify", told["run"]]) == 0
    assert main(["board", "accept", told["run"]]) == 2
    assert "takes 50 or more episodes an agent, not 1" in capsys.readouterr().err
