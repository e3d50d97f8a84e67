"""Tables that fit: what a table says, and how a terminal shows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

__all__ = ["Bar", "TableView", "render_text", "terminal_width", "to_rich"]

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Bar:
    """A value that a notebook draws as a bar, with its interval.

    Attributes:
        value: The value.
        low: Where the interval begins; nan if there is none.
        high: Where it ends.
    """

    value: float
    low: float = float("nan")
    high: float = float("nan")


@dataclass(frozen=True, slots=True)
class TableView:
    """What a table says, wherever it is shown.

    Attributes:
        title: What stands above it.
        headings: The columns.
        rows: As many words each as there are columns.
        left: The columns that are set to the left; others are to the right.
        fold: The columns whose words may go over several lines.
        keep: How many columns a narrow terminal keeps; all if None.
        caption: What stands below.
        notes: Sentences that follow the table, a line each.
        bars: One for each row, drawn in ``bar_column``; none if empty.
        bar_column: The column that holds the bars.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = ()
    fold: Sequence[int] = ()
    keep: int | None = None
    caption: str = ""
    notes: Sequence[str] = ()
    bars: Sequence[Bar] = ()
    bar_column: int = 0

    def narrow(self, count: int) -> TableView:
        """Return the table with its first columns alone."""
        return replace(
            self, headings=self.headings[:count], rows=[row[:count] for row in self.rows]
        )


def terminal_width() -> int:
    """Return how wide tables may be: the terminal, or as COLUMNS says, or 80 columns."""
    console = Console()
    return console.width if console.is_terminal or "COLUMNS" in os.environ else WIDTH


def render_text(view: TableView) -> str:
    """Return a table and its notes as plain text, no wider than there is room."""
    parts = [view.title] if view.title else []
    if view.rows:
        parts.append(_render(to_rich(replace(view, title=""))))
    if view.notes:
        parts += ["", *view.notes] if view.rows else view.notes
    return "\n".join(parts)


def _render(table: Table) -> str:
    console = Console(width=terminal_width(), highlight=False, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def to_rich(view: TableView) -> Table:
    """Return a table for a terminal; columns after the first ``keep`` go if there is no room."""
    endless, room = Console(width=sys.maxsize), terminal_width()
    table, count = _make_table(view), len(view.headings)
    while view.keep and count > view.keep and endless.measure(table).maximum > room:
        count -= 1
        table = _make_table(view.narrow(count))
    return table


def _make_table(view: TableView) -> Table:
    table = Table(
        title=escape(view.title) or None,
        title_justify="left",
        title_style="bold",
        caption=escape(view.caption) or None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for number, heading in enumerate(view.headings):
        table.add_column(
            escape(heading),
            justify="left" if number in view.left else "right",
            overflow="fold" if number in view.fold else "ellipsis",
            no_wrap=number not in view.fold,
        )
    for row in view.rows:
        table.add_row(*map(escape, row))
    return table
