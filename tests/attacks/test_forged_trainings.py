"""Folders of trainings that are not what they say: each is refused, with its reason."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.attacks.forging_trainings import (
    ANGLES,
    EPISODES,
    FORGERIES,
    FROZEN,
    LEARNER,
    RETRAINED,
    TASK,
    TRAININGS,
    Honest,
    change_all,
    change_config,
    judge,
    play_as_oracle,
    write_weights,
)
from tests.benchmarks.nematode.making import train as walk_to_food

from ludus.learning.worm import train


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Honest:
    place = tmp_path_factory.mktemp("honest")
    sizes: Any = {"trainings": TRAININGS, "episodes": EPISODES}
    for brain in (LEARNER, FROZEN):
        train(TASK, brain, **sizes, evaluation=0, workers=0, folder=place / brain)
        shutil.rmtree(place / brain / "progress", ignore_errors=True)
    walk_to_food(TASK, LEARNER, **sizes, config={"noise": 0.0}, folder=place / "oracle")
    return Honest(place / LEARNER, place / FROZEN, place / "oracle")


@pytest.mark.parametrize(
    ("forge", "reason"), FORGERIES, ids=[forge.__name__ for forge, _ in FORGERIES]
)
def test_a_forged_learner_is_refused(
    honest: Honest, tmp_path: Path, forge: Callable[[Path, Honest], None], reason: str
) -> None:
    folder = Path(shutil.copytree(honest.learner, tmp_path / "forged"))
    forge(folder, honest)
    problems = judge(folder)
    assert any(reason in line for line in problems), problems
    assert all("\n" not in line for line in problems)


@pytest.mark.parametrize(
    ("part", "fields", "reason"),
    [
        ("", {"learning": True}, "learning is said to be True; circuit-frozen has False"),
        ("", {"pretrained": ""}, "pretrained is said to be ''; circuit-frozen has 'CMA-ES"),
        ("", {"pretraining_steps": 0}, "pretraining_steps is said to be 0"),
        ("learner", {"pretrained": ""}, "'pretrained' is what a brain knows before"),
        ("learner", {"pretraining_steps": 0}, "'pretraining_steps' is what a brain knows before"),
        ("brain", {"angles": ANGLES}, "'angles' is what a brain knows before"),
        ("", {"brain": "circuit-ppo"}, "is what a brain knows before"),
    ],
)
def test_lessons_before_are_not_hidden(
    honest: Honest, tmp_path: Path, part: str, fields: dict[str, Any], reason: str
) -> None:
    folder = Path(shutil.copytree(honest.frozen, tmp_path / "forged"))
    if part:
        change_config(folder, part, **fields)
    else:
        change_all(folder, **fields)
    problems = judge(folder)
    assert any(reason in line for line in problems), problems


def test_a_frozen_brain_does_not_walk_as_an_oracle(honest: Honest, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(honest.frozen, tmp_path / "forged"))
    play_as_oracle(folder, honest.oracle, 0)
    write_weights(folder / "0000.json")
    (problem,) = judge(folder)
    assert RETRAINED in problem


def test_honest_trainings_are_not_refused(honest: Honest) -> None:
    assert judge(honest.learner) == []
    assert judge(honest.frozen) == []
