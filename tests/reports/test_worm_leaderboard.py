"""Boards of trainings: the leaderboard, the columns that come first, and the page of an entry."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.boards.making import Here

from ludus.api.boards import BoardResult
from ludus.api.settings import open_store
from ludus.benchmarks import benchmarks
from ludus.boards import Board, accept, board
from ludus.boards.board import Row
from ludus.boards.columns import cells, headings
from ludus.boards.formats import board_to_dict, to_csv
from ludus.reports.worm_leaderboard import HEADINGS
from ludus.runs import Store, run
from ludus.web.addresses import entry_path
from ludus.web.app import create_app
from ludus.web.settings import Settings

NAME = "nematode/foraging-small"
TRAININGS = 3


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A board of three trainings of eight dishes, which the real one would refuse."""
    patch = pytest.MonkeyPatch()
    real = benchmarks()[NAME]
    short = lambda *args, **more: [  # noqa: E731
        {**one, "episodes": 8} for one in real.scenarios(*args, **more)
    ]
    patch.setitem(benchmarks(), NAME, replace(real, episodes=TRAININGS, scenarios=short))
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('board')}/store.db") as opened:
        played = run(NAME, ["gradient", "random-walk"], store=opened, executor=Here())
        accept(played.id, opened, by="Ann | <b>")
        yield opened
    patch.undo()


@pytest.fixture
def shown(store: Store) -> Board:
    return board(NAME, store)


def test_a_narrow_board_shows_what_is_summed(shown: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = str(BoardResult(shown)).splitlines()
    assert lines[1].split() == [
        "#", "agent", "success", "effic.", "speed", "stab.", "score", "band",
    ]  # fmt: skip
    assert all(len(line.rstrip()) <= 80 for line in lines[:6])
    first = dict(zip(headings(shown), cells(shown, shown.rows[0]), strict=True))
    parts = [float(first[name]) for name in ("success", "effic.", "speed", "stab.")]
    total = sum(w * part for w, part in zip((0.4, 0.3, 0.2, 0.1), parts, strict=True))
    assert total == pytest.approx(shown.rows[0].entry.summary.headline.value, abs=0.001)


def test_category_contributor_and_source_of_time_are_behind(shown: Board) -> None:
    names = headings(shown)
    for name in ("category", "contributor", "seconds", "parameters"):
        assert names.index(name) > names.index("band")
    row = json.loads(json.dumps(board_to_dict(shown)))["rows"][0]
    assert (row["category"], row["contributor"]) == ("hand-written", "Ann | <b>")
    assert row["seconds_source"] == "played here"
    assert next(csv.DictReader(io.StringIO(to_csv(shown))))["category"] == "hand-written"


def test_time_that_nobody_measured_here_is_marked(shown: Board) -> None:
    place, row = headings(shown).index("seconds"), shown.rows[0]
    claimed = replace(row, entry=replace(row.entry, timing="claimed"))
    assert cells(shown, claimed)[place] == f"{cells(shown, row)[place]} (claimed)"


def test_ranks_are_listed_by_proof(shown: Board) -> None:
    said = BoardResult(shown).view.notes
    assert "Proof by rank: 1–2 replayed." in said


def test_the_leaderboard_has_the_headings_of_the_document(shown: Board) -> None:
    quantum = [_renamed(row, "circuit-x", "quantum") for row in shown.rows[1:]]
    text = BoardResult(replace(shown, rows=(shown.rows[0], *quantum))).to_markdown()
    lines = text.splitlines()
    assert lines.count(f"| {' | '.join(HEADINGS)} |") == 2
    assert [line for line in lines if line.startswith("## ")] == ["## Hand-written", "## Quantum"]
    cells_of_first = next(line for line in lines if line.startswith("| gradient")).split(" | ")
    assert cells_of_first[2] == f"{100 * shown.rows[0].entry.summary.columns[0]:.1f}"
    assert "<b>" not in text


def _renamed(row: Row, name: str, category: str) -> Row:
    entry = row.entry
    return replace(
        row, entry=replace(entry, category=category, summary=replace(entry.summary, agent=name))
    )


def test_the_page_of_an_entry_tells_how_it_moves(store: Store, shown: Board) -> None:
    path = f"/{entry_path(NAME, shown.rows[0].entry)}"
    with TestClient(create_app(store, Settings("", live=True))) as client:
        page = client.get(path)
        assert page.status_code == 200
        for word in ("Does it move like a worm?", "weathervane", "Bargmann", "none given"):
            assert word in page.text
        stability = 0.1 * shown.rows[0].entry.summary.columns[3]
        assert re.search(rf"all episodes together.*?{stability:.2f}</td>", page.text, re.DOTALL), (
            "the parts do not add up to the score"
        )
        assert "is better than random-walk by 0." in page.text
        found = client.get(f"/api/v1{path}behaviour.csv")
        assert found.headers["content-type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(found.text)))
        assert [row["figure"] for row in rows] == ["chemotaxis", "klinokinesis", "weathervane"]
        assert all(row["n"] == str(TRAININGS) for row in rows)
        assert float(rows[0]["value"]) > float(rows[0]["chance_value"])


def test_the_page_of_an_entry_of_dishes_tells_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dishes = "worm/foraging-small"
    monkeypatch.setitem(benchmarks(), dishes, replace(benchmarks()[dishes], episodes=3))
    with open_store(f"sqlite:///{tmp_path}/store.db") as opened:
        played = run(dishes, ["gradient"], store=opened, executor=Here())
        accept(played.id, opened, by="Ann")
        path = entry_path(dishes, board(dishes, opened).rows[0].entry)
        with TestClient(create_app(opened, Settings("", live=True))) as client:
            page = client.get(f"/{path}").text
            rows = list(
                csv.DictReader(io.StringIO(client.get(f"/api/v1/{path}behaviour.csv").text))
            )
    assert "Does it move like a worm?" in page
    assert re.search(r"gradient on foraging-small\S*, 3 dishes", page)
    assert [row["dishes"] for row in rows] == ["3"] * 3


def test_old_lines_of_a_ledger_have_no_category(shown: Board) -> None:
    row = shown.rows[0]
    old = row.entry.to_dict()
    del old["category"]
    entry = type(row.entry).from_dict(old)
    assert entry.category == ""
    assert not entry.differs_from(row.entry)
    place = headings(shown).index("category")
    assert cells(shown, replace(row, entry=entry))[place] == "–"


def test_where_nothing_is_measured_the_api_says_so(store: Store, tmp_path: Path) -> None:
    with TestClient(create_app(store, Settings("", live=True))) as client:
        answer = client.get("/api/v1/boards/nematode/foraging-small/seed-0/entries/x/behaviour.csv")
        assert answer.status_code == 404
