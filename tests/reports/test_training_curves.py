"""Learning curves of runs are read, told in words and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ludus.errors import OptionError
from ludus.reports.training_curves import (
    TrainingCurve,
    describe_training,
    draw_training_curves,
    read_training_curves,
    write_training_curves,
)
from ludus.runs import Store, run

FACTS: dict[str, Any] = {
    "training_plays": 4,
    "first_score": 10,
    "best_score": 40,
    "curve_best": "10 20 40 40",
    "curve_mean": "10.0 20.0 40.0 30.0",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(str(tmp_path_factory.mktemp("curves") / "results.db"))


def test_a_curve_is_read_from_facts() -> None:
    curve = TrainingCurve.from_facts(FACTS, 40)
    assert curve == TrainingCurve(4, (10, 20, 40, 40), (10, 20, 40, 30), 40)
    assert curve.ends == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "change",
    [
        {"training_plays": 0},
        {"training_plays": "many"},
        {"curve_best": ""},
        {"curve_best": 7},
        {"curve_best": "10 20"},
        {"curve_best": "10 20 x 40"},
        {"curve_mean": "10 20 nan 40"},
    ],
)
def test_facts_of_a_stranger_give_no_curve(change: dict[str, Any]) -> None:
    assert TrainingCurve.from_facts(FACTS | change, 40) is None
    assert len(list(describe_training(FACTS | change))) <= 1


def test_a_training_in_words() -> None:
    assert list(describe_training(FACTS)) == [
        "Learned from 4 training plays: the first scored 10, the best 40.",
        "Mean of each part: ▁▃█▆",
    ]
    assert list(describe_training({})) == []
    assert list(describe_training(FACTS | {"first_score": "\x1b[2J"})) == []


def test_the_curves_of_a_run_are_drawn(store: Store, tmp_path: Path) -> None:
    players = ["hill-climber", "forward-jumping"]
    played = run("mario-ai/learning-2010", players, episodes=2, options={"plays": "3"}, store=store)
    curves = read_training_curves([played.id[:8]], store)
    assert {level: list(agents) for level, agents in curves.items()} == {
        "level 1": ["hill-climber"],
        "level 2": ["hill-climber"],
    }
    figure = draw_training_curves(curves, style="dark")
    shown = [panel.get_title(loc="left") for panel in figure.axes if panel.get_visible()]
    assert shown == ["level 1", "level 2"]
    (file,) = write_training_curves(tmp_path, [played.id], store)
    assert file.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match="no style"):
        draw_training_curves(curves, style="plaid")


def test_a_run_without_learners_has_no_picture(store: Store, tmp_path: Path) -> None:
    played = run("platformer/bundled", ["idle"], episodes=1, store=store)
    assert write_training_curves(tmp_path, [played.id], store) == []
