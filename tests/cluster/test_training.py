"""A local Ray cluster trains to the same results, and says how often it won."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.learning.small import begin

from ludus.errors import AgentError, RunError
from ludus.learning.curve_folder import read_curve
from ludus.learning.platformer.training import Progress
from ludus.learning.pool import _put
from ludus.learning.worm import Standing, resume, train

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("ray")]

WINNER = """
import math

class Nose:
    def __init__(self, features, actions, seed):
        self.angle = next(k for k, name in enumerate(features) if "angle" in name)

    def act(self, features):
        angle = features[self.angle]
        return 0 if abs(angle) < 0.25 else 1 if angle > 0 else 2

    def learn(self, features, action, reward, ended):
        pass
"""


def brain_file(folder: Path, text: str = WINNER) -> str:
    file = folder / "nose.py"
    file.write_text(text, encoding="utf-8")
    return f"{file}:Nose"


def test_a_cluster_trains_what_this_process_trains_and_counts_wins(tmp_path: Path) -> None:
    heard: list[Standing] = []
    options: dict[str, Any] = {"trainings": 3, "episodes": 4}
    brain = brain_file(tmp_path)
    far = train(
        "foraging-small", brain, folder=tmp_path / "far", on="ray", workers=2,
        on_progress=heard.append, **options,
    )  # fmt: skip
    near = train("foraging-small", brain, folder=tmp_path / "near", workers=0, **options)
    ours, theirs = ([replace(s, cpu_seconds=0.0) for s in done.read()] for done in (near, far))
    assert ours == theirs
    wins = sum(sum(session.successes) for session in ours)
    assert wins > 0
    assert heard[-1] == Standing(12, 12, wins / 12)
    assert heard == sorted(heard, key=lambda standing: standing.episodes)


def test_a_cluster_takes_up_what_was_broken_off(tmp_path: Path) -> None:
    brain = brain_file(tmp_path)
    done = train("foraging-small", brain, folder=tmp_path / "x", trainings=2, episodes=2, workers=0)
    before = done.read()
    done.sessions[1].unlink()
    heard: list[Standing] = []
    after = resume(tmp_path / "x", on="ray", consent=True, on_progress=heard.append).read()
    assert [session.actions for session in after] == [session.actions for session in before]
    assert [standing.episodes for standing in heard] == [4]


def test_what_fails_on_a_cluster_is_told(tmp_path: Path) -> None:
    brain = brain_file(tmp_path, WINNER.replace("return 0 if", "return 7 if"))
    with pytest.raises(AgentError, match="gave 7"):
        train("foraging-small", brain, folder=tmp_path / "x", trainings=1, episodes=1, on="ray")


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "progress/../x", "a/b", ".."])
def test_files_elsewhere_are_not_taken_from_a_cluster(tmp_path: Path, name: str) -> None:
    with pytest.raises(RunError, match="no file of a training"):
        _put(tmp_path / "folder", name, b"")


def test_a_cluster_trains_policies(tmp_path: Path) -> None:
    heard: list[Progress] = []
    small: dict[str, Any] = {"steps": 128, "evaluation_episodes": 1}
    small["settings"] = {"games": 8, "slots": 8, "hidden": (4,)}
    far = begin(tmp_path / "far", on="ray", on_progress=heard.append, **small)
    near = begin(tmp_path / "near", **small)
    assert far.best == near.best
    assert heard[-1].steps == far.steps == 128
    assert read_curve(far.folder) == read_curve(near.folder)
