from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.benchmarks.nematode.making import change, whole_submission

import ludus
from ludus.api.families import nematode
from ludus.benchmarks.nematode.score_files import assess_session
from ludus.benchmarks.nematode.scoring import score_trainings
from ludus.errors import OptionError
from ludus.games.worm.training import read_session

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
        ("mario-arena/1-1", "runs", "'runs' knows what it is for: leave 'mario-arena/1-1' out"),
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
        task="foraging-small@head+klinotaxis",
        config={"brain": {"kind": "somebody's"}},
        declaration=SimpleNamespace(parameters=7),
        successes=successes,
        efficiencies=[0.5] * len(successes),
        steps=[10],
        cpu_seconds=1.0,
        evaluation=None,
    )
    done = SimpleNamespace(folder=Path("runs/x"), brains=[], read=lambda: [session])
    monkeypatch.setattr("ludus.learning.worm.train", lambda *_, **__: done)
    result = nematode.train("foraging-small")
    assert result.outcome["success_at_the_end"] == share
    assert result.view.title == "1 training"
    assert ("plot" in dict(result.next_commands)) == (len(session.successes) >= 10)


def test_trainings_end_with_their_score_and_commands_that_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = whole_submission(tmp_path / "my nose")
    for file in folder.glob("0*.json"):
        change(file, config={"brain": {"kind": "mlp"}}, task="foraging-small@head+temporal")
    sessions = tuple(sorted(folder.glob("0*.json")))
    brains = tuple(sorted(folder.glob("0*.npz")))
    trainings = list(map(read_session, sessions))
    done = SimpleNamespace(folder=folder, brains=brains, read=lambda: trainings)
    monkeypatch.setattr("ludus.learning.worm.train", lambda *_, **__: done)
    result = nematode.train("foraging-small")
    scored = score_trainings(map(assess_session, trainings))
    assert result.outcome["composite"] == pytest.approx(scored.total)
    assert result.view.rows[0] == ["composite score", f"{scored.total:.4f}"]
    quoted = f"'{folder}'"
    assert result.next_commands == [
        ("plot", f"ludus plot {quoted} --out pictures"),
        ("play one", f"ludus run worm/foraging-small '{brains[0]}' --sensing temporal"),
        ("enter the board", f"ludus submit {quoted}"),
        ("see the board", "ludus board nematode/foraging-small --sensing temporal"),
    ]
    trainings.pop()
    assert [words for words, _ in nematode.train("foraging-small").next_commands] == [
        "plot",
        "play one",
        "see the board",
    ]
