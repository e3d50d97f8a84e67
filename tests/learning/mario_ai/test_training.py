from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus.agents import load
from ludus.agents.checkpoint import read_checkpoint
from ludus.errors import OptionError
from ludus.games.platformer import World
from ludus.games.platformer.recordings import Recording
from ludus.games.platformer.view import View
from ludus.learning import mario_ai, resume, train
from ludus.learning.curve_folder import read_curve
from ludus.learning.folder import TrainingFolder
from ludus.learning.mario_ai import training as trainings
from ludus.learning.mario_ai.levels import EVALUATION, FIRST_SEED, training_scenario
from ludus.learning.mario_ai.practice import METHODS, play_scenario, player_class
from ludus.learning.mario_ai.settings import Curriculum

TRACK = "mario-ai/gameplay-2009-ice"
SMALL: dict[str, dict[str, Any]] = {
    "q-learning": {"actors": 2},
    "neuro-evolution": {"size": "small", "candidates": 4},
    "genetic-programming": {"candidates": 8, "elite": 2},
    "cuckoo-search": {"nests": 3, "eggs": 3, "field": 5},
    "imitation": {"expert": "forward-jumping", "players": 2, "steps": 4},
    "behaviour-tree": {"candidates": 4, "elite": 2},
    "realm": {"candidates": 3, "elite": 1},
}


def begin(method: str, out: Path, **options: Any) -> Any:
    small = {"rounds": 4, "levels": 1, "evaluate_every": 2, "evaluation_levels": 1, "workers": 1}
    return train(TRACK, method=method, out=out, settings=SMALL[method], **{**small, **options})


def result_of(folder: Path) -> tuple[Any, list[Any]]:
    name, arrays = read_checkpoint(folder / "best.npz")
    return (name, {key: value.tolist() for key, value in arrays.items()}), read_curve(folder)


class Stopped(Exception):
    """A training is stopped from outside."""


@pytest.mark.parametrize("method", METHODS)
def test_a_resumed_training_comes_to_the_same_player(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = begin(method, tmp_path / "whole")
    assert whole.player.is_file()
    monkeypatch.setattr(trainings, "CHECKPOINT_SECONDS", -1.0)

    def stop(progress: Any) -> None:
        if progress.rounds == 3:
            raise Stopped

    with pytest.raises(Stopped):
        begin(method, tmp_path / "broken", on_progress=stop)
    resumed = resume(tmp_path / "broken", workers=2 if method == "q-learning" else 1)
    assert result_of(tmp_path / "broken") == result_of(tmp_path / "whole")
    assert (resumed.best, resumed.last) == (whole.best, whole.last)
    assert load(str(resumed.player), "platformer").name == "best"


def test_training_makes_a_better_player(tmp_path: Path) -> None:
    settings = {"size": "small", "candidates": 8, "fresh_levels": False}
    counts: dict[str, Any] = {"rounds": 6, "levels": 4, "evaluation_levels": 1, "workers": 1}
    outcome = train(
        TRACK, method="neuro-evolution", settings=settings, out=tmp_path / "net", **counts
    )
    rounds = [row["best"] for row in read_curve(outcome.folder) if "best" in row]
    assert max(rounds) > rounds[0]
    assert outcome.plays == 4 * (8 + 5 * 4), "who was kept is not played again"
    assert outcome.best.score >= outcome.last.score


def test_recorded_play_is_imitated(tmp_path: Path) -> None:
    scenario = training_scenario("gameplay-2009-ice", 0)
    recording = Recording(scenario, (bytes([2 | 16] * 60),))  # right and speed
    options = {"expert": "", "players": 1}
    outcome = train(
        TRACK, method="imitation", settings=options, recordings=[recording], rounds=1, levels=1,
        evaluation_levels=1, workers=1, out=tmp_path / "copy",
    )  # fmt: skip
    player = load(str(outcome.player), "platformer")
    player.reset(scenario)
    assert player.act(View(World(scenario.level, 2, 200))) == 2 | 16
    with pytest.raises(OptionError, match="q-learning learns from no recorded play"):
        train(TRACK, method="q-learning", recordings=[recording], out=tmp_path / "none")


def test_levels_are_none_of_a_competition_and_never_those_of_the_evaluation() -> None:
    names = [training_scenario("gameplay-2009-ice", number).name for number in range(4)]
    assert names == [f"difficulty {d}, seed {FIRST_SEED + n}" for n, d in enumerate((0, 3, 5, 10))]
    assert f"-ls {FIRST_SEED + 7}" in training_scenario("gameplay-2010", 7).name
    longest = Curriculum.for_method(TRACK, "q-learning", rounds=100, levels=50)
    assert longest.rounds * longest.levels < EVALUATION


def test_a_play_that_stands_still_is_given_up_and_has_no_time_left() -> None:
    player: Any = player_class("genetic-programming")((12,))  # presses nothing
    score, won, ticks = play_scenario(player, training_scenario("gameplay-2010", 0))
    assert not won
    assert ticks < 200
    assert score == 32 + 2 * 32, "where Mario starts, and his mode"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"method": "astar"}, "no method 'astar': there are q-learning"),
        ({"method": "nobody"}, "no method 'nobody'"),
        ({"benchmark": "mario-ai/learning-2010"}, "players learn by themselves there"),
        ({"benchmark": "mario-ai/nothing"}, "'mario-ai/nothing' cannot be trained for: try"),
        ({"rounds": 0}, "rounds 0 is not from 1 to 1,000,000"),
        ({"seed": -1}, "seed -1 is out of range"),
        ({"workers": 0}, "0 workers are too few"),
        ({"settings": {"nests": 3}}, "no setting 'nests': there are size, candidates"),
        ({"settings": {"candidates": "many"}}, "setting candidates is 'many'"),
        ({"settings": {"size": "huge"}}, "no size 'huge'"),
        ({"on": "ray"}, "no player of mario-ai is trained"),
        ({"steps": 3}, "no option 'steps'"),
    ],
)
def test_what_cannot_be_trained_is_refused_and_leaves_no_folder(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    options = {"benchmark": TRACK, "method": "neuro-evolution", "out": tmp_path / "none", **change}
    with pytest.raises(OptionError, match=told):
        train(**options)
    assert not (tmp_path / "none").exists()


def test_a_folder_is_used_once_and_forged_progress_is_refused(tmp_path: Path) -> None:
    begin("neuro-evolution", tmp_path / "net", rounds=1)
    with pytest.raises(OptionError, match="holds a training: go on with"):
        begin("neuro-evolution", tmp_path / "net")
    folder = TrainingFolder(tmp_path / "net")
    folder.write_checkpoint(0, {"kept": np.zeros(3)}, {"rounds": 1})
    with pytest.raises(OptionError, match="is not a checkpoint"):
        mario_ai.resume(tmp_path / "net", workers=1)
    folder.write_settings("mario-ai", {"method": "astar"}, {})
    with pytest.raises(OptionError, match="no method 'astar'"):
        mario_ai.resume(tmp_path / "net", workers=1)
