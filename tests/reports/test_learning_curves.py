"""Learning curves of trainings are drawn so that each can be told from the others."""

from __future__ import annotations

from typing import Any

from ludus.reports.learning_curves import draw_curve, draw_generalisation
from ludus.stats import rate_interval

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


def test_generalisation_is_drawn_with_its_intervals() -> None:
    trained, unseen = [rate_interval(9, 10), rate_interval(5, 10)], [rate_interval(1, 10)] * 2
    (panel,) = draw_generalisation([1, 1000], trained, unseen, title="unseen").axes
    assert [label.get_text() for label in panel.get_xticklabels()] == ["1", "1,000"]
    assert panel.get_title(loc="left") == "unseen"
    bars: Any = panel.collections[0]
    assert [(bar[0][1], bar[1][1]) for bar in bars.get_segments()] == [
        (100 * one.low, 100 * one.high) for one in trained
    ]
