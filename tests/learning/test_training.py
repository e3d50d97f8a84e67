from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.learning.small import SETTINGS, begin

from ludus.agents import load
from ludus.errors import LudusError, MissingExtra, OptionError
from ludus.games.platformer.arena.game import ArenaMatch
from ludus.games.platformer.arena.scenario import ArenaScenario
from ludus.learning import folder_of, resume, train
from ludus.learning.curve_folder import read_curve
from ludus.learning.extra import require_jax
from ludus.learning.platformer.policy_folder import PolicyFolder
from ludus.learning.platformer.practice import derive_seed
from ludus.learning.platformer.settings import Course, settings_for, stages_of
from ludus.learning.platformer.training import Outcome
from ludus.reports.learning_curves import draw_curve, draw_folders, write_curve

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

Whole = Callable[[str], Outcome]


def killed(folder: Path, algorithm: str, kill_at: int) -> None:
    """Let a training die in a process of its own."""
    words = [sys.executable, str(HERE / "killed_training.py"), str(folder), algorithm, str(kill_at)]
    place = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, env=place, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize("algorithm", ["ppo", "evolution"])
def test_a_killed_training_goes_on_to_the_same_curve(
    tmp_path: Path, whole: Whole, algorithm: str
) -> None:
    unbroken = whole(algorithm)
    killed(tmp_path / "broken", algorithm, 1100)
    before = read_curve(tmp_path / "broken")
    checkpoint = PolicyFolder(tmp_path / "broken").read_checkpoint(0)
    assert checkpoint is not None
    assert checkpoint.notes["rows"] < len(before) < len(read_curve(unbroken.folder))
    mended = resume(tmp_path / "broken")
    assert read_curve(tmp_path / "broken") == read_curve(unbroken.folder)
    assert mended.best == unbroken.best
    for kind in ("policy.npz", "best.npz"):
        with np.load(unbroken.folder / kind) as one, np.load(mended.folder / kind) as other:
            assert one.files == other.files
            for name in one.files:
                np.testing.assert_array_equal(one[name], other[name])


def test_a_training_that_is_over_stays_as_it_is(whole: Whole) -> None:
    begun = whole("ppo")
    curve = read_curve(begun.folder)
    again = resume(begun.folder)
    assert (again.steps, again.best) == (begun.steps, begun.best)
    assert read_curve(begun.folder) == curve


def test_a_training_without_a_checkpoint_begins_again(tmp_path: Path, whole: Whole) -> None:
    unbroken = whole("ppo")
    shutil.copytree(unbroken.folder, tmp_path / "early")
    (tmp_path / "early" / "progress" / "0000.npz").unlink()
    assert resume(tmp_path / "early").steps == unbroken.steps
    assert read_curve(tmp_path / "early") == read_curve(unbroken.folder)


@pytest.mark.parametrize("algorithm", ["ppo", "evolution"])
def test_seeds_side_by_side_learn_what_each_learns_alone(
    tmp_path: Path, whole: Whole, algorithm: str
) -> None:
    begin(tmp_path / "both", algorithm, seeds=2)
    rows = [row for row in read_curve(tmp_path / "both") if "return" in row]
    first, second = ([row["return"] for row in rows if row["seed"] == k] for k in (0, 1))
    alone = [row["return"] for row in read_curve(whole(algorithm).folder) if "return" in row]
    assert first != second
    assert len(first) > 2
    for one, other in zip(first, alone, strict=False):
        assert one == pytest.approx(other, rel=1e-3, abs=1e-3)


def test_the_best_policy_is_kept_beside_the_last(whole: Whole) -> None:
    outcome = whole("ppo")
    rows = [row["evaluation"] for row in read_curve(outcome.folder) if "evaluation" in row]
    best = max(rows, key=lambda row: (row["success"], row["furthest"]))
    assert len(rows) == 2
    assert outcome.best[0].furthest == best["furthest"]
    assert outcome.last[0].furthest == rows[-1]["furthest"]
    assert len(best["by_level"]) == 2
    agent: Any = load(str(outcome.policies[0]))
    assert agent.name == "best"


def furthest(agent: Any, stage: str, episodes: int) -> float:
    """Return how far an agent comes on average under the protocol."""
    places = []
    for number in range(episodes):
        scenario = ArenaScenario("", (stage,), derive_seed("race", number))
        match = ArenaMatch(scenario)
        agent.reset(scenario)
        while not match.over and len(match.record()) < 300:
            match.step(agent.act(match.observation))
        places.append(float(match.facts()["max_x_pos"] or 0))
    return float(np.mean(places))


def test_ppo_beats_forward_jumping(tmp_path: Path) -> None:
    outcome = train(
        "mario-arena/1-1",
        steps=200_000,
        out=tmp_path / "run",
        evaluate_every=200_000,
        evaluation_episodes=10,
        settings={"slots": 16, "hidden": "32", "rate": "2e-3", "minibatches": 2},
    )
    learned = furthest(load(str(outcome.folder / "policy.npz")), "1-1", 20)
    assert learned > 1.3 * furthest(load("forward-jumping"), "1-1", 20)


def test_pixels_can_be_learned_from(tmp_path: Path) -> None:
    small = {"games": 8, "slots": 4, "hidden": (8,), "channels": (4,), "strides": (8,)}
    given: dict[str, Any] = {"evaluation_episodes": 1, "settings": small}
    outcome = begin(tmp_path / "seen", observe="pixels", steps=64, **given)
    agent: Any = load(str(outcome.policies[0]))
    assert furthest(agent, "1-1", 1) > 0


def test_the_learning_curve_is_drawn(tmp_path: Path, whole: Whole) -> None:
    ours = whole("ppo").folder
    both = {name: read_curve(whole(name).folder) for name in ("ppo", "evolution")}
    (panel,) = draw_curve(both, style="dark").axes
    assert len(panel.lines) == 4
    (titled,) = draw_folders([ours]).axes
    assert titled.get_title(loc="left") == "mario-arena/1-1,1-4 · ppo · seed 0"
    picture = write_curve(tmp_path / "curve.png", [ours])
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match="no style 'red'"):
        draw_curve({}, style="red")
    with pytest.raises(OptionError, match="no learning curve"):
        write_curve(tmp_path / "curve.png", [tmp_path])
    with pytest.raises(OptionError, match="cannot write"):
        write_curve(picture / "curve.png", [ours])


# ---- what is refused


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"benchmark": "mario-arena/9-1"}, "mario-arena/9-1"),
        ({"benchmark": "platformer/sprint"}, "platformer/sprint"),
        ({"algorithm": "dqn"}, "no algorithm 'dqn': there are ppo, evolution"),
        ({"observe": "sound"}, "'sound' cannot be seen"),
        ({"steps": 0}, "steps 0 is too small"),
        ({"steps": "5k"}, "steps '5k' is no whole number: give steps=1000"),
        ({"seed": "1"}, "seed '1' is no whole number: give seed=1"),
        ({"step": 5}, "no option 'step': there are algorithm, .*, out, seed, seeds, settings"),
        ({"seeds": -1}, "seeds -1 is too small"),
        ({"seed": -1}, "seed -1 is out of range"),
        ({"settings": {"gama": 1}}, "no setting 'gama'"),
        ({"settings": {"gamma": "high"}}, "setting gamma is 'high': give something like 0.99"),
    ],
)
def test_wrong_options_are_told(tmp_path: Path, given: dict[str, Any], told: str) -> None:
    with pytest.raises(LudusError, match=told):
        train(**{"benchmark": "mario-arena/1-1", **given}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_folders_that_do_not_fit_are_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="holds no training"):
        resume(tmp_path)
    (tmp_path / "course.json").write_text("[]")
    with pytest.raises(OptionError, match="holds no training"):
        resume(tmp_path)
    with pytest.raises(OptionError, match="ludus train --resume"):
        train("mario-arena/1-1", out=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="cannot be made"):
        train("mario-arena/1-1", out=tmp_path / "file" / "run")


def test_a_damaged_checkpoint_is_told(tmp_path: Path, whole: Whole) -> None:
    shutil.copytree(whole("ppo").folder, tmp_path / "run")
    (tmp_path / "run" / "progress" / "0000.npz").write_bytes(b"PK nothing of the kind")
    with pytest.raises(OptionError, match="is not a checkpoint"):
        resume(tmp_path / "run")


def test_a_checkpoint_of_another_network_is_told(tmp_path: Path, whole: Whole) -> None:
    shutil.copytree(whole("ppo").folder, tmp_path / "run")
    file = tmp_path / "run" / "progress" / "0000.npz"
    with np.load(file, allow_pickle=False) as stored:
        arrays = dict(stored)
    for wrong in (arrays["weights.w0"][:, :-1], None):
        rest = {name: array for name, array in arrays.items() if name != "weights.w0"}
        np.savez(file, **(rest if wrong is None else {**rest, "weights.w0": wrong}))
        with pytest.raises(OptionError, match="is not a checkpoint"):
            resume(tmp_path / "run")


def test_without_jax_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(MissingExtra, match=r"ludus-arena\[learn\]"):
        require_jax()


WITHOUT_JAX = """
import sys
sys.modules["jax"] = None
from ludus.errors import MissingExtra
from ludus.learning import train
settings = {"games": 4, "slots": 2, "hidden": (4,)}
train(out=sys.argv[1] + "/ppo", steps=8, evaluation_episodes=1, settings=settings)
try:
    train(algorithm="evolution", out=sys.argv[1] + "/evolution")
except MissingExtra as error:
    print(error)
"""


def test_ppo_needs_no_jax(tmp_path: Path) -> None:
    code = [sys.executable, "-c", WITHOUT_JAX, str(tmp_path)]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    assert "ludus-arena[learn]" in done.stdout
    assert (tmp_path / "ppo" / "best.npz").is_file()
    assert not (tmp_path / "evolution").exists()


def test_a_course_survives_its_file() -> None:
    settings = settings_for("ppo", "pixels", {"hidden": "8,8", "rate": 0.5})
    course = Course(benchmark="mario-arena/all", observe="pixels", settings=settings)
    assert Course.from_dict(json.loads(json.dumps(course.to_dict()))) == course
    assert len(course.stages) == 32
    with pytest.raises(OptionError, match="no settings of a training"):
        Course.from_dict({"algorithm": "ppo"})


def test_folders_are_named_by_what_is_trained() -> None:
    named = folder_of("mario-arena/1-1,1-2", "ppo", "pixels", 3)
    assert named == Path("runs/mario-arena-1-1-1-2-ppo-pixels-3")


def test_stages_are_named_by_the_benchmark() -> None:
    assert stages_of("mario-arena/2-3@1", 1) == ("2-3",)
    assert stages_of("mario-arena/1-1,8-4", 1) == ("1-1", "8-4")
    assert stages_of("mario-arena/full-game", 1) == stages_of("mario-arena/all", 1)


def test_settings_are_those_of_the_algorithm() -> None:
    assert SETTINGS.keys() == {"ppo", "evolution"}
    assert settings_for("evolution", "fields").strides == ()
    assert settings_for("evolution", "pixels").strides != ()
