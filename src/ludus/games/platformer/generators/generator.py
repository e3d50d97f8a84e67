"""Level generators: a name, a version, options with ranges, and a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

import annotated_types
import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from ludus.errors import OptionError, show_value
from ludus.games.platformer.levels.level import Level, Recipe

__all__ = ["Generator", "Options"]


class Options(BaseModel):
    """The options of a generator, frozen: a subclass has a field with a range for each."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


AnyOptions = TypeVar("AnyOptions", bound=Options)


@dataclass(frozen=True, slots=True)
class Generator(Generic[AnyOptions]):
    """A level generator: ``generator(seed=3)`` makes a level that knows its recipe.

    Attributes:
        name: What :func:`generate` knows it by.
        version: Rises whenever the same options give another level.
        summary: One line on the levels it makes.
        options: The record of its options.
        build: Makes a level of such a record.
    """

    name: str
    version: int
    summary: str
    options: type[AnyOptions]
    build: Callable[[AnyOptions], Level]

    def __call__(self, **values: object) -> Level:
        """Return the level of these options.

        Raises:
            OptionError: An option is unknown or outside its range.
        """
        options = self.validate(values)
        recipe = Recipe(self.name, self.version, options.model_dump(mode="json"))
        return self.build(options).with_recipe(recipe)

    def validate(self, values: Mapping[str, object]) -> AnyOptions:
        """Return the options as a record, those that were not given at their defaults.

        Raises:
            OptionError: An option is unknown or outside its range.
        """
        try:
            return self.options(**{name: _to_python_value(value) for name, value in values.items()})
        except ValidationError as error:
            raise OptionError(self._complaint(error.errors()[0])) from None

    def validate_texts(self, texts: Mapping[str, str]) -> AnyOptions:
        """Return the options that texts say, as in the address of a page.

        Raises:
            OptionError: An option is unknown or outside its range.
        """
        try:
            return self.options.model_validate_strings(texts)
        except ValidationError as error:
            raise OptionError(self._complaint(error.errors()[0])) from None

    def _complaint(self, error: ErrorDetails) -> str:
        name = str(error["loc"][0]) if error["loc"] else ""
        if error["type"] == "extra_forbidden":
            return self._no_such_option(name)
        if error["type"] == "missing":
            return f"{self.name} needs the option {name!r}: give {name}=…"
        if error["type"] == "value_error":
            return str(error["ctx"]["error"])
        allowed = _allowed(self.options.model_fields[name])
        return f"{name} {show_value(error['input'])} is out of range: give {allowed}"

    def _no_such_option(self, name: str) -> str:
        known = list(self.options.model_fields)
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        return f"{self.name} has no option {name!r}; {hint}there are {', '.join(known)}"


def _to_python_value(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def _allowed(field: FieldInfo) -> str:
    ends: dict[type, Any] = {type(limit): limit for limit in field.metadata}
    if annotated_types.Ge in ends and annotated_types.Le in ends:
        return f"{ends[annotated_types.Ge].ge} to {ends[annotated_types.Le].le}"
    if field.annotation is bool:
        return "True or False"
    if get_origin(field.annotation) is Literal:
        return " or ".join(repr(value) for value in get_args(field.annotation))
    return f"a value of type {getattr(field.annotation, '__name__', field.annotation)}"
