from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.benchmarks.nematode.making import change, small_submission, whole_submission

from ludus.benchmarks.nematode.checking import check_replays, check_submission, compute_figures
from ludus.benchmarks.nematode.submission import TrainingSubmission, read_submission, write_note
from ludus.errors import OptionError
from ludus.games.worm.training import pack_actions, unpack_actions


def opened(folder: Path) -> TrainingSubmission:
    submission, problems = read_submission(folder)
    assert problems == []
    assert submission is not None
    return submission


def faults(folder: Path) -> list[str]:
    """Return what is wrong with a submission of few trainings, but for that."""
    submission, problems = read_submission(folder)
    if submission:
        problems += check_submission(submission)
    usual = ("too few for a board", "trainings on a board have")
    return [one for one in problems if not any(words in one for words in usual)]


def test_a_whole_submission_is_good(tmp_path: Path) -> None:
    submission = opened(whole_submission(tmp_path / "nose"))
    assert check_submission(submission) == []
    heard: list[int] = []
    assert check_replays(submission, heard.append) == []
    assert heard == list(range(50))
    figures = compute_figures(submission)
    assert figures["composite"] == pytest.approx(sum(figures["parts"].values()))
    assert figures["composite"] > 0.8
    assert figures["chance"] < 0.2 < figures["chemotaxis"]
    assert figures["environment_steps"] > 1_000_000
    assert submission.benchmark == "nematode/foraging-small"
    assert submission.options == {}


def test_a_small_one_is_refused_for_that_alone(tmp_path: Path) -> None:
    submission = opened(small_submission(tmp_path / "nose"))
    problems = check_submission(submission)
    assert len(problems) == 2
    assert problems[0].startswith("3 trainings are too few for a board: 50")
    assert "has 12 episodes; trainings on a board have 500 (so do 2 more)" in problems[1]
    assert check_replays(submission) == []


def test_options_are_those_of_the_task(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose", 1)
    for spec, options in (
        ("predator-small@e25", {"world": "e25"}),
        ("pursuit-small@head+klinotaxis", {"sensing": "klinotaxis"}),
    ):
        change(folder / "0000.json", task=spec)
        submission, _ = read_submission(folder)
        assert submission is not None
        assert submission.options == options


@pytest.mark.parametrize("spec", ["mars", "foraging-small+reference", "foraging-small@old", "A b"])
def test_tasks_without_a_board_are_refused(tmp_path: Path, spec: str) -> None:
    folder = small_submission(tmp_path / "nose", 1)
    change(folder / "0000.json", task=spec)
    submission, problems = read_submission(folder)
    assert submission is None
    assert "no board has the task" in problems[0]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"brain": "other"}, "brain is 'other', that of training 0 'nose'"),
        ({"config": {"noise": 0.5, "calm": 0.05}}, "'noise' of its config is 0.5"),
        ({"config": None}, "'config' is missing"),
        ({"learning": True}, "learning is True, that of training 0 False"),
        ({"learning": 2}, "neither true nor false"),
        ({"pretrained": "by hand"}, "pretrained is 'by hand'"),
        ({"seed": 1}, "seed is 1, that of training 0 0"),
        ({"engine": "other"}, "rules is 'other'"),
        ({"training": 7}, "is training 2, where number 1 should come"),
        ({"training": True}, "'training' is True"),
        ({"first_seed": 9}, "begins with seed 9; training 1 of seed 0 begins with"),
        ({"first_seed": None}, "'first_seed' is missing"),
        ({"environment_steps": 1}, "says 1 environment steps"),
        ({"steps": None}, "steps, foods or reasons of the episodes are missing"),
        ({"success": "1" * 12}, "success is True"),
        ({"distance_efficiency": [1.5] * 12}, "efficiency of 1.5, which is above 1"),
        ({"n_runs": 13}, "n_runs is 13"),
    ],
)
def test_tampering_shows(tmp_path: Path, fields: dict[str, Any], told: str) -> None:
    folder = small_submission(tmp_path / "nose")
    change(folder / "0001.json", **fields)
    found = faults(folder)
    assert any(told in line for line in found), found
    assert all("\n" not in line for line in found)


def test_one_training_twice_is_found(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose")
    copied = json.loads((folder / "0000.json").read_text(encoding="utf-8"))
    copied |= {"training": 1, "session": "training 1"}
    (folder / "0001.json").write_text(json.dumps(copied), encoding="utf-8")
    found = "\n".join(faults(folder))
    assert "training 1: is the same as training 0, episode by episode" in found
    assert "share the seeds from" in found
    assert "training 1: begins with seed" in found


def test_a_training_left_out_is_found(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose")
    (folder / "0001.json").unlink()
    assert "is training 2, where number 1 should come" in faults(folder)[0]


def test_claims_are_computed_again(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose")
    write_note(folder, opened(folder), name="mine", by="me", notes="a remark")
    assert faults(folder) == []
    assert opened(folder).name == "mine"
    note = folder / "submission.json"
    metrics = json.loads(note.read_text(encoding="utf-8"))["metrics"]
    change(note, metrics={**metrics, "composite": 0.99}, trainings=50)
    found = "\n".join(faults(folder))
    assert "composite is said to be 0.99; the sessions give" in found
    assert "50 trainings are said; there are 3" in found
    change(note, metrics="all good")
    assert "composite is said to be None" in faults(folder)[0]
    note.write_text("{", encoding="utf-8")
    assert "is not JSON" in faults(folder)[0]


def test_replays_show_what_figures_hide(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose")
    told = json.loads((folder / "0002.json").read_text(encoding="utf-8"))
    better = [min(1.0, value + 0.2) for value in told["distance_efficiency"]]
    change(folder / "0002.json", distance_efficiency=better)
    assert faults(folder) == []
    assert "training 2: the efficiency of episode 1 is said" in check_replays(opened(folder))[0]
    change(folder / "0002.json", distance_efficiency=told["distance_efficiency"])
    change(folder / "0002.json", chemotaxis=[1.0] * 12)
    assert "the chemotaxis index of episode 1 is said" in check_replays(opened(folder))[0]


def test_actions_that_are_others_are_found(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose")
    file = folder / "0001.json"
    actions = bytearray(unpack_actions(json.loads(file.read_text(encoding="utf-8"))["actions"]))
    for packed, told in (
        (pack_actions(actions[:-1]), "break off in episode 12"),
        (pack_actions(bytes(len(actions))), "training 1: "),
        ("no actions", "training 1: the text holds no actions"),
        (None, "training 1: holds no actions, so that it cannot be played again"),
    ):
        change(file, actions=packed)
        problems = check_replays(opened(folder))
        assert any(told in line for line in problems), problems
        assert len(problems) <= 11


def test_weights_are_looked_at_and_never_unpickled(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose", 1)
    np.savez(folder / "0000.npz", weight=np.ones(3))
    assert faults(folder) == []
    np.savez(folder / "0000.npz", weight=np.array([1.0, np.nan]))
    assert "'weight' holds what is no number" in faults(folder)[0]
    np.savez(folder / "0000.npz", weight=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    assert "holds no weights: 'weight.npy' holds objects" in faults(folder)[0]
    (folder / "0000.npz").write_bytes(b"no zip")
    assert "holds no weights" in faults(folder)[0]


def test_other_files_are_named(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose", 1)
    (folder / "run.py").write_text("print()", encoding="utf-8")
    (folder / "more").mkdir()
    (folder / "link.json").symlink_to(folder / "0000.json")
    found = faults(folder)
    assert [line.partition(": ")[2] for line in found] == [
        "is no plain file",
        "is no plain file",
        "is neither JSON nor weights (.npz) nor brain.py",
    ]


def test_folders_that_hold_nothing(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="there is no folder"):
        read_submission(tmp_path / "nowhere")
    assert read_submission(tmp_path) == (
        None,
        [f"{tmp_path}: there is no session of a training in it"],
    )
    (tmp_path / "0000.json").write_text("[]", encoding="utf-8")
    submission, problems = read_submission(tmp_path)
    assert submission is None
    assert "0000.json: is no session" in problems[0]


def test_many_problems_of_a_kind_are_counted(tmp_path: Path) -> None:
    folder = small_submission(tmp_path / "nose", 8)
    for file in folder.glob("*.json"):
        change(file, environment_steps=1)
    found = faults(folder)
    assert len(found) == 6
    assert found[-1] == "… and 3 more of this kind"
