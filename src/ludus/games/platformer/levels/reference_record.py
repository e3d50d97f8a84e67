"""Checks records of levels of the 2009 competition and the 2010 benchmark, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ludus.errors import LevelError, show_value
from ludus.games.platformer._native import MAX_HEIGHT, MAX_WIDTH

__all__ = ["ReferenceRecord", "read_record"]

_Number = Annotated[int, Field(ge=-(2**31), lt=2**31)]


class ReferenceRecord(BaseModel):
    """An object of a file of levels."""

    model_config = ConfigDict(strict=True)

    gen: str
    width: int = Field(ge=1, le=MAX_WIDTH)
    height: int = Field(ge=1, le=MAX_HEIGHT)
    exit: Annotated[tuple[_Number, _Number], Field(strict=False)]
    rows: list[str]
    sprites: list[Annotated[list[_Number], Field(min_length=3, max_length=4)]] = []
    data: list[Annotated[tuple[_Number, _Number, _Number], Field(strict=False)]] = []
    counters: dict[str, _Number] = {}
    type: int = Field(0, ge=0, le=2)
    difficulty: _Number = 0


def read_record(record: Mapping[str, Any]) -> ReferenceRecord:
    """Return an object of a file of levels with its fields checked.

    Raises:
        LevelError: A field is missing or no part of a level.
    """
    try:
        return ReferenceRecord.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "record"
        raise LevelError(
            f"{place} {show_value(first['input'])} is no part of a level: {first['msg']}"
        ) from None
