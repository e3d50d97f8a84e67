"""What can be trained by name: a table for ``ludus agents --game`` and ``ludus train --help``."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.benchmarks import families
from ludus.benchmarks.family import Family, import_attribute
from ludus.cli.output import say, show_table
from ludus.errors import MissingExtra

__all__ = ["list_trainable", "show_trainable", "show_trainable_of"]

Rows = Sequence[Sequence[str]]


def list_trainable(game: str) -> Rows:
    """Return what can be trained for a game by name: name, learner and summary of each."""
    for family in families().values():
        trained_game, _, target = family.trainable.partition("=")
        if trained_game == game:
            try:
                return [list(row) for row in import_attribute(target)()]
            except MissingExtra as error:
                say(str(error), err=True)
    return []


def show_trainable(rows: Rows) -> None:
    """Print what can be trained by name."""
    say("")
    show_table("", ["brain", "learner", "what it is"], rows, left=(0, 1, 2), fold=(2,))


def show_trainable_of(family: Family) -> None:
    """Print what can be trained by name for a family, if it names anything."""
    rows = list_trainable(family.trainable.partition("=")[0]) if family.trainable else []
    if rows:
        show_trainable(rows)
