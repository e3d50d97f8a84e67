"""The rows of a board as its page shows them, and what is said about their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludus.benchmarks import Benchmark
from ludus.boards import Board, Row
from ludus.boards.columns import BAND, UNKNOWN, format_figure
from ludus.boards.comparing import compare_entries
from ludus.boards.estimates import format_estimate
from ludus.boards.groups import MOST_COMPARED
from ludus.boards.proofs import format_proof
from ludus.runs.proof import Proof
from ludus.web.addresses import entry_path
from ludus.web.charts import (
    Bracket,
    IntervalDrawing,
    draw_brackets,
    draw_interval,
    find_scale,
)
from ludus.web.verdicts import describe_contest

__all__ = [
    "PROOFS",
    "ShownRow",
    "describe_place",
    "filter_rows",
    "name_figures",
    "show_rows",
]

HUMAN = "(human)"
PROOFS = {
    Proof.CLAIMED: "Somebody says so; nothing was checked here.",
    Proof.REPLAYED: "The recorded actions were played again here and give these scores.",
    Proof.RERUN: "The agent itself was loaded and played the same actions again here.",
}
"""What the three words mean."""


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One row of a board's table.

    Attributes:
        row: The row.
        link: Where its entry is.
        value: The headline value in words.
        drawing: Its interval.
        brackets: The groups that pass it.
        figures: Further columns in words.
        proof: How well it is proven, in words.
        meaning: What that means.
        lead: What it is ahead of the next by, as a sentence; empty for the last.
        human: Whether somebody at a keyboard played it.
    """

    row: Row
    link: str
    value: str
    drawing: IntervalDrawing
    brackets: list[Bracket]
    figures: list[str]
    proof: str
    meaning: str
    lead: str
    human: bool


def show_rows(board: Board, rows: Sequence[Row]) -> list[ShownRow]:
    """Return some rows of a board, drawn on the scale of all of them."""
    scale = find_scale(row.entry.summary.headline for row in board.rows)
    shown = {id(row) for row in rows}
    after = {id(row): next_ for row, next_ in pairwise(board.rows) if id(row) in shown}
    brackets = _brackets_by_row(board)
    return [
        ShownRow(
            row=row,
            link=entry_path(board.benchmark.id, row.entry),
            value=format_estimate(row.entry.summary.headline, board.benchmark.digits),
            drawing=draw_interval(row.entry.summary.headline, scale),
            brackets=brackets.get(id(row), []),
            figures=_figures(board, row),
            proof=format_proof(board.benchmark, row),
            meaning=PROOFS[row.proof],
            lead=_describe_lead(board, row, after.get(id(row))),
            human=row.entry.agent.endswith(HUMAN),
        )
        for row in rows
    ]


def filter_rows(board: Board, text: str) -> list[Row]:
    """Return the rows whose agents' names hold a text, the best first."""
    wanted = text.casefold()
    return [row for row in board.rows if wanted in row.entry.agent.casefold()]


def _brackets_by_row(board: Board) -> dict[int, list[Bracket]]:
    if len(board.rows) > MOST_COMPARED:
        return {}
    drawn = draw_brackets([row.group for row in board.rows])
    return {id(row): brackets for row, brackets in zip(board.rows, drawn, strict=True)}


def name_figures(benchmark: Benchmark) -> list[str]:
    """Return the headings of the further columns."""
    return [
        *([BAND] if benchmark.grade else []),
        *(column.name for column in benchmark.columns),
        *(breaker.name for breaker in benchmark.tie_breakers),
        *(["category"] if benchmark.categorise else []),
    ]


def _figures(board: Board, row: Row) -> list[str]:
    benchmark, summary = board.benchmark, row.entry.summary
    return [
        *([benchmark.grade(summary.headline.value)] if benchmark.grade else []),
        *map(format_figure, benchmark.columns, summary.columns),
        *map(format_figure, benchmark.tie_breakers, summary.ties),
        *([row.entry.category or UNKNOWN] if benchmark.categorise else []),
    ]


def _describe_lead(board: Board, row: Row, after: Row | None) -> str:
    if after is None:
        return ""
    contest = compare_entries(board.benchmark, row.entry, after.entry)
    return describe_contest(contest, board.benchmark.digits) if contest else ""


def describe_place(board: Board, row: Row) -> str:
    """Return the place of an entry in words, such as ``2nd of 14``."""
    shared = ", shared" if sum(other.rank == row.rank for other in board.rows) > 1 else ""
    return f"{_ordinal(row.rank)} of {len(board.rows)}{shared}"


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 <= number % 100 <= 20 else ending}"
