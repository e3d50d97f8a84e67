from __future__ import annotations

import pytest
from rich.cells import cell_len

from ludus.reports.tables import LARGE, TableView, large_lines, render_text

WORDS = ["first", "次の", "third one", "fourth"]


def view(rows: int, *, keep: int | None = None, word: str = "x") -> TableView:
    cells = [[str(k), word, f"{WORDS[k % 4]}", "7" * (k % 5)] for k in range(rows)]
    return TableView("", ["#", "name", "words", "n"], cells, left=(1, 2), keep=keep)


@pytest.mark.parametrize("width", ["40", "80", "200"])
def test_a_large_table_looks_as_a_small_one(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    small = render_text(view(LARGE)).splitlines()
    large = render_text(view(LARGE + 1)).splitlines()
    assert large[: len(small)] == small
    assert len(large) == len(small) + 1


def test_columns_go_where_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "16")
    lines = list(large_lines(view(LARGE + 1, keep=2)))
    assert lines[0].split() == ["#", "name"]


@pytest.mark.parametrize("rows", [3, LARGE + 1])
def test_columns_without_room_are_named(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    said = " ".join(render_text(view(rows, keep=2)).split())
    assert said.endswith("A wider terminal shows n.")
    monkeypatch.setenv("COLUMNS", "80")
    assert "wider" not in render_text(view(rows, keep=2))


def test_long_words_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = list(large_lines(view(LARGE + 1, word="long " * 30)))
    assert max(map(cell_len, lines)) <= 40
    assert "…" in lines[2]


def test_what_a_terminal_must_not_see_is_escaped() -> None:
    text = "\n".join(large_lines(view(LARGE + 1, word="\x1b[2J\u202eevil")))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_caption_stands_below() -> None:
    table = view(LARGE + 1)
    captioned = TableView("", table.headings, table.rows, caption="All of them.")
    assert render_text(captioned).splitlines()[-1] == "All of them."
