from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.boards.making import hero, played
from tests.runs.small import SMALL

from ludus.benchmarks import Column, benchmarks
from ludus.benchmarks.benchmark import TieBreaker
from ludus.boards import Board, accept, board
from ludus.boards.columns import cells, format_count, format_figure, format_short, headings
from ludus.boards.formats import board_to_dict, caption, to_csv, to_html, to_markdown
from ludus.runs import Store, run
from ludus.runs.proof import Proof
from ludus.runs.schema import events as events_table

NASTY = 'a|b <script>"x"</script>'


@pytest.fixture
def shown(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    column = Column("coins", lambda facts: float(facts["coins"] or 0), 2)
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(SMALL, columns=(column,)))
    specs = [hero(tmp_path, "fast", NASTY), hero(tmp_path, "still", "b")]
    accept(played(store, *specs).id, store, by="me")
    accept(played(store, "idle", seed=3).id, store, by="me")
    return board(SMALL.id, store)


def test_the_plain_board_goes_through_json(shown: Board) -> None:
    values = json.loads(json.dumps(board_to_dict(shown), allow_nan=False))
    assert values == board_to_dict(shown)
    first = values["rows"][0]
    assert first["agent"] == NASTY
    assert first["ties"].keys() == {"ticks"}
    assert first["columns"].keys() == {"coins"}
    assert first["headline"]["n"] == SMALL.episodes
    assert {"run", "rules", "fingerprint", "identity", "digest", "by"} <= first.keys()
    assert values["elsewhere"] == {"seed 3": 1}


def test_the_csv_has_a_line_an_agent(shown: Board) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(shown))))
    assert [row["agent"] for row in rows] == [NASTY, "b"]
    assert rows[0]["rank"] == "1"
    assert float(rows[0]["low"]) <= float(rows[0][SMALL.headline]) <= float(rows[0]["high"])
    assert float(rows[0]["ticks"]) > 0


def test_steps_of_an_episode_and_decisions_in_all_are_two_columns(
    shown: Board, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = tuple(replace(one, name="steps") for one in shown.benchmark.tie_breakers)
    monkeypatch.setitem(benchmarks(), SMALL.id, replace(shown.benchmark, tie_breakers=steps))
    (first, *_) = csv.DictReader(io.StringIO(to_csv(board(SMALL.id, store))))
    summary = shown.rows[0].entry.summary
    assert float(first["steps"]) == summary.ties[0] != summary.steps
    assert int(first["decisions"]) == summary.steps


def test_no_two_columns_have_one_name(store: Store) -> None:
    for id_ in benchmarks():
        names = headings(board(id_, store))
        assert len(set(names)) == len(names), id_


def test_an_empty_board_is_an_empty_csv(store: Store) -> None:
    assert to_csv(board(SMALL.id, store)) == "rank,group,agent,score,low,high,level,method\n"


def test_there_is_a_cell_for_every_heading(shown: Board) -> None:
    for row in shown.rows:
        assert len(cells(shown, row)) == len(headings(shown))


def test_columns_may_stand_beside_the_score_or_behind_the_cost(shown: Board) -> None:
    columns = (
        Column("near", lambda _: 0, beside_score=True),
        Column("far", lambda _: 0),
    )
    names = headings(replace(shown, benchmark=replace(shown.benchmark, columns=columns)))
    assert names.index("near") == names.index("proof") + 1
    assert names.index("far") == names.index("peak MiB") + 1


def test_a_row_says_how_well_it_is_proven(shown: Board) -> None:
    place, row = headings(shown).index("proof"), shown.rows[0]
    assert cells(shown, row)[place] == "replayed"
    assert cells(shown, replace(row, proof=Proof.CLAIMED))[place] == "claimed"
    count = row.entry.summary.episodes
    assert cells(shown, replace(row, proof=Proof.RERUN, rerun=count))[place] == "re-run"
    assert cells(shown, replace(row, proof=Proof.RERUN, rerun=1))[place] == f"re-run 1/{count}"


def test_markdown_rows_have_equal_cells(shown: Board) -> None:
    lines = [line for line in to_markdown(shown).splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(shown.rows)
    assert {line.replace("\\|", "").count("|") for line in lines} == {len(headings(shown)) + 1}
    assert "<script>" not in to_markdown(shown)


class Cells(HTMLParser):
    """Collects the text of every cell, and refuses tags that nobody wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_holds_names_as_they_are(shown: Board) -> None:
    page = Cells()
    page.feed(to_html(shown))
    assert "script" not in page.tags
    assert NASTY in page.words
    assert to_html(shown).startswith("<!doctype html>")


def test_the_caption_says_what_is_what(shown: Board) -> None:
    said = " ".join(caption(shown))
    assert SMALL.formula in said
    assert "then lower ticks" in said
    assert "95 % interval" in said
    assert "1 on seed 3" in said


def test_boards_of_other_options_are_told_apart(store: Store) -> None:
    accept(run("mario-arena/1-1", ["idle"], store=store).id, store, by="me")
    other = board("mario-arena/1-1", store, options={"mode": "speedrun"})
    assert "There are more entries: 1 on seed 0, the default options." in caption(other)


def test_a_broken_ledger_is_said_everywhere(shown: Board, store: Store) -> None:
    with store.transaction() as connection:
        connection.execute(sa.update(events_table).values(kind="removed"))
    broken = board(SMALL.id, store)
    for text in (to_markdown(broken), to_html(broken), " ".join(caption(broken))):
        assert "The ledger is broken: line 1" in text
    assert board_to_dict(broken)["broken"]["number"] == 1


def test_numbers_for_people() -> None:
    assert [format_short(value) for value in (0, 1.234, -12.34, 123.4, 99999)] == [
        "0.00",
        "1.23",
        "-12.3",
        "123",
        "99,999",
    ]
    assert [format_short(value) for value in (9.99, 10, 99.9, 100)] == [
        "9.99",
        "10.0",
        "99.9",
        "100",
    ]
    assert [format_count(number) for number in (999_999, 1_000_000)] == ["999,999", "1.00M"]
    level = TieBreaker("level", lambda _: 0, words=("none", "some"))
    assert [format_figure(level, value) for value in (0.0, 1.0)] == ["none", "some"]
    assert format_figure(replace(level, words=()), 1.0) == "1.00"
    assert format_figure(Column("steps", lambda _: 0, 0), 12_345.6) == "12,346"
