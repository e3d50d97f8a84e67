"""What commands print: tables, and the notes below them."""

from __future__ import annotations

import sys

import pytest

from ludus.cli.output import print_view
from ludus.reports.tables import TableView

NOTE = "a note of " + "many words " * 20
VIEW = TableView("title", ["a"], [["b"]], notes=[NOTE.strip()])


def test_notes_fit_a_terminal_and_are_whole_lines_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    print_view(VIEW)
    assert NOTE.strip() in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_view(VIEW)
    shown = capsys.readouterr().out
    assert NOTE.strip() in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80
