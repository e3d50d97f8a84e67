"""Levels as the 2009 competition and the 2010 benchmark hold them: maps of bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludus.errors import LevelError, one_line
from ludus.games.platformer._native import MAX_HEIGHT, MAX_WIDTH

__all__ = ["FORMATS", "Creature", "Reference", "join_rows"]

FORMATS = ("2009", "2010")
"""The formats, which are also the names of the rules that play them."""


class Creature(NamedTuple):
    """Where a level makes a creature, and of which kind: a number of the level's own format."""

    column: int
    row: int
    kind: int
    winged: bool


WINGED_2010 = frozenset({95, 96, 97, 98, 99})


@dataclass(frozen=True, slots=True)
class Reference:
    """A level as the 2009 competition or the 2010 benchmark holds it, byte for byte.

    Attributes:
        format: ``2009`` or ``2010``: whose numbers these are.
        height: Rows.
        map: A byte for each cell, column by column, from the top down.
        exit: Column and row of the exit.
        creatures: By column, then row. Kinds of 2009: 0 red koopa, 1 green koopa, 2 goomba,
            3 spiky, 4 piranha. Of 2010: 80 goomba, 81 green koopa, 82 red koopa, 93 spiky, with
            wings 95, 96, 97, 99, 98 wave goomba, 91 piranha, 49 the princess at the exit.
        data: Column, row and value of the block data that are not zero; -n: n more coins.
        counts: What the 2010 generator counted while it built.
        type: 0 overground, 1 underground, 2 castle.
        difficulty: The generator's; -1 for levels that no generator made.
    """

    format: str
    height: int
    map: bytes
    exit: tuple[int, int]
    creatures: tuple[Creature, ...]
    data: tuple[tuple[int, int, int], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict, hash=False)
    type: int = 0
    difficulty: int = 0

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.map) // self.height

    def rows(self) -> list[str]:
        """Return each row's map bytes as hexadecimal digits."""
        return [self.map[row :: self.height].hex() for row in range(self.height)]

    def to_record(self) -> dict[str, Any]:
        """Return the level as plain values, which :meth:`from_record` reads."""
        sprites = [[c.column, c.row, c.kind] for c in self.creatures]
        if self.format == "2009":
            sprites = [[*c[:3], int(c.winged)] for c in self.creatures]
        return {
            "gen": _GENERATORS[self.format],
            "width": self.width,
            "height": self.height,
            "exit": list(self.exit),
            "rows": self.rows(),
            "data": [list(block) for block in self.data],
            "sprites": sprites,
            "type": self.type,
            "difficulty": self.difficulty,
            "counters": {_camel_case(name): count for name, count in self.counts.items()},
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Reference:
        """Read an object of a file of levels, as ``Level.from_record`` describes it.

        Raises:
            LevelError: The object is no such level.
        """
        from ludus.games.platformer.levels.reference_record import read_record  # slow to import

        fields = read_record(record)
        number_format = "2010" if fields.gen.startswith(_GENERATORS["2010"]) else "2009"
        if len(fields.rows) != fields.height:
            raise LevelError(f"{len(fields.rows)} rows were given: give {fields.height}")
        return cls(
            format=number_format,
            height=fields.height,
            map=join_rows(fields.rows, fields.width),
            exit=fields.exit,
            creatures=tuple(
                sorted(_creature(number_format, *numbers) for numbers in fields.sprites)
            ),
            data=tuple(sorted(fields.data)),
            counts={_snake_case(name): count for name, count in fields.counters.items()},
            type=fields.type,
            difficulty=fields.difficulty,
        )


_GENERATORS = {"2009": "2009", "2010": "marioai4j"}


def join_rows(rows: Sequence[str], width: int) -> bytes:
    """Return the map bytes of rows of hexadecimal digits, column by column.

    Raises:
        LevelError: A row is not of that many bytes; the error holds its number.
    """
    if not 1 <= len(rows) <= MAX_HEIGHT or not 1 <= width <= MAX_WIDTH:
        raise LevelError(
            f"a map of {width} x {len(rows)} bytes is out of range: give 1 to {MAX_WIDTH} columns "
            f"and 1 to {MAX_HEIGHT} rows"
        )
    for number, row in enumerate(rows):
        if len(row) != 2 * width or not re.fullmatch("[0-9A-Fa-f]*", row):
            raise LevelError(
                f"row {number} is {one_line(row)[:40]!r}: give {2 * width} hexadecimal digits",
                number,
                0,
                row[:1],
            )
    return b"".join(map(bytes, zip(*map(bytes.fromhex, rows), strict=True)))


def _creature(number_format: str, column: int, row: int, kind: int, winged: int = 0) -> Creature:
    has_wings = kind in WINGED_2010 if number_format == "2010" else bool(winged)
    return Creature(column, row, kind, has_wings)


def _snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def _camel_case(name: str) -> str:
    return re.sub("_([a-z])", lambda match: match[1].upper(), name)
