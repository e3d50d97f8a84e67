"""Finds environments of other people by name, and makes them."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.errors import LudusError, OptionError, format_error
from ludus.importing import import_file, import_named_module

__all__ = ["check_spec", "find_origin", "make_environment"]

ADAPTERS = {
    "gym_super_mario_bros": "ludus.guests.smb:1-1",
    "retro": "ludus.guests.retro:1-1",
    "stable_retro": "ludus.guests.retro:1-1",
}
"""Packages that cannot be played as they are, and what plays them."""


def check_spec(spec: str) -> str:
    """Return the name of an environment with an absolute path; nothing of it is run.

    Args:
        spec: ``MODULE:ID`` of one that the module registers or makes, ``MODULE:FUNCTION`` or
            ``file.py:FUNCTION``.

    Raises:
        OptionError: No environment can have this name.
    """
    source, colon, name = spec.rpartition(":")
    if not colon or not source or not name:
        raise OptionError(f"environment {spec!r} is not of the form MODULE:ID or file.py:FUNCTION")
    if not source.endswith(".py"):
        return spec
    if not Path(source).is_file():
        raise OptionError(f"environment {spec!r}: there is no file {source!r}")
    return f"{Path(source).resolve()}:{name}"


def find_origin(spec: str) -> str:
    """Return the origin of an environment: a package and its version, or a file's digest.

    Raises:
        OptionError: Its file cannot be read.
    """
    source = spec.rpartition(":")[0]
    if source.endswith(".py"):
        try:
            return f"sha256:{hashlib.sha256(Path(source).read_bytes()).hexdigest()[:16]}"
        except OSError as error:
            raise OptionError(f"environment {spec!r} cannot be read: {error.strerror}") from error
    package = source.partition(".")[0]
    names = sorted(set(_distributions().get(package, ())))
    return ", ".join(f"{name} {version(name)}" for name in names) or package


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Return the installed packages by module. The search is slow, so it is done once."""
    return packages_distributions()


def make_environment(spec: str, *, filming: bool) -> Any:
    """Return a new environment of this name, which draws pictures if it is filmed.

    Raises:
        OptionError: It cannot be found, or cannot be made.
    """
    factory = _find_factory(spec)
    try:
        return _call_factory(factory, filming=filming)
    except LudusError as error:
        raise OptionError(f"environment {spec!r}: {error}") from error
    except Exception as error:
        raise OptionError(
            f"environment {spec!r} cannot be made: {format_error(error)}{_suggest_adapter(spec)}"
        ) from error


def _suggest_adapter(spec: str) -> str:
    package = spec.partition(":")[0].partition(".")[0]
    return f"; try {ADAPTERS[package]}" if package in ADAPTERS else ""


def _call_factory(factory: Callable[..., Any], *, filming: bool) -> Any:
    """Call a factory, with a render mode if it takes one."""
    if not filming:
        return factory()
    try:
        parameters = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return factory()
    return factory(render_mode="rgb_array") if "render_mode" in parameters else factory()


def _find_factory(spec: str) -> Callable[..., Any]:
    """Return the factory of an environment: a function, a registration, or the module's make."""
    source, _, name = spec.rpartition(":")
    module = _import(spec, source)
    function = getattr(module, name, None)
    if callable(function):
        return function  # type: ignore[no-any-return]
    import gymnasium

    if name in gymnasium.registry:

        def make_registered(render_mode: str | None = None) -> Any:
            return gymnasium.make(name, render_mode=render_mode, disable_env_checker=True)

        return make_registered
    make = getattr(module, "make", None)
    if callable(make):
        return lambda: make(name)
    hint = _suggest_adapter(spec)
    raise OptionError(f"environment {spec!r}: {source} neither has nor registers {name!r}{hint}")


def _import(spec: str, source: str) -> ModuleType:
    try:
        if source.endswith(".py"):
            return import_file(Path(source))
        return import_named_module(source, Path.cwd())
    except ImportError as error:
        verb = "read" if source.endswith(".py") else "imported"
        raise OptionError(
            f"environment {spec!r} cannot be {verb}: {error}{_suggest_adapter(spec)}"
        ) from error
