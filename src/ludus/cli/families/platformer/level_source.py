"""The options of generators, from the words of a command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from ludus.errors import OptionError
from ludus.games.platformer.generators import Generator

__all__ = ["allowed", "read_options"]

_LARGE = 2**31 - 1


def read_options(
    generator: Generator[Any], named: Mapping[str, str | None], settings: Sequence[str]
) -> dict[str, object]:
    """Return a generator's options from the words of a command line, of the types they should be.

    Args:
        generator: Whose options they are.
        named: Options with an option of the command's own; None if it was not given. A width is
            the length of a generator that calls it so.
        settings: Words like ``knob=value``.

    Raises:
        OptionError: A word is not like that, or its value is of another type. Whether the option
            exists and what values it takes is the generator's to judge.
    """
    words = {name: value for name, value in named.items() if value is not None}
    fields = generator.options.model_fields
    if "width" in words and "width" not in fields and "length" in fields:
        words["length"] = words.pop("width")
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise OptionError(f"--set {setting!r} has no value; try --set {name}=1")
        words[name.strip().replace("-", "_")] = value.strip()
    return {name: _value(generator, name, word) for name, word in words.items()}


def _value(generator: Generator[Any], name: str, word: str) -> object:
    field = generator.options.model_fields.get(name)
    kind: Any = bool | int | float | str if field is None else field.annotation
    if word.lower() == "none" and NoneType in get_args(kind):
        return None
    try:
        return TypeAdapter(kind).validate_strings(word, strict=False)
    except ValidationError as error:
        if field is None:
            return word
        fault = error.errors()[0]
        if fault["type"] == "value_error":
            raise OptionError(str(fault["ctx"]["error"])) from None
        wrong = "no whole number" if fault["type"].startswith("int_pars") else "out of range"
        raise OptionError(f"{name} {word!r} is {wrong}: give {allowed(field)}") from None


def allowed(field: FieldInfo) -> str:
    """Return which values an option may have, in few words."""
    kind = _without_none(field.annotation)
    if get_origin(kind) is Literal:
        return ", ".join(map(str, get_args(kind)))
    if kind is bool:
        return "on, off"
    low, high = _ends(field)
    if low is None and high is None:
        return "any number" if kind in (int, float) else "text"
    if high is None or high >= _LARGE:
        return "any number" if low is None or low < -_LARGE else f"{low} or more"
    return f"{high} or less" if low is None else f"{low} to {high}"


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else annotation
    return annotation


def _ends(field: FieldInfo) -> tuple[Any, Any]:
    low = high = None
    for limit in field.metadata:
        low = getattr(limit, "ge", getattr(limit, "gt", low))
        high = getattr(limit, "le", getattr(limit, "lt", high))
    return low, high
