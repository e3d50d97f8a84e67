"""Generators of other people: functions in a file, or behind an entry point."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, getdoc, signature
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import ConfigDict, create_model

from ludus.errors import LevelError, OptionError
from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.levels.level import Level
from ludus.importing import import_file

__all__ = ["find_installed", "is_file_spec", "load_file", "load_installed"]

GROUP = "ludus.generators"

_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


class _FreeOptions(Options):
    """Options of a function that takes any."""

    model_config = ConfigDict(extra="allow")


def find_installed() -> dict[str, EntryPoint]:
    """Return the generators that installed packages offer, by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def load_installed(point: EntryPoint) -> Generator[Any]:
    """Return the generator, or the function made a generator, behind an entry point."""
    loaded = point.load()
    return loaded if isinstance(loaded, Generator) else _from_function(point.name, loaded)


def is_file_spec(spec: str) -> bool:
    """Whether this names a function in a file: ``path.py:function``."""
    return spec.rpartition(":")[0].endswith(".py")


def load_file(spec: str) -> Generator[Any]:
    """Return the generator made of a function in a file, ``path.py:function``.

    Raises:
        OptionError: There is no such file or no such function in it.
    """
    path, _, name = spec.rpartition(":")
    try:
        module = import_file(Path(path))
    except ImportError as error:
        raise OptionError(f"generator {spec!r} cannot be read: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise OptionError(f"{path} has no function {name!r}: check the name after the colon")
    return function if isinstance(function, Generator) else _from_function(spec, function)


@lru_cache(maxsize=256)
def _from_function(name: str, function: Callable[..., Level | str]) -> Generator[Any]:
    """Return a generator of a function: its parameters are the options, annotated with types.

    A function that changes its levels says so by an attribute ``version``.
    """

    def build(options: Options) -> Level:
        result = function(**dict(options))
        if isinstance(result, str):
            return Level.parse(result)
        if not isinstance(result, Level):
            raise LevelError(f"{name} returned {result!r:.40}: let it return a Level or its text")
        return result

    summary = (getdoc(function) or "").partition("\n")[0]
    return Generator(
        name, int(getattr(function, "version", 1)), summary, _options_of(function), build
    )


def _options_of(function: Callable[..., object]) -> type[Options]:
    hints = get_type_hints(function, include_extras=True)
    parameters = signature(function).parameters.values()
    base = _FreeOptions if any(p.kind is Parameter.VAR_KEYWORD for p in parameters) else Options
    fields: dict[str, Any] = {
        p.name: (hints.get(p.name, Any), ... if p.default is Parameter.empty else p.default)
        for p in parameters
        if p.kind in _BY_NAME
    }
    return create_model("FunctionOptions", __base__=base, **fields)
