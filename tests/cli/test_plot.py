from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Ludus, refused

from ludus.api.settings import open_store
from ludus.reports.success_plots import read_outcomes

SMALL = "test/small"
FILES = ["scores.png", "profile.png", "progress.png", "wins.png"]


@pytest.fixture
def run(ludus: Ludus) -> str:
    return str(ludus("run", SMALL, "idle", "random", "--json").json["run"])


def test_a_run_is_drawn(ludus: Ludus, run: str) -> None:
    said = ludus("plot", run[:6], "--out", "pictures/of it")
    assert said.out.splitlines() == [str(Path("pictures/of it") / name) for name in FILES]
    for line in said.out.splitlines():
        assert Path(line).read_bytes().startswith(b"\x89PNG")


def test_several_runs_are_drawn_together(ludus: Ludus, run: str) -> None:
    other = ludus("run", SMALL, "random", "forward-jumping", "--json").json["run"]
    said = ludus("plot", run, other, "--dark", "--json").json
    assert said == {"runs": [run, other], "files": FILES}
    assert all(Path(name).exists() for name in FILES)


def test_runs_of_different_benchmarks_are_refused(ludus: Ludus, run: str) -> None:
    other = ludus("run", "platformer/bundled", "idle", "--episodes", "1", "--json").json["run"]
    said = refused(ludus("plot", run, other, "--out", "none", code=2))
    assert "runs of different benchmarks do not go together" in said
    assert "test/small@1" in said
    assert "platformer/bundled@1" in said
    assert not Path("none").exists()


def test_wrong_places_and_runs_are_refused(ludus: Ludus, run: str) -> None:
    Path("file").write_text("")
    assert "'file' is a file; name a directory" in refused(
        ludus("plot", run, "--out", "file", code=2)
    )
    assert "no run 'zzz' in the store" in refused(ludus("plot", "zzz", code=2))


def test_without_matplotlib(ludus: Ludus, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert 'pip install "ludus-arena[plots]"' in refused(ludus("plot", run, code=2))


def test_success_is_drawn_in_the_order_of_the_table(ludus: Ludus) -> None:
    said = ludus("run", "mario-arena/1-1", "idle", "forward-jumping", "--episodes", "2", "--json")
    run = said.json["run"]
    files = ludus("plot", run, "--json").json["files"]
    assert files == [*FILES, "success.png", "reach.png"]
    assert all(Path(name).read_bytes().startswith(b"\x89PNG") for name in files)
    with open_store(None) as store:
        outcomes = read_outcomes(store.run(run), store)
    assert [one.agent for one in outcomes] == [one["agent"] for one in said.json["standings"]]
    assert [len(one.completed) for one in outcomes] == [2, 2]


@pytest.mark.parametrize(
    ("benchmark", "words", "reached"),
    [
        ("mario-arena/1-1", "furthest x of an episode, in pixels", "max_x_pos"),
        ("mario-arena/full-game", "levels completed in an episode", "levels_completed"),
    ],
)
def test_how_far_is_told_by_what_can_be_compared(
    ludus: Ludus, benchmark: str, words: str, reached: str
) -> None:
    run = ludus("run", benchmark, "ppo-all", "--episodes", "2", "--json").json["run"]
    ludus("plot", run, "--format", "svg")
    assert f"<!-- {words} -->" in Path("reach.svg").read_text()
    with open_store(None) as store:
        outcome = read_outcomes(store.run(run), store)[0]
        facts = [one.episode.facts[reached] for one in store.episodes(run)]
    assert list(outcome.reached) == facts


def test_episodes_of_several_levels_are_told_by_their_scores(ludus: Ludus) -> None:
    run = ludus("run", "mario-arena/unseen", "random", "--json").json["run"]
    ludus("plot", run, "--format", "svg")
    assert "<!-- progress of an episode -->" in Path("reach.svg").read_text()
    with open_store(None) as store:
        outcome = read_outcomes(store.run(run), store)[0]
        totals = [one.score.total for one in store.episodes(run)]
    assert list(outcome.reached) == totals


def test_trainings_are_drawn_together(ludus: Ludus) -> None:
    for folder in ("one/t", "two/t"):
        row = '{"steps": 8192, "seed": 0, "success": 0.5}'
        (Path(folder) / "progress").mkdir(parents=True)
        Path(folder, "progress", "settings.json").write_text('{"family": "mario-arena"}')
        Path(folder, "curve.jsonl").write_text(row + "\n")
    said = ludus("plot", "one/t", "two/t", "--out", "out", "--format", "svg")
    assert said.out.splitlines() == [str(Path("out") / "learning.svg")]
    drawn = Path("out", "learning.svg").read_text()
    for words in ("one/t", "two/t", "decisions learned from (thousands)"):
        assert f"<!-- {words} -->" in drawn


def test_a_folder_of_nothing_is_no_training(ludus: Ludus) -> None:
    Path("nothing").mkdir()
    assert "no session" in refused(ludus("plot", "nothing", code=2))
