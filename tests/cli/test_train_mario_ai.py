from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Ludus, refused

import ludus as ludus_package

TRACK = "mario-ai/gameplay-2009-ice"
SMALL = (
    *("--method", "neuro-evolution", "--rounds", "2", "--levels", "1", "--evaluation-levels", "1"),
    *("--set", "size=small", "--set", "candidates=4", "--workers", "1"),
)


def test_a_trained_player_is_an_agent(ludus: Ludus, tmp_path: Path) -> None:
    done = ludus("train", TRACK, *SMALL, "--out", "runs/net", "--json").json
    assert done["benchmark"] == TRACK
    assert done["player"] == str(Path("runs/net/best.npz"))
    assert done["plays"] == 8
    for file in (done["player"], *done["pictures"]):
        assert (tmp_path / file).is_file()
    again = ludus("train", "--resume", "runs/net")
    assert "8 plays" in again.words
    assert f"ludus run {TRACK} runs/net/best.npz" in again.out
    told = ludus("run", TRACK, "runs/net/best.npz", "--episodes", "1", "--json").json
    assert told["standings"][0]["agent"] == "best"


def test_python_trains_as_the_command_does(tmp_path: Path) -> None:
    settings = {"size": "small", "candidates": 4}
    options: dict[str, Any] = {"rounds": 1, "levels": 1, "evaluation_levels": 1, "workers": 1}
    result = ludus_package.train(TRACK, settings=settings, out=tmp_path / "net", **options)
    assert result.agents == [str(tmp_path / "net" / "best.npz")]
    assert "Training: neuro-evolution" in str(result)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--method", "luck"), "no method 'luck': there are q-learning, neuro-evolution"),
        (("--rounds", "0"), "rounds 0 is not from 1"),
        (("--set", "size=huge"), "no size 'huge': there are small, medium, large"),
        (("--set", "sise=small"), "no setting 'sise': there are size"),
    ],
)
def test_what_is_wrong_is_told(ludus: Ludus, words: tuple[str, ...], told: str) -> None:
    assert told in refused(ludus("train", TRACK, *words, code=2))
