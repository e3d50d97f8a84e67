"""Tables that fit: what a table says, and how a terminal shows it."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table

from ludus.escaping import escape_rich, escape_text

__all__ = [
    "LARGE",
    "Bar",
    "TableView",
    "large_lines",
    "render_text",
    "terminal_width",
    "to_rich",
    "wrap_note",
]

WIDTH = 80
GAP = 2
NARROWEST = 8
SHOWN_END = "…"
NAMED = 5
"""So many of the columns for which there is no room are named."""

LARGE = 200
"""A table of more rows is set line by line, its long words cut: rich takes 5 ms for a row."""


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
        legend: A sentence for a column, which stands below as well where the column is shown.
        notes: Sentences that follow the table, a line each.
        bars: One for each row, drawn in ``bar_column``; none if empty.
        bar_column: The column that holds the bars.
        left_out: The columns that there was no room for, which the footer names.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = ()
    fold: Sequence[int] = ()
    keep: int | None = None
    caption: str = ""
    legend: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    bars: Sequence[Bar] = ()
    bar_column: int = 0
    left_out: Sequence[str] = ()

    @property
    def footer(self) -> str:
        """The caption, the legend of the columns that are shown, and the names of the others."""
        legend = [text for name, text in self.legend.items() if name in self.headings]
        return " ".join(filter(None, [self.caption, *legend, _name_others(self.left_out)]))

    def narrow(self, count: int) -> TableView:
        """Return the table with its first columns alone."""
        return replace(
            self,
            headings=self.headings[:count],
            rows=[row[:count] for row in self.rows],
            left_out=self.headings[count:],
        )


def _name_others(columns: Sequence[str]) -> str:
    """Return which columns a wider terminal shows, the first of them by name."""
    if not columns:
        return ""
    further = len(columns) - NAMED
    more = f" and {further} more" if further > 0 else ""
    return f"A wider terminal shows {', '.join(columns[:NAMED])}{more}."


def terminal_width() -> int:
    """Return how wide tables may be: the terminal, or as COLUMNS says, or 80 columns."""
    console = Console()
    return console.width if console.is_terminal or "COLUMNS" in os.environ else WIDTH


def render_text(view: TableView) -> str:
    """Return a table and its notes as plain text, no wider than there is room."""
    parts = [escape_text(view.title)] if view.title else []
    if len(view.rows) > LARGE:
        parts += large_lines(view)
    elif view.rows:
        parts.append(_render(to_rich(replace(view, title=""))))
    notes = [wrap_note(escape_text(note)) for note in view.notes]
    if notes:
        parts += ["", *notes] if view.rows else notes
    return "\n".join(parts)


def wrap_note(note: str) -> str:
    """Return a note in lines that fit; a long word, such as a path, stays whole."""
    return textwrap.fill(note, terminal_width(), break_long_words=False, break_on_hyphens=False)


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
    if endless.measure(table).maximum > room:
        return _make_table(view.narrow(count), padding=0)
    return table


def _make_table(view: TableView, padding: int = 1) -> Table:
    table = Table(
        title=escape_rich(view.title) or None,
        title_justify="left",
        title_style="bold",
        caption=escape_rich(view.footer) or None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, padding, 0, 0),
    )
    for number, heading in enumerate(view.headings):
        table.add_column(
            escape_rich(heading),
            justify="left" if number in view.left else "right",
            overflow="fold" if number in view.fold else "ellipsis",
            no_wrap=number not in view.fold,
        )
    for row in view.rows:
        table.add_row(*map(escape_rich, row))
    return table


def large_lines(view: TableView) -> Iterator[str]:
    """Yield the lines of a large table: its headings, a rule, its rows and its caption.

    Columns after the first ``keep`` go if there is no room, then words are cut.
    """
    rows = [list(map(escape_text, row)) for row in view.rows]
    widths = [cell_len(heading) for heading in view.headings]
    for row in rows:
        widths = [max(width, cell_len(word)) for width, word in zip(widths, row, strict=True)]
    room, count = terminal_width(), len(widths)
    while view.keep and count > view.keep and _total(widths[:count]) > room:
        count -= 1
    widths = _cut_widest(widths[:count], room)
    yield _set_line(view.headings, widths, view.left)
    yield "─" * _total(widths)
    for row in rows:
        yield _set_line(row, widths, view.left)
    if footer := view.narrow(count).footer:
        yield escape_text(footer)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _cut_widest(widths: list[int], room: int) -> list[int]:
    """Return the widths with the widest column as narrow as the room asks for, if it can be."""
    excess = _total(widths) - room
    if excess <= 0 or not widths:
        return widths
    widest = max(range(len(widths)), key=widths.__getitem__)
    least = max(NARROWEST, widths[widest] - excess)
    return [min(width, least) if k == widest else width for k, width in enumerate(widths)]


def _set_line(words: Sequence[str], widths: Sequence[int], left: Sequence[int]) -> str:
    cells = []
    for number, (word, width) in enumerate(zip(words, widths, strict=False)):
        size = cell_len(word)
        if size > width:
            word, size = set_cell_size(word, width - 1) + SHOWN_END, width
        spaces = " " * (width - size)
        cells.append(word + spaces if number in left else spaces + word)
    return (" " * GAP).join(cells).rstrip()
