"""What commands share: tables that fit, progress on stderr, files checked before the work."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
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

__all__ = ["check_target", "print_json", "print_table", "progress", "width"]

WIDTH = 80


class Advance(Protocol):
    """Moves a progress bar by one and says what is being worked on."""

    def __call__(self, now: str = "") -> None:
        """Move the bar by one."""


@contextmanager
def progress(work: str, total: int) -> Iterator[Advance]:
    """Show a progress bar on stderr, which only a terminal gets to see.

    Args:
        work: What is being done, in one word.
        total: How many steps it takes.
    """
    console = Console(stderr=True)
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
            bar.update(task, advance=1, description=now)

        yield advance


def width() -> int:
    """Return how wide tables may be: the terminal, or as COLUMNS says, or 80 columns."""
    console = Console()
    return console.width if console.is_terminal or "COLUMNS" in os.environ else WIDTH


def print_table(table: Table) -> None:
    """Print a table, no wider than there is room."""
    Console(highlight=False, width=width()).print(table)


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
