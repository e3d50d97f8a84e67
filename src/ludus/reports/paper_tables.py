"""The tables of Karakovskiy and Togelius (2012) with the players of Ludus beside the published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ludus.benchmarks import Benchmark
from ludus.benchmarks.mario_ai.published import PaperTable
from ludus.reports.tables import TableView
from ludus.runs import Summary

__all__ = ["TableRow", "merge_rows", "paper_view"]

PAPER, LUDUS = "paper", "Ludus"


class TableRow(NamedTuple):
    """A row of such a table.

    Attributes:
        player: Who: a competitor, or an agent of Ludus.
        approach: How it plays.
        source: ``paper`` or ``Ludus``.
        score: What it is ranked by; None if it has none.
        figures: The further columns by name.
    """

    player: str
    approach: str
    source: str
    score: float | None
    figures: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return {**self._asdict(), "figures": dict(self.figures)}


def merge_rows(
    table: PaperTable, benchmark: Benchmark, summaries: Sequence[Summary]
) -> list[TableRow]:
    """Return the rows of both, the highest score first.

    Args:
        table: What was published.
        benchmark: The track that the players of Ludus have played.
        summaries: What they came to.
    """
    published = [
        TableRow(
            row.competitor,
            row.approach,
            PAPER,
            row.score,
            dict(zip(table.columns, row.figures, strict=False)),
        )
        for row in table.rows
    ]
    approaches = {spec.replace("#", "-"): approach for spec, approach in table.agents.items()}
    own = [
        TableRow(
            summary.agent,
            approaches.get(summary.agent, ""),
            LUDUS,
            summary.headline.value,
            {name: _figure(name, benchmark, summary) for name in table.columns},
        )
        for summary in summaries
    ]
    return sorted([*published, *own], key=lambda row: -1.0 if row.score is None else -row.score)


def _figure(name: str, benchmark: Benchmark, summary: Summary) -> float:
    """Return an agent's value of a column of the paper."""
    if name == "disqualified":
        return summary.faults
    if name == "ms/step":
        return 1000 * summary.seconds / max(summary.steps, 1)
    ties = zip((tie.name for tie in benchmark.tie_breakers), summary.ties, strict=True)
    columns = zip((column.name for column in benchmark.columns), summary.columns, strict=True)
    return {**dict(ties), **dict(columns)}[name]


def paper_view(table: PaperTable, rows: Sequence[TableRow], note: str = "") -> TableView:
    """Return the table for a terminal or a page.

    Args:
        table: What was published.
        rows: The rows of both.
        note: A further sentence on those of Ludus.
    """
    return TableView(
        title=f"Table {table.number}: {table.title}",
        headings=["player", "approach", "source", "score", *table.columns],
        rows=[
            [
                row.player,
                row.approach,
                row.source,
                "–" if row.score is None else f"{row.score:,.1f}",
                *(_format(name, row.figures.get(name)) for name in table.columns),
            ]
            for row in rows
        ],
        left=(0, 1, 2),
        fold=(0, 1),
        notes=[table.note, *([note] if note else [])],
    )


def _format(name: str, value: float | None) -> str:
    if value is None:
        return "?"
    return f"{value:.4g}" if name == "ms/step" else f"{value:,.0f}"
