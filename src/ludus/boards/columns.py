"""The columns of boards and standings: what they are called, in which order, and their cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from ludus.benchmarks.benchmark import Benchmark, Column, TieBreaker
from ludus.boards.board import Board, Row
from ludus.boards.costs import CostColumn, explain_costs, find_cost_columns
from ludus.boards.estimates import format_estimate
from ludus.boards.proofs import format_proof
from ludus.games.rules import is_source_digest
from ludus.runs.summary import Summary

__all__ = [
    "BAND",
    "DECISIONS",
    "FAULTS",
    "UNKNOWN",
    "BoardColumn",
    "all_cells",
    "cells",
    "count_of_first",
    "find_columns",
    "format_count",
    "format_faults",
    "format_figure",
    "format_short",
    "format_time",
    "headings",
    "legend",
    "name_columns",
    "place_figures",
    "time_heading",
]

MILLION = 1_000_000
MS = 1000
DIGEST_SHOWN = 12
UNKNOWN = "–"
CLAIMED = "claimed"

FAULTS, BAND, PROOF = "faults", "band", "proof"
DECISIONS = "decisions"
"""How often an agent was asked in all; ``steps`` is what benchmarks call those of one episode."""


Item = TypeVar("Item")


class BoardColumn(NamedTuple):
    """A column of a board.

    Attributes:
        heading: What it is called.
        cell: Returns the words of a row.
    """

    heading: str
    cell: Callable[[Row], str]


Placed: TypeAlias = tuple[list[Item], list[Item], list[Item]]
"""What belongs to a benchmark's columns, by where they stand.

First before the score, which sums them up; then right behind it; then behind the cost.
"""


def name_columns(benchmark: Benchmark) -> Placed[str]:
    """Return the headings of a benchmark's columns."""
    return _split_items(benchmark, [column.heading or column.name for column in benchmark.columns])


def place_figures(benchmark: Benchmark, summary: Summary) -> Placed[str]:
    """Return an agent's figures as words, each where its heading stands."""
    return _split_items(benchmark, list(map(format_figure, benchmark.columns, summary.columns)))


def _split_items(benchmark: Benchmark, items: Sequence[Item]) -> Placed[Item]:
    placed: Placed[Item] = [], [], []
    for column, item in zip(benchmark.columns, items, strict=True):
        placed[0 if column.summed else 1 if column.beside_score else 2].append(item)
    return placed


# ---- a board's


def find_columns(board: Board) -> list[BoardColumn]:
    """Return the columns of a board that people are shown, the most important first.

    What a score sums up stands before it, and what it is called right behind.
    """
    benchmark = board.benchmark
    summed, beside, behind = _split_items(benchmark, _figure_columns(benchmark))
    score = BoardColumn(
        benchmark.headline,
        lambda row: format_estimate(row.entry.summary.headline, benchmark.digits),
    )
    return [
        BoardColumn("#", lambda row: str(row.rank)),
        BoardColumn("agent", lambda row: row.entry.summary.agent),
        *summed,
        score,
        *_conditional_columns(board),
        BoardColumn("group", lambda row: row.group),
        BoardColumn(PROOF, lambda row: format_proof(benchmark, row)),
        *beside,
        *_category_column(benchmark),
        *_tie_columns(benchmark),
        *_cost_columns(board),
        *behind,
        *ORIGIN,
    ]


def _figure_columns(benchmark: Benchmark) -> list[BoardColumn]:
    def make(number: int, column: Column) -> BoardColumn:
        return BoardColumn(
            column.heading or column.name,
            lambda row: format_figure(column, row.entry.summary.columns[number]),
        )

    return [make(number, column) for number, column in enumerate(benchmark.columns)]


def _tie_columns(benchmark: Benchmark) -> list[BoardColumn]:
    def make(number: int, breaker: TieBreaker) -> BoardColumn:
        return BoardColumn(
            breaker.name, lambda row: format_figure(breaker, row.entry.summary.ties[number])
        )

    return [make(number, breaker) for number, breaker in enumerate(benchmark.tie_breakers)]


def _conditional_columns(board: Board) -> list[BoardColumn]:
    """Return the columns right behind the score that not every board has."""
    columns = []
    if grade := board.benchmark.grade:
        columns.append(BoardColumn(BAND, lambda row: grade(row.entry.summary.headline.value)))
    if board.beside:
        columns.append(BoardColumn(board.beside.name, lambda row: _format_beside(board, row)))
    if board.faulty:
        columns.append(
            BoardColumn(FAULTS, lambda row: format_faults(row.entry.summary.fault_kinds))
        )
    return columns


def _category_column(benchmark: Benchmark) -> list[BoardColumn]:
    if benchmark.categorise is None:
        return []
    return [BoardColumn("category", lambda row: row.entry.category or UNKNOWN)]


def _cost_columns(board: Board) -> list[BoardColumn]:
    return [
        BoardColumn(DECISIONS, lambda row: format_count(row.entry.summary.steps)),
        BoardColumn("seconds", _format_seconds),
        *map(_cost_column, _find_costs(board)),
    ]


def _cost_column(cost: CostColumn) -> BoardColumn:
    return BoardColumn(cost.name, lambda row: cost.cell(row.entry.summary))


def _find_costs(board: Board) -> Sequence[CostColumn]:
    summaries = (row.entry.summary for row in board.rows)
    return find_cost_columns(summaries, in_seconds=board.benchmark.times_in_seconds)


def _format_seconds(row: Row) -> str:
    """Return the seconds of an entry; where nobody measured them here, it says so."""
    seconds = format_short(row.entry.summary.seconds)
    return f"{seconds} ({CLAIMED})" if row.entry.timing == CLAIMED else seconds


def _format_beside(board: Board, row: Row) -> str:
    """Return what the agent came to on the other board, if there is one beside this."""
    other = board.beside.entries.get(row.entry.agent) if board.beside else None
    if other is None:
        return UNKNOWN
    text = format_estimate(other.summary.headline, board.benchmark.digits)
    same = other.summary.fingerprint == row.entry.summary.fingerprint
    return text if same else f"{text} (other code)"


def _format_rules(row: Row) -> str:
    rules = row.entry.rules
    return rules[:DIGEST_SHOWN] if is_source_digest(rules) else rules


ORIGIN = (
    BoardColumn("contributor", lambda row: row.by),
    BoardColumn("played", lambda row: row.entry.created[:10]),
    BoardColumn("episodes", lambda row: str(row.entry.summary.episodes)),
    BoardColumn("run", lambda row: row.entry.run),
    BoardColumn("rules", _format_rules),
    BoardColumn("fingerprint", lambda row: row.entry.summary.fingerprint[:DIGEST_SHOWN]),
)
"""Where an entry comes from."""


def headings(board: Board) -> list[str]:
    """Return the headings of the columns that people are shown."""
    return [column.heading for column in find_columns(board)]


def cells(board: Board, row: Row) -> list[str]:
    """Return a row as the words under the headings."""
    return [column.cell(row) for column in find_columns(board)]


def all_cells(board: Board) -> list[list[str]]:
    """Return all rows as the words under the headings."""
    columns = find_columns(board)
    return [[column.cell(row) for column in columns] for row in board.rows]


def count_of_first(board: Board) -> int:
    """Return how many columns even a narrow terminal keeps: up to the proof.

    Where the score's parts stand before it, they leave no room for what is behind the score.
    """
    names = headings(board)
    summed = any(column.summed for column in board.benchmark.columns)
    return names.index("group") if summed else names.index(PROOF) + 1


def legend(board: Board) -> dict[str, str]:
    """Return the sentences on columns that narrow tables leave out, by their headings."""
    return explain_costs(_find_costs(board))


# ---- words


def format_figure(of: TieBreaker | Column, value: float) -> str:
    """Return a benchmark's figure as tables show it: in its words, its digits or a few signs."""
    if of.words and value == value:
        return of.words[round(value)]
    return f"{value:,.{of.digits}f}" if isinstance(of, Column) else format_short(value)


def format_faults(kinds: Mapping[str, int]) -> str:
    """Return how many episodes ended by an agent's fault, by the ending.

    Example:
        >>> format_faults({"crashed": 2, "disqualified": 1}), format_faults({})
        ('2 crashed, 1 disqualified', '0')
    """
    return ", ".join(f"{count} {ending}" for ending, count in kinds.items()) or "0"


def format_count(number: int) -> str:
    """Return a number of things, millions in short.

    Example:
        >>> format_count(12_345), format_count(4_425_670)
        ('12,345', '4.43M')
    """
    return f"{number:,}" if number < MILLION else f"{number / MILLION:.2f}M"


def format_short(value: float) -> str:
    """Return a number in about four signs.

    Example:
        >>> format_short(0.8), format_short(12.34), format_short(1234.5)
        ('0.80', '12.3', '1,234')
    """
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def time_heading(benchmark: Benchmark) -> str:
    """Return what the column of times is called in standings: its unit."""
    return "seconds" if benchmark.times_in_seconds else "ms/step"


def format_time(benchmark: Benchmark, summary: Summary) -> str:
    """Return an agent's time in the unit of :func:`time_heading`."""
    if benchmark.times_in_seconds:
        return format_short(summary.seconds)
    return f"{MS * summary.seconds / summary.steps:.3f}" if summary.steps else UNKNOWN
