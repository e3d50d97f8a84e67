"""Levels: rows of characters, parsed once and shared by all worlds that play them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import LevelError, OptionError, one_line
from ludus.games.platformer._native import MAX_HEIGHT, MAX_WIDTH, Grid, map_text
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.levels.reference import FORMATS, Creature, Reference
from ludus.games.platformer.options_2010 import Options2010
from ludus.games.platformer.physics import Physics
from ludus.games.platformer.records import Platform
from ludus.json_files import NotJson, parse_json

__all__ = ["Creature", "Level", "Option", "Recipe", "Reference"]

Option = bool | int | float | str | None
"""The value of a generator's option."""

_WINGED = frozenset(
    {Kind.GOOMBA_WINGED, Kind.RED_KOOPA_WINGED, Kind.GREEN_KOOPA_WINGED, Kind.SPIKY_WINGED}
)


LONGEST_RULES = 40
"""No rule set has a longer name."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a level was generated; ``generators.generate_from`` makes the same level again.

    Attributes:
        generator: The generator's name.
        version: The version of the generator: another one may give another level.
        options: Every option with its value, the seed among them.

    Example:
        >>> recipe = Recipe("notch-2009", 1, {"seed": 3})
        >>> Recipe.from_json(recipe.to_json()) == recipe
        True
    """

    generator: str
    version: int
    options: Mapping[str, Option]

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", dict(self.options))

    def to_json(self) -> str:
        """Return the recipe as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        """Read a recipe that :meth:`to_json` wrote.

        Raises:
            LevelError: The text is none.
        """
        try:
            return cls(**parse_json(text))
        except (NotJson, TypeError, ValueError) as error:
            raise LevelError(f"this is no recipe of a level: {one_line(error)}") from None

    def __hash__(self) -> int:
        return hash((self.generator, self.version, frozenset(self.options.items())))


class Level:
    r"""A level, made from text by :meth:`parse`, with its rules, physics, clock and labels.

    Two levels are equal if their texts and settings are equal.

    Attributes:
        text: The rows joined by line feeds, without a trailing one.
        width: Columns.
        height: Rows.
        rules: The rule set that it was read for: ``framework``, ``ludus``, ``2009`` or ``2010``.
        physics: The physics a world of it has unless told otherwise; None for the reference's.
        time_limit: The clock seconds a world of it has unless told otherwise; 0 for no limit.
        options: The options of the benchmark of 2010 that a world of it has unless told otherwise.
        labels: Words about it, such as ``impossible``.
        recipe: How it was generated, or None; no part of what makes levels equal.
        reference: The level as the benchmark of 2009 or 2010 holds it, or None; ``text`` is then
            the text that comes closest.

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
        options: str | None = None,
        labels: frozenset[str] = frozenset(),
        recipe: Recipe | None = None,
        reference: Reference | None = None,
    ) -> None:
        self.text = "\n".join(rows)
        self.width = len(rows[0])
        self.height = len(rows)
        self.rules = rules
        self.physics = physics
        self.time_limit = time_limit
        self.options = options
        self.labels = labels
        self.recipe = recipe
        self.reference = reference
        if not rules.isascii() or len(rules) > LONGEST_RULES:
            raise OptionError(f"no rules {rules[:LONGEST_RULES]!a}")
        self._grid = self._read(rows)

    def _read(self, rows: tuple[str, ...]) -> Grid:
        if self.map is not None:
            return Grid(self.map, self.rules)
        return Grid(_cells(rows), self.width, self.height, self.rules)

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

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Level:
        """Read a level of the 2009 competition or the 2010 benchmark from an object of a file.

        The object has ``gen``, ``width``, ``height``, ``exit``, ``type``, ``difficulty``, ``rows``
        of hexadecimal map bytes and ``sprites``; of 2010 also ``data`` and ``counters``. Other
        keys mean nothing here.

        Raises:
            LevelError: The object is no such level.
        """
        return cls.from_reference(Reference.from_record(record))

    @classmethod
    def from_reference(
        cls,
        reference: Reference,
        *,
        physics: Physics | None = None,
        time_limit: int = 0,
        labels: Iterable[str] = (),
    ) -> Level:
        """Return the level that has this map, for the rules of its format.

        Raises:
            LevelError: The map is no level.
        """
        if reference.format not in FORMATS:
            raise LevelError(f"no format {reference.format!r:.40} of maps: try {FORMATS}")
        rows = tuple(map_text(reference, reference.format).split("\n"))
        return cls(
            rows,
            rules=reference.format,
            physics=physics,
            time_limit=time_limit,
            labels=frozenset(labels),
            reference=reference,
        )

    @property
    def map(self) -> Reference | None:
        """The reference, if the level's rules are those of its format and so play its bytes."""
        reference = self.reference
        return reference if reference is not None and reference.format == self.rules else None

    def for_rules(self, rules: str) -> Level:
        r"""Return the level for other rules: of its reference if that fits, or else of its text.

        Raises:
            OptionError: There are no such rules.

        Example:
            >>> Level.parse("M--F\nXXXX").for_rules("2009").tiles[0, 1]
            np.uint8(129)
        """
        if rules == self.rules:
            return self
        changes = {"rules": rules, "options": self.options if rules == "2010" else None}
        return Level(tuple(self.text.split("\n")), **{**self._settings, **changes})

    @property
    def tile_level(self) -> Level:
        """The level with tile codes: itself, or what its text is for ``framework``."""
        return self.for_rules("framework") if self.rules in FORMATS else self

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
        """The tile codes at the start, or the map bytes, width x height, read-only."""
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
    def creatures(self) -> list[Creature]:
        """Every creature: those of the reference, or else of the text, with ``codes.Kind``."""
        if self.reference is not None:
            return list(self.reference.creatures)
        return [Creature(x, y, kind, kind in _WINGED) for x, y, kind in self.templates]

    def reference_rows(self) -> list[str]:
        """Return the rows: of the reference, in hexadecimal digits, or else of the text."""
        return self.text.split("\n") if self.reference is None else self.reference.rows()

    def with_recipe(self, recipe: Recipe | None) -> Level:
        """Return this level, with a recipe that made it, or without one."""
        level = object.__new__(type(self))
        level.__dict__.update(self.__dict__, recipe=recipe)
        return level

    def with_options(self, options: str | None) -> Level:
        """Return this level with the options of the benchmark of 2010 that its worlds have.

        Raises:
            OptionError: The text holds no such options, or the level is for other rules.
        """
        if options is not None and self.rules != "2010":
            raise OptionError(f"options are those of the rules '2010', not of {self.rules!r}")
        if options is not None:
            Options2010.parse(options)
        level = object.__new__(type(self))
        level.__dict__.update(self.__dict__, options=options)
        return level

    @property
    def _settings(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "physics": self.physics,
            "time_limit": self.time_limit,
            "options": self.options,
            "labels": self.labels,
            "reference": self.reference,
        }

    @property
    def _identity(self) -> tuple[object, ...]:
        return self.text, *self._settings.values()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and other._identity == self._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __copy__(self) -> Level:
        return self

    def __deepcopy__(self, memo: object) -> Level:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.text, {**self._settings, "recipe": self.recipe})

    def __repr__(self) -> str:
        return f"<Level {self.width} x {self.height}, {len(self.templates)} creatures>"


def _rebuild(text: str, settings: dict[str, Any]) -> Level:
    return Level(tuple(text.split("\n")), **settings)


def _cells(rows: tuple[str, ...]) -> bytes:
    cells = "".join(rows)
    if not cells.isascii():
        cells = "".join(c if c.isascii() else "-" for c in cells)
    return cells.encode("ascii")


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
