"""The level document: JSON with a version, checked field by field, and the ``;ludus`` line."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from ludus.errors import LevelError, OptionError
from ludus.games.platformer.levels.level import Creature, Level, Option, Recipe, Reference
from ludus.games.platformer.physics import Physics

__all__ = [
    "check_characters",
    "json_schema",
    "read_document",
    "read_settings",
    "write_document",
    "write_settings",
]

FORMAT = "ludus-level"
VERSION = 1

_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)
_UNWRITABLE = ("Cc", "Cs")  # control characters and halves of characters


class _Record(BaseModel):
    model_config = _STRICT


_PHYSICS: dict[str, Any] = {
    name: (kind, getattr(Physics(), name)) for name, kind in get_type_hints(Physics).items()
}
_PhysicsRecord = create_model("PhysicsRecord", __config__=_STRICT, **_PHYSICS)


class _RecipeRecord(_Record):
    generator: str
    version: int
    options: dict[str, Option]


class _ReferenceRecord(_Record):
    format: str
    height: int = Field(ge=1)
    map: str = Field(pattern=r"^([0-9a-f]{2})*$")
    exit: list[int] = Field(min_length=2, max_length=2)
    creatures: list[list[int | bool]]
    data: list[list[int]] = []
    counts: dict[str, int] = {}
    type: int = 0
    difficulty: int = 0


class _Settings(_Record):
    rules: str = "framework"
    physics: _PhysicsRecord | None = None  # type: ignore[valid-type]  # made above
    time_limit: int = Field(default=0, ge=0)
    labels: list[str] = []
    recipe: _RecipeRecord | None = None


class _Document(_Settings):
    format: Literal["ludus-level"]
    version: Literal[1]
    rows: list[str] = Field(min_length=1)
    reference: _ReferenceRecord | None = None


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of a level document."""
    return _Document.model_json_schema()


def check_characters(rows: Sequence[str]) -> None:
    """Refuse characters that a text file cannot hold or show.

    Raises:
        LevelError: There is a control character; the end of a row may be CR.
    """
    for number, row in enumerate(rows):
        cells = row.removesuffix("\r")
        if cells.isprintable():
            continue
        for column, character in enumerate(cells):
            if unicodedata.category(character) in _UNWRITABLE:
                raise LevelError(
                    f"row {number} has {character!r} at column {column}: "
                    "no level has control characters",
                    number,
                    column,
                    character,
                )


def write_document(level: Level) -> str:
    """Return a level as a JSON document, each row on a line of its own."""
    rows = level.text.split("\n")
    check_characters(rows)
    head = {"format": FORMAT, "version": VERSION, **_settings_to_json(level)}
    if level.reference is not None:
        head["reference"] = _reference_to_json(level.reference)
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    cells = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    return "\n".join(["{", *lines, f'  "rows": [\n{cells}\n  ]', "}"]) + "\n"


def read_document(text: str) -> Level:
    """Return the level of a JSON document.

    Raises:
        LevelError: The text is no such document; the message holds the path of the first fault.
    """
    document = _validate(_Document, text)
    for number, row in enumerate(document.rows):
        if not row or "\n" in row or row.endswith("\r"):
            raise LevelError(f"$.rows[{number}]: {row!r:.40} is no row of a level", number, 0, "")
    reference = document.reference
    try:
        return _build_level("\n".join(document.rows), document, _reference(reference))
    except LevelError as error:
        position = "$.rows" if error.row is None else f"$.rows[{error.row}]"
        message = str(error) if str(error).startswith("$") else f"{position}: {error}"
        raise LevelError(message, error.row, error.column, error.character) from None


def write_settings(level: Level) -> str:
    """Return the settings that a level's text does not hold, as one line of JSON."""
    return json.dumps(_settings_to_json(level))


def read_settings(line: str, text: str) -> Level:
    """Return the level of a text and the line that :func:`write_settings` made.

    Raises:
        LevelError: One of the two is not right.
    """
    try:
        settings = _validate(_Settings, line)
    except LevelError as error:
        raise LevelError(f"the ;ludus line: {error}") from None
    return _build_level(text, settings, None)


def _build_level(text: str, settings: _Settings, reference: Reference | None) -> Level:
    check_characters(text.split("\n"))
    try:
        level = Level.parse(
            text,
            rules=settings.rules,
            physics=_physics(settings),
            time_limit=settings.time_limit,
            labels=settings.labels,
        )
    except OptionError as error:  # the time limit is right: these are the rules
        raise LevelError(f"$.rules: {error}") from None
    if reference is not None:
        level = _add_reference(level, reference)
    recipe = settings.recipe
    if recipe is None:
        return level
    return level.with_recipe(Recipe(recipe.generator, recipe.version, recipe.options))


def _add_reference(level: Level, reference: Reference) -> Level:
    if len(reference.map) != level.width * level.height or reference.height != level.height:
        raise LevelError(
            f"$.reference.map: {len(reference.map)} bytes in rows of {reference.height} are "
            f"not the level's {level.width} × {level.height}"
        )
    return Level(
        tuple(level.text.split("\n")),
        rules=level.rules,
        physics=level.physics,
        time_limit=level.time_limit,
        labels=level.labels,
        reference=reference,
    )


def _physics(settings: _Settings) -> Physics | None:
    if settings.physics is None:
        return None
    try:
        return Physics(**settings.physics.model_dump())
    except OptionError as error:
        raise LevelError(f"$.physics: {error}") from None


def _reference(record: _ReferenceRecord | None) -> Reference | None:
    if record is None:
        return None
    for number, creature in enumerate(record.creatures):
        if [type(part) for part in creature] != [int, int, int, bool]:
            raise LevelError(
                f"$.reference.creatures[{number}]: {creature} is not [column, row, kind, winged]"
            )
    for number, data in enumerate(record.data):
        if len(data) != 3:
            raise LevelError(f"$.reference.data[{number}]: {data} is not [column, row, value]")
    column, row = record.exit
    return Reference(
        format=record.format,
        height=record.height,
        map=bytes.fromhex(record.map),
        exit=(column, row),
        creatures=tuple(Creature(x, y, kind, bool(w)) for x, y, kind, w in record.creatures),
        data=tuple((x, y, value) for x, y, value in record.data),
        counts=record.counts,
        type=record.type,
        difficulty=record.difficulty,
    )


def _settings_to_json(level: Level) -> dict[str, Any]:
    """Return the settings of a level that are not at their defaults, as plain values."""
    settings: dict[str, Any] = {}
    if level.rules != "framework":
        settings["rules"] = level.rules
    if level.physics is not None:
        settings["physics"] = {
            part.name: getattr(level.physics, part.name)
            for part in fields(Physics)
            if getattr(level.physics, part.name) != part.default
        }
    if level.time_limit:
        settings["time_limit"] = level.time_limit
    if level.labels:
        settings["labels"] = sorted(level.labels)
    if level.recipe is not None:
        settings["recipe"] = asdict(level.recipe)
    return settings


def _reference_to_json(reference: Reference) -> dict[str, Any]:
    values = {part.name: getattr(reference, part.name) for part in fields(Reference)}
    return {**values, "map": reference.map.hex(), "counts": dict(reference.counts)}


def _validate(kind: type[Any], text: str) -> Any:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise LevelError(_complaint(error.errors()[0])) from None


def _complaint(error: Mapping[str, Any]) -> str:
    """Return the path of a fault, what is there, and what should be."""
    if error["type"] == "json_invalid":
        return f"no JSON: {error['ctx']['error']}"
    path = "$" + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]
    )
    if path == "$.version":
        return f"$.version: {error['input']!r:.40} is not {VERSION}, which this Ludus reads"
    if error["type"] == "missing":
        return f"{path}: is missing"
    if error["type"] == "extra_forbidden":
        return f"{path}: no level has this"
    wish = error["msg"].removeprefix("Input should be ")
    return f"{path}: {error['input']!r:.40} should be {wish[0].lower()}{wish[1:]}"
