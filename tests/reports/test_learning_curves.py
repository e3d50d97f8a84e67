"""Learning curves of trainings are drawn so that each can be told from the others."""

from __future__ import annotations

from typing import Any

from ludus.reports.learning_curves import draw_curve

ROWS: list[dict[str, Any]] = [
    {"seed": 0, "steps": 1000, "success": 0.1},
    {"seed": 0, "steps": 2000, "success": 0.4},
]
JUDGED = {"seed": 0, "steps": 2000, "evaluation": {"success": 0.5}}


def test_no_two_of_many_lines_look_alike() -> None:
    (panel,) = draw_curve({f"training {n}": ROWS for n in range(12)}).axes
    looks = {(line.get_color(), line.get_linestyle()) for line in panel.lines[::2]}
    assert len(looks) == 12


def test_the_note_names_dots_where_some_are_drawn() -> None:
    (practice,) = draw_curve({"practice": ROWS}).texts
    (judged,) = draw_curve({"judged": [*ROWS, JUDGED]}).texts
    assert practice.get_text() == "line: games of practice"
    assert judged.get_text() == "line: games of practice; dots: evaluations under the protocol"
