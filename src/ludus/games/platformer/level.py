"""Levels: a text of rectangular rows, read once and shared by all worlds that play it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludus.errors import LevelError, OptionError
from ludus.games.platformer._native import MAX_HEIGHT, MAX_WIDTH, Grid
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.records import Platform

__all__ = ["Level"]


class Level:
    r"""A level, made from text by :meth:`parse`, and the terms that travel with it.

    Two levels are equal if their texts and terms are.

    Attributes:
        text: The rows joined by line feeds, without a trailing one.
        width: Columns.
        height: Rows.
        rules: The rule set whose characters the text is made of: ``framework`` or ``ludus``.
        physics: The physics a world of it has unless told otherwise; None for the reference's.
        time_limit: The clock seconds a world of it has unless told otherwise; 0 for no limit.
        labels: Words about it, such as ``impossible``.

    Example:
        >>> level = Level.parse("M---F\nXXXXX")
        >>> level.width, level.height, level.start, level.exit
        (5, 2, (0, 0), (4, 0))
    """

    def __init__(
        self,
        rows: tuple[str, ...],
        *,
        rules: str = "framework",
        physics: Physics | None = None,
        time_limit: int = 0,
        labels: frozenset[str] = frozenset(),
    ) -> None:
        self.text = "\n".join(rows)
        self.width = len(rows[0])
        self.height = len(rows)
        self.rules = rules
        self.physics = physics
        self.time_limit = time_limit
        self.labels = labels
        self._grid = Grid(_cells(rows), self.width, self.height, rules)

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        rules: str = "framework",
        physics: Physics | None = None,
        time_limit: int = 0,
        labels: Iterable[str] = (),
    ) -> Level:
        """Read a level from text: rows end with LF or CRLF, empty rows at the end are dropped.

        Characters without a meaning under the level's rules are empty cells.

        Raises:
            LevelError: The text is empty, its rows differ in length, or it is too large.
            OptionError: There are no such rules, or the time limit is negative.
        """
        rows = [row.removesuffix("\r") for row in text.split("\n")]
        while rows and not rows[-1]:
            rows.pop()
        _check_shape(rows)
        if time_limit < 0:
            raise OptionError(f"time limit {time_limit} is negative: give 0 for none")
        return cls(
            tuple(rows),
            rules=rules,
            physics=physics,
            time_limit=time_limit,
            labels=frozenset(labels),
        )

    @property
    def start(self) -> tuple[int, int]:
        """Column and row where Mario starts."""
        return self._grid.start

    @property
    def exit(self) -> tuple[int, int]:
        """Column and row of the exit."""
        return self._grid.exit

    @property
    def total_coins(self) -> int:
        """Coins that lie in the level or wait in its blocks."""
        return self._grid.total_coins

    @cached_property
    def tiles(self) -> NDArray[np.uint8]:
        """The tile codes at the start, width x height, read-only."""
        tiles: NDArray[np.uint8] = self._grid.tiles
        tiles.flags.writeable = False
        return tiles

    @property
    def templates(self) -> list[tuple[int, int, int]]:
        """Column, row and kind of every creature that the level can make."""
        return self._grid.templates

    @property
    def platforms(self) -> list[Platform]:
        """The moving platforms where they start."""
        return self._grid.platforms

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.text, self.rules, self.physics, self.time_limit, self.labels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and other._identity == self._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __copy__(self) -> Level:
        return self

    def __deepcopy__(self, memo: object) -> Level:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, self._identity

    def __repr__(self) -> str:
        return f"<Level {self.width} x {self.height}, {len(self.templates)} creatures>"


def _rebuild(
    text: str, rules: str, physics: Physics | None, time_limit: int, labels: frozenset[str]
) -> Level:
    return Level.parse(text, rules=rules, physics=physics, time_limit=time_limit, labels=labels)


def _cells(rows: tuple[str, ...]) -> bytes:
    return "".join(c if c.isascii() else "-" for c in "".join(rows)).encode("ascii")


def _check_shape(rows: list[str]) -> None:
    if not rows:
        raise LevelError("the level is empty: give at least one row of characters")
    width = len(rows[0])
    if width == 0:
        raise LevelError("row 0 is empty: the first row sets the level's width", 0, 0, "")
    if width > MAX_WIDTH or len(rows) > MAX_HEIGHT:
        raise LevelError(
            f"the level is {width} x {len(rows)}: at most {MAX_WIDTH} columns and "
            f"{MAX_HEIGHT} rows are allowed"
        )
    for number, row in enumerate(rows):
        if len(row) < width:
            raise LevelError(
                f"row {number} ends at column {len(row)} where a character is missing: "
                f"row 0 has {width} columns, so must every row",
                number,
                len(row),
                "",
            )
        if len(row) > width:
            raise LevelError(
                f"row {number} goes on with {row[width]!r} at column {width}: "
                f"row 0 has {width} columns, so must every row",
                number,
                width,
                row[width],
            )
