"""Trainings from the first step to the files: alone or beside others, whole or broken off."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ludus.agents import load
from ludus.cli.app import app
from ludus.errors import AgentError, OptionError
from ludus.games.worm import feature_names, find_task, replay
from ludus.games.worm.training import Session, training_seed, unpack_actions
from ludus.learning.worm import Standing, Trainings, parallel, resume, train
from ludus.learning.worm.native_trainings import NativeTrainings
from ludus.learning.worm.session_folder import SessionFolder

ROOT = Path(__file__).parents[3]
SMALL = {"hidden": "8", "horizon": 32, "epochs": 2}
EPISODES = 4


@pytest.fixture(autouse=True)
def _few_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "LANES", 4)


def small(folder: Path, trainings: int = 3, **given: Any) -> Trainings:
    options: dict[str, Any] = {"settings": SMALL, "evaluation": 2, "workers": 0} | given
    return train("foraging-small", trainings=trainings, episodes=EPISODES, folder=folder, **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], list[Session]]:
    """Return three trainings that nothing disturbed."""
    return cache(lambda: small(tmp_path_factory.mktemp("whole")).read())


def without_time(session: Session) -> Session:
    return replace(session, cpu_seconds=0.0)


def test_a_training_alone_is_the_same_as_beside_others(
    whole: Callable[[], list[Session]], tmp_path: Path
) -> None:
    alone = small(tmp_path, trainings=1).read()[0]
    assert without_time(alone) == without_time(whole()[0])


def success_share(done: Trainings) -> float:
    flags = [flag for session in done.read() for flag in session.successes]
    return sum(flags) / len(flags)


def test_trainings_differ(whole: Callable[[], list[Session]]) -> None:
    assert len({session.actions for session in whole()}) == 3


def test_killed_trainings_go_on_as_if_they_never_had_been(
    whole: Callable[[], list[Session]], tmp_path: Path
) -> None:
    place = tmp_path / "killed"
    begin(place)
    script = Path(__file__).with_name("killed_training.py")
    killed = subprocess.run(
        [sys.executable, str(script), str(place), "2"], cwd=ROOT, capture_output=True, check=False
    )
    assert killed.returncode == -9, killed.stderr.decode()
    progress = SessionFolder(place).read_progress(1)
    assert progress is not None
    assert len(progress[0].episodes) >= 1
    assert not SessionFolder(place).session_file(1).exists()
    again = resume(place, workers=0).read()
    assert list(map(without_time, again)) == list(map(without_time, whole()))
    assert not list((place / "progress").glob("*.npz"))


def begin(place: Path) -> None:
    """Make a folder of the three trainings with nothing in it but the settings."""

    class Stopped(Exception):
        pass

    def stop(*_: Any, **__: Any) -> None:
        raise Stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NativeTrainings, "run", stop)
        with pytest.raises(Stopped):
            small(place)


def test_a_session_says_what_was_played(whole: Callable[[], list[Session]]) -> None:
    task = find_task("foraging-small")
    for number, session in enumerate(whole()):
        assert session.training == number
        assert session.first_seed == training_seed("foraging-small", 0, number)
        assert len(session.successes) == len(session.reasons) == EPISODES
        assert session.environment_steps == sum(session.steps)
        assert session.declaration.parameters == (2 * 8 + 8 + 8 * 4 + 4) + (2 * 8 + 8 + 8 + 1)
        assert session.declaration.learning
        config = session.config or {}
        assert config["learner"]["horizon"] == 32
        assert config["brain"]["hidden"] == [8]
        actions, at = unpack_actions(session.actions or ""), 0
        for episode, steps in enumerate(session.steps):
            world = replay(task, session.first_seed + episode, list(actions[at : at + steps]))
            figures = world.figures()
            assert figures["steps"] == steps
            assert figures["foods"] == session.foods[episode]
            assert figures["efficiency"] == pytest.approx(session.efficiencies[episode])
            assert figures["total_reward"] == pytest.approx(session.rewards[episode], abs=1e-4)
            at += steps
        assert at == len(actions)


def test_evaluations_are_on_worlds_that_no_training_has(
    whole: Callable[[], list[Session]],
) -> None:
    for session in whole():
        evaluation = session.evaluation
        assert evaluation["episodes"] == evaluation["sampled"]["episodes"] == 2
        assert evaluation["first_seed"] > (session.first_seed or 0) + EPISODES


def test_processes_give_the_same_trainings(tmp_path: Path) -> None:
    heard: list[Standing] = []
    options: dict[str, Any] = {"settings": SMALL, "evaluation": 0, "trainings": 2, "episodes": 2}
    both = train(
        "foraging-small", folder=tmp_path / "a", workers=2, on_progress=heard.append, **options
    )
    one = train("foraging-small", folder=tmp_path / "b", workers=1, **options)
    assert [without_time(t) for t in both.read()] == [without_time(t) for t in one.read()]
    assert heard[-1].episodes == heard[-1].total == 4
    assert heard[-1].success == success_share(both)
    agent = load(str(both.brains[0]), "worm")
    agent.reset(None)
    assert agent.act(np.zeros(len(feature_names(find_task("foraging-small"))))) in range(4)


def test_workers_import_nothing_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "numpy", "random"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('this is no module')")
    monkeypatch.chdir(tmp_path)
    options: dict[str, Any] = {"settings": SMALL, "evaluation": 0, "trainings": 2, "episodes": 1}
    trained = train("foraging-small", folder=tmp_path / "a", workers=2, **options)
    assert len(list(trained.read())) == 2


ALONE = """
import random

class Guess:
    def __init__(self, features, actions, seed):
        self.random, self.actions, self.learned = random.Random(seed), actions, 0

    def act(self, features):
        return self.random.randrange({actions})

    def learn(self, features, action, reward, ended):
        self.learned += 1
"""

JAXED = """
from ludus.agents.worm.brains.brain import Plain
from ludus.learning.worm.learners.reinforce import Reinforce
import numpy as np

class Line(Plain):
    name = "line"
    learner = Reinforce(horizon=8, rate=0.01)

    def init(self, random, features, actions):
        return {"w": random.normal(size=(len(features), actions)).astype(np.float32)}

    def policy(self, lib, weights, state, features):
        return features @ weights["w"], lib.float32(0), state
"""


@pytest.mark.parametrize("action", ["'left'", "None", "9", "1.5", "[1]", "float('nan')"])
def test_actions_of_own_brains_that_are_none_are_named(tmp_path: Path, action: str) -> None:
    code = ALONE.replace("self.random.randrange({actions})", action)
    (tmp_path / "odd.py").write_text(code, encoding="utf-8")
    with pytest.raises(AgentError, match="give 0 forward, 1 left, 2 right, 3 stay"):
        train("foraging-small", f"{tmp_path}/odd.py:Guess", trainings=1, episodes=1,
              folder=tmp_path / "out", workers=0)  # fmt: skip


def test_a_brain_in_plain_python_is_trained(tmp_path: Path) -> None:
    file = tmp_path / "guess.py"
    file.write_text(ALONE.format(actions="self.actions"), encoding="utf-8")
    done = train(
        "foraging-small", f"{file}:Guess", trainings=2, episodes=2, folder=tmp_path / "out",
        workers=0,
    )  # fmt: skip
    first, second = done.read()
    assert first.actions != second.actions
    assert first.brain == "Guess"
    assert done.brains == ()


def test_a_brain_that_makes_no_action_is_told_of(tmp_path: Path) -> None:
    file = tmp_path / "guess.py"
    file.write_text(ALONE.format(actions="7, 8"), encoding="utf-8")
    with pytest.raises(AgentError, match="gave 7"):
        train("foraging-small", f"{file}:Guess", trainings=1, folder=tmp_path / "out", workers=0)


def test_a_failure_of_ones_own_brain_has_a_file_a_line_and_a_log(tmp_path: Path) -> None:
    file, out = tmp_path / "guess.py", tmp_path / "out"
    file.write_text(ALONE.format(actions="self.nothing"), encoding="utf-8")
    with pytest.raises(AgentError) as caught:
        train("foraging-small", f"{file}:Guess", trainings=1, folder=out, workers=1)
    number = 1 + file.read_text(encoding="utf-8").splitlines().index(
        next(line for line in file.read_text(encoding="utf-8").splitlines() if "nothing" in line)
    )
    log = out / "progress/error.log"
    assert str(caught.value) == (
        f"AttributeError: 'Guess' object has no attribute 'nothing' ({file}, line {number}, "
        f"in act); its traceback: {log}"
    )
    assert f'File "{file}", line {number}, in act' in log.read_text(encoding="utf-8")
    first, last = (out / "progress/training.log").read_text(encoding="utf-8").splitlines()
    assert first.endswith("Guess on foraging-small@head: 1 training of 500 episodes, seed 0")
    assert "failed: AttributeError" in last


def test_a_brain_of_ones_own_is_trained_beside_others(tmp_path: Path) -> None:
    file = tmp_path / "line.py"
    file.write_text(JAXED, encoding="utf-8")
    done = train(
        "foraging-small", f"{file}:Line", trainings=2, episodes=2, folder=tmp_path / "out",
        workers=0, evaluation=1,
    )  # fmt: skip
    assert done.read()[0].declaration.parameters == 8


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"task": "foraging-smal"}, "foraging-small"),
    ({"brain": "mlp-pop"}, "did you mean 'mlp-ppo'"),
    ({"brain": "nothing.py:Brain"}, "no file"),
    ({"trainings": 0}, "0 trainings"),
    ({"episodes": 0}, "0 episodes"),
    ({"seed": -1}, "seed -1"),
    ({"workers": -1}, "-1 workers"),
    ({"rules": "fair"}, "no rules 'fair'"),
    ({"settings": {"depth": 3}}, "no setting 'depth'"),
    ({"settings": {"rate": "fast"}}, "setting rate is 'fast'"),
    ({"task": "c3-continuous"}, "is no grid"),
]


@pytest.mark.parametrize(("given", "message"), WRONG, ids=lambda x: str(x)[:30])
def test_what_is_wrong_is_told_before_anything_is_made(
    given: dict[str, Any], message: str, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"task": "foraging-small", "folder": tmp_path / "out"} | given
    with pytest.raises((AgentError, OptionError), match=message):
        train(**options)
    assert not (tmp_path / "out").exists()


def test_a_wrong_brain_is_told_of_without_assertions_too(tmp_path: Path) -> None:
    call = "train('foraging-small', 'no.py:Brain', folder='out')"
    words = [sys.executable, "-O", "-c", f"from ludus.learning.worm import train; {call}"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "AgentError" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_a_folder_keeps_to_its_settings(tmp_path: Path) -> None:
    begin(tmp_path)
    with pytest.raises(OptionError, match="seed 0: choose another folder"):
        small(tmp_path, seed=1)
    with pytest.raises(OptionError, match="holds no trainings"):
        resume(tmp_path / "elsewhere")


def test_a_broken_checkpoint_is_named(tmp_path: Path) -> None:
    begin(tmp_path)
    (tmp_path / "progress" / "0001.npz").write_bytes(b"no zip")
    with pytest.raises(OptionError, match=r"0001\.npz.*delete it"):
        small(tmp_path)


def test_the_command_trains_and_goes_on(tmp_path: Path) -> None:
    words = [
        "train", "nematode/foraging-small", "--brain", "cma-es", "--trainings", "2",
        "--episodes", "2", "--workers", "1", "--out", str(tmp_path / "x"), "--json",
    ]  # fmt: skip
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary["trainings"] == 2
    assert summary["parameters"] == 46
    shown = CliRunner().invoke(app, ["train", "--resume", str(tmp_path / "x")])
    assert shown.exit_code == 0, shown.output
    assert "unseen worlds" in shown.output
    assert "0000.npz" in shown.output
