"""What commands share: tables that fit, progress on stderr, files checked before the work."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from ludus.errors import OptionError
from ludus.escaping import escape_terminal, escape_text
from ludus.reports.tables import (
    LARGE,
    TableView,
    large_lines,
    terminal_width,
    to_rich,
    wrap_note,
)

__all__ = [
    "PlainLines",
    "check_folder",
    "check_target",
    "print_files",
    "print_json",
    "print_table",
    "print_view",
    "progress",
    "say",
    "show_table",
]


SECONDS_A_LINE = 10.0
"""Between two plain lines, where there is no terminal."""


class PlainLines:
    """Plain lines on stderr, one every few seconds; short work prints none."""

    def __init__(self) -> None:
        self._last = monotonic()

    @property
    def due(self) -> bool:
        """Whether it is time for another line."""
        return monotonic() - self._last >= SECONDS_A_LINE

    def print(self, line: str) -> None:
        """Print a line."""
        self._last = monotonic()
        say(line, err=True)


class Advance(Protocol):
    """Moves a progress bar by one and says what is being worked on."""

    def __call__(self, now: str = "") -> None:
        """Move the bar by one."""


@contextmanager
def progress(work: str, total: int | None) -> Iterator[Advance]:
    """Show a progress bar on stderr; where there is no terminal, a plain line now and then.

    Args:
        work: What is being done, in one word.
        total: How many steps it takes, if that is known.
    """
    console, lines = Console(stderr=True), PlainLines()
    done = 0
    with Progress(
        TextColumn(work),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as bar:
        task = bar.add_task("", total=total)

        def advance(now: str = "") -> None:
            nonlocal done
            done += 1
            bar.update(task, advance=1, description=escape_text(now))
            if not console.is_terminal and lines.due:
                lines.print(f"{work}: {done:,}" + (f" of {total:,}" if total else ""))

        yield advance


def say(text: object = "", *, err: bool = False) -> None:
    """Print words for people; nothing in them can move the cursor or change a colour."""
    typer.echo(escape_terminal(str(text)), err=err)


def print_table(table: Table) -> None:
    """Print a table, no wider than there is room."""
    Console(highlight=False, width=terminal_width()).print(table)


def print_view(view: TableView) -> None:
    """Print a table, no wider than there is room, and its notes."""
    if len(view.rows) > LARGE:
        if view.title:
            typer.secho(escape_text(view.title), bold=True)
        typer.echo("\n".join(large_lines(view)))
    else:
        print_table(to_rich(view))
    for note in view.notes:
        say(wrap_note(note) if sys.stdout.isatty() else note)


def show_table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: Sequence[int] = (),
    fold: Sequence[int] = (),
    keep: int | None = None,
    caption: str = "",
) -> None:
    """Print a table; the arguments are those of :class:`~ludus.reports.tables.TableView`."""
    print_view(TableView(title, headings, rows, left, fold, keep, caption))


def print_files(files: Sequence[Path], *, json: bool, **values: Any) -> None:
    """Print the files that were written, a line each, or as JSON with further values."""
    if json:
        print_json({**values, "files": [str(file) for file in files]})
        return
    for file in files:
        say(file)


def print_json(value: Any) -> None:
    """Print plain data as JSON."""
    typer.echo(json.dumps(value, indent=2))


def check_target(out: Path, endings: Sequence[str], option: str = "--out") -> None:
    """Refuse a file's place before anything has been made for it.

    Args:
        out: Where the file is to go.
        endings: How its name may end.
        option: The option that names it.

    Raises:
        OptionError: The name ends otherwise, is a directory's, or its directory does not exist.
    """
    if out.suffix.lower() not in endings:
        hint = f"{option} {out.parent / (out.stem or 'out')}{endings[0]}"
        raise OptionError(f"{str(out)!r} does not end in {', '.join(endings)}; try {hint}")
    if out.is_dir():
        raise OptionError(f"{str(out)!r} is a directory; name a file in it with {option}")
    if not out.absolute().parent.is_dir():
        raise OptionError(f"there is no directory {str(out.parent)!r}; make it, or choose another")


def check_folder(out: Path) -> None:
    """Refuse a folder that is a file, before anything has been made for it.

    Raises:
        OptionError: It is.
    """
    if out.exists() and not out.is_dir():
        raise OptionError(f"{str(out)!r} is a file; name a directory with --out")
