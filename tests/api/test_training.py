from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ludus
from ludus.api.families import nematode
from ludus.errors import OptionError

pytestmark = pytest.mark.usefixtures("store")

SMALL: dict[str, Any] = {
    "steps": 256,
    "evaluation_episodes": 2,
    "settings": {"games": 16, "slots": 8, "hidden": [8], "patience": 10},
}


def test_a_training_shows_itself_and_its_agents_play(tmp_path: Path) -> None:
    result = ludus.train("mario-arena/1-1", out=tmp_path / "first", **SMALL)
    assert result.benchmark == "mario-arena/1-1"
    assert result.agents == [str(tmp_path / "first" / "best.npz")]
    assert "256 decisions × 1" in str(result)
    assert 'src="data:image/png;base64,' in result._repr_html_()
    assert Path(str(result.plot(tmp_path / "curve.png"))).is_file()
    assert result.to_dicts()[0]["policy"] == result.agents[0]
    played = ludus.run(result.benchmark, result.agents, episodes=1, workers=1)
    assert played.leader == "best"
    again = ludus.train(resume=tmp_path / "first")
    assert again.agents == result.agents


@pytest.mark.parametrize(
    ("benchmark", "folder", "message"),
    [
        (None, None, "name a benchmark, such as mario-arena/1-1, or a folder"),
        ("mario-arena/1-1", "runs", "name a benchmark"),
        ("platformer/sprint", None, "'platformer/sprint' cannot be trained for"),
        (None, "nowhere", "'nowhere' holds no training to resume"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    benchmark: str | None, folder: str | None, message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        ludus.train(benchmark, resume=folder)


@pytest.mark.parametrize(
    ("successes", "share"),
    [([False, True, *[False] * 99], 0.01), ([True, *[False] * 100], 0.0), ([True, False], 0.5)],
)
def test_success_at_the_end_is_that_of_the_last_hundred_episodes(
    successes: list[bool], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SimpleNamespace(
        task="foraging-small@1",
        config={"brain": {"kind": "somebody's"}},
        declaration=SimpleNamespace(parameters=7),
        successes=successes,
        efficiencies=[0.5],
        steps=[10],
        cpu_seconds=1.0,
        evaluation=None,
    )
    done = SimpleNamespace(folder=Path("runs/x"), brains=[], read=lambda: [session])
    monkeypatch.setattr("ludus.learning.worm.train", lambda *_, **__: done)
    assert nematode.train("foraging-small").outcome["success_at_the_end"] == share
