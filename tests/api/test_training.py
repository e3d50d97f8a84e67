from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludus
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
