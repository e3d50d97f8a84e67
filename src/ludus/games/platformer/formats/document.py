"""The level document: JSON with a version, checked field by field, and the ``;ludus`` line."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from ludus.errors import LevelError, OptionError
from ludus.games.platformer.levels.level import Creature, Level, Option, Recipe, Reference
from ludus.games.platformer.levels.reference import join_rows
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


_Number = Annotated[int, Field(ge=-(2**31), lt=2**31)]


class _MapRecord(_Record):
    """What a level of map bytes has beside its rows."""

    format: str
    exit: list[_Number] = Field(min_length=2, max_length=2)
    creatures: list[list[_Number | bool]]
    data: list[list[_Number]] = []
    counts: dict[str, _Number] = {}
    type: _Number = 0
    difficulty: _Number = 0


class _ReferenceRecord(_MapRecord):
    height: int = Field(ge=1)
    map: str = Field(pattern=r"^([0-9a-f]{2})*$")


class _Settings(_Record):
    rules: str = "framework"
    physics: _PhysicsRecord | None = None  # type: ignore[valid-type]  # made above
    time_limit: int = Field(default=0, ge=0)
    options: str | None = None
    labels: list[str] = []
    recipe: _RecipeRecord | None = None


class _TextSettings(_Settings):
    map: _MapRecord | None = None


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
    record = document.reference
    try:
        reference = None
        if record is not None:
            cells = bytes.fromhex(record.map)
            reference = _reference(record, record.height, cells, "$.reference")
        return _build_level("\n".join(document.rows), document, reference)
    except LevelError as error:
        position = "$.rows" if error.row is None else f"$.rows[{error.row}]"
        message = str(error) if str(error).startswith("$") else f"{position}: {error}"
        raise LevelError(message, error.row, error.column, error.character) from None


def write_settings(level: Level) -> str:
    """Return the settings that a level's rows do not hold, as one line of JSON."""
    settings = _settings_to_json(level)
    if level.map is not None:
        values = _reference_to_json(level.map)
        settings["map"] = {name: values[name] for name in _MapRecord.model_fields if values[name]}
        settings["map"].setdefault("creatures", [])
    return json.dumps(settings)


def read_settings(line: str, text: str) -> Level:
    """Return the level of a text and the line that :func:`write_settings` made.

    Raises:
        LevelError: One of the two is not right.
    """
    try:
        settings = _validate(_TextSettings, line)
    except LevelError as error:
        raise LevelError(f"the ;ludus line: {error}") from None
    if settings.map is None:
        return _build_level(text, settings, None)
    reference = _read_map(settings.map, text)
    if settings.rules != reference.format:
        raise LevelError(
            f"the ;ludus line: $.rules: {settings.rules!r:.40} do not play a map of "
            f"{reference.format!r:.40}"
        )
    return _build_level(Level.from_reference(reference).text, settings, reference)


def _read_map(record: _MapRecord, text: str) -> Reference:
    """Return the reference of a text of hexadecimal rows and what the line before it says."""
    rows = [row.removesuffix("\r") for row in text.rstrip("\r\n").split("\n")]
    height, cells = len(rows), join_rows(rows, len(rows[0]) // 2)
    return _reference(record, height, cells, "the ;ludus line: $.map")


def _build_level(text: str, settings: _Settings, reference: Reference | None) -> Level:
    check_characters(text.split("\n"))
    is_map = reference is not None and reference.format == settings.rules
    try:
        level = Level.parse(
            text,
            rules="framework" if is_map else settings.rules,
            physics=_physics(settings),
            time_limit=settings.time_limit,
            labels=settings.labels,
        )
    except OptionError as error:  # the time limit is right: these are the rules
        raise LevelError(f"$.rules: {error}") from None
    if reference is not None:
        level = _add_reference(level, settings.rules, reference)
    try:
        level = level.with_options(settings.options)
    except OptionError as error:
        raise LevelError(f"$.options: {error}") from None
    recipe = settings.recipe
    if recipe is None:
        return level
    return level.with_recipe(Recipe(recipe.generator, recipe.version, recipe.options))


def _add_reference(level: Level, rules: str, reference: Reference) -> Level:
    if len(reference.map) != level.width * level.height or reference.height != level.height:
        raise LevelError(
            f"$.reference.map: {len(reference.map)} bytes in rows of {reference.height} are "
            f"not the level's {level.width} × {level.height}"
        )
    return Level(
        tuple(level.text.split("\n")),
        rules=rules,
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


def _reference(record: _MapRecord, height: int, cells: bytes, path: str) -> Reference:
    for number, creature in enumerate(record.creatures):
        if [type(part) for part in creature] != [int, int, int, bool]:
            raise LevelError(
                f"{path}.creatures[{number}]: {creature} is not [column, row, kind, winged]"
            )
    for number, data in enumerate(record.data):
        if len(data) != 3:
            raise LevelError(f"{path}.data[{number}]: {data} is not [column, row, value]")
    column, row = record.exit
    return Reference(
        format=record.format,
        height=height,
        map=cells,
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
    if level.options is not None:
        settings["options"] = level.options
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
