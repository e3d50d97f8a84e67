"""The leaderboard of NematodeBench: a board as the Markdown tables that its community knows."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.boards import Board, Row
from ludus.boards.columns import BAND, UNKNOWN, find_columns
from ludus.boards.formats import markdown_lines, page_caption, title
from ludus.escaping import escape_markdown

__all__ = ["HEADINGS", "to_leaderboard"]

HEADINGS = (
    "Brain",
    "Score",
    "Success",
    "Learning speed",
    "Stability",
    "Distance efficiency",
    "Sessions",
    "Contributor",
    "Date",
    "Level",
    "Validation",
)
"""The headings in their order; the last two are what the description gives names to."""


def to_leaderboard(board: Board) -> str:
    """Return a board of trainings as Markdown, one table a category.

    Success is in per cent. The score has its 95 % interval, which the leaderboard of the reference
    does not have: it shows the deviation between sessions.
    """
    lines = [f"# {escape_markdown(title(board))}", "", escape_markdown(board.benchmark.title), ""]
    for category in dict.fromkeys(row.entry.category or UNKNOWN for row in board.rows):
        rows = [row for row in board.rows if (row.entry.category or UNKNOWN) == category]
        lines += [f"## {_name_category(category)}", ""]
        lines += [*markdown_lines(HEADINGS, [_cells(board, row) for row in rows]), ""]
    return "\n".join([*lines, *map(escape_markdown, page_caption(board)), ""])


def _name_category(category: str) -> str:
    return "Unknown" if category == UNKNOWN else escape_markdown(category.capitalize())


def _cells(board: Board, row: Row) -> Sequence[str]:
    shown = {column.heading: column.cell(row) for column in find_columns(board)}
    summary = row.entry.summary
    names = [column.name for column in board.benchmark.columns]
    values = dict(zip(names, summary.columns, strict=True))
    return [
        summary.agent,
        shown[board.benchmark.headline],
        f"{100 * values['success']:.1f}",
        f"{values['speed']:.2f}",
        f"{values['stability']:.2f}",
        f"{values['efficiency']:.2f}",
        str(summary.episodes),
        row.by,
        row.entry.created[:10],
        shown[BAND],
        shown["validation"],
    ]
