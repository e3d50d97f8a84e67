"""Environments of other people behind one face, whichever of the usual interfaces they have."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import packages_distributions, version
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError, format_error
from ludus.importing import import_file, import_named_module

__all__ = ["Guest", "Welcome", "check_spec", "identity", "welcome"]

MOST_ACTIONS = 2**16
SMALL_SEED = 2**31
NO_OP = 0

Plain = int | float | str


class Guest:
    """An environment: reset, step, what it tells, whether it is over.

    Attributes:
        actions: How many actions there are, numbered from 0.
        info: What it told last, as plain values.
        over: Whether its episode has ended.
        truncated: Whether it was cut short, not lost.
    """

    def __init__(self, spec: str, *, filming: bool = False) -> None:
        self._env = _made(spec, filming=filming)
        self.actions = _actions(spec, self._env)
        self.info: dict[str, Plain] = {}
        self.over = self.truncated = False

    def reset(self, seed: int) -> Any:
        """Begin an episode and return the first observation."""
        small = seed % SMALL_SEED
        try:
            answer = self._env.reset(seed=small)
        except TypeError:  # the older interface seeds by itself, if at all
            if callable(seeding := getattr(self._env, "seed", None)):
                seeding(small)
            answer = self._env.reset()
        self.over = self.truncated = False
        if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], Mapping):
            self.info = _plain(answer[1])
            return answer[0]
        self.info = {}
        return answer

    def step(self, action: int) -> Any:
        """Play one frame and return the observation after it."""
        answer = self._env.step(action)
        if len(answer) == 5:
            observation, _, terminated, truncated, info = answer
            self.over, self.truncated = bool(terminated or truncated), bool(truncated)
        else:
            observation, _, done, info = answer
            self.over = bool(done)
            self.truncated = bool(info.get("TimeLimit.truncated", False))
        self.info = _plain(info)
        return observation

    def picture(self, observation: Any) -> NDArray[np.uint8] | None:
        """Return what it draws, or its observation if that is a picture, or None."""
        for candidate in (self._drawn(), observation):
            if isinstance(candidate, np.ndarray) and candidate.dtype == np.uint8:
                picture: NDArray[np.uint8] = candidate
                if picture.ndim == 3 and picture.shape[2] == 3:
                    return picture.copy()
        return None

    def _drawn(self) -> Any:
        render = getattr(self._env, "render", None)
        if not callable(render):
            return None
        try:
            return render() if getattr(self._env, "render_mode", None) else render("rgb_array")
        except Exception:  # a guest that cannot draw here may still be played
            return None

    def close(self) -> None:
        """Let it go."""
        if callable(closing := getattr(self._env, "close", None)):
            closing()


def _plain(info: Mapping[str, Any]) -> dict[str, Plain]:
    """Return those values that are plain, numbers of any kind as Python's own."""
    plain: dict[str, Plain] = {}
    for name, value in info.items():
        if isinstance(value, str | float):
            plain[str(name)] = value if isinstance(value, str) else float(value)
            continue
        try:
            plain[str(name)] = int(value) if isinstance(value, np.bool_) else index(value)
        except TypeError:
            continue
    return plain


class Welcome(NamedTuple):
    """What a guest is found to be when it is first looked at."""

    actions: int
    info: dict[str, Plain]


@cache
def welcome(spec: str) -> Welcome:
    """Return what a guest is like, after one frame without an action.

    Raises:
        OptionError: It cannot be made, or cannot be played in the arena.
    """
    guest = Guest(spec)
    try:
        guest.reset(0)
        guest.step(NO_OP)
        if "x_pos" not in guest.info:
            told = ", ".join(sorted(guest.info)) or "nothing"
            raise OptionError(f"environment {spec!r} tells no 'x_pos' in its info, but {told}")
        return Welcome(guest.actions, guest.info)
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(
            f"environment {spec!r} cannot be played: {format_error(error)}"
        ) from error
    finally:
        guest.close()


def _actions(spec: str, env: Any) -> int:
    space = getattr(env, "action_space", None)
    try:
        number = index(getattr(space, "n", None))  # type: ignore[arg-type] # that is the question
    except TypeError:
        raise OptionError(
            f"environment {spec!r} has no numbered actions but {space}: wrap it so that it has"
        ) from None
    if not 1 <= number <= MOST_ACTIONS:
        raise OptionError(f"environment {spec!r} has {number} actions: 1 to {MOST_ACTIONS} will do")
    return number


# ---- by name


def check_spec(spec: str) -> str:
    """Return the name of an environment in its proper spelling, having made sure it is there.

    Args:
        spec: ``MODULE:ID`` of one that the module registers or makes, ``MODULE:FUNCTION`` or
            ``file.py:FUNCTION``.

    Raises:
        OptionError: There is none of this name.
    """
    place, colon, name = spec.rpartition(":")
    if not colon or not place or not name:
        raise OptionError(f"environment {spec!r} is not of the form MODULE:ID or file.py:FUNCTION")
    proper = f"{Path(place).resolve()}:{name}" if place.endswith(".py") else spec
    _factory(proper)
    return proper


def identity(spec: str) -> str:
    """Return where an environment comes from: a package and its version, or a file's digest."""
    place = spec.rpartition(":")[0]
    if place.endswith(".py"):
        return f"sha256:{hashlib.sha256(Path(place).read_bytes()).hexdigest()[:16]}"
    top = place.partition(".")[0]
    found = sorted(set(_distributions().get(top, ())))
    return ", ".join(f"{name} {version(name)}" for name in found) or top


@cache
def _distributions() -> Mapping[str, list[str]]:
    """Return the installed packages by module; finding them takes a while."""
    return packages_distributions()


def _made(spec: str, *, filming: bool) -> Any:
    factory = _factory(spec)
    try:
        return _call(factory, filming=filming)
    except Exception as error:
        raise OptionError(f"environment {spec!r} cannot be made: {format_error(error)}") from error


def _call(factory: Callable[..., Any], *, filming: bool) -> Any:
    """Call what makes an environment, asking for pictures if it can be asked."""
    if not filming:
        return factory()
    try:
        takes = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return factory()
    return factory(render_mode="rgb_array") if "render_mode" in takes else factory()


def _factory(spec: str) -> Callable[..., Any]:
    """Return what makes an environment: its own function, a registration or the module's make."""
    place, _, name = spec.rpartition(":")
    module = _import(spec, place)
    own = getattr(module, name, None)
    if callable(own):
        return own  # type: ignore[no-any-return]
    if name in gymnasium.registry:

        def registered(render_mode: str | None = None) -> Any:
            return gymnasium.make(name, render_mode=render_mode, disable_env_checker=True)

        return registered
    make = getattr(module, "make", None)
    if callable(make):
        return lambda: make(name)
    raise OptionError(f"environment {spec!r}: {place} neither has nor registers {name!r}")


def _import(spec: str, source: str) -> ModuleType:
    try:
        if source.endswith(".py"):
            return import_file(Path(source))
        return import_named_module(source, Path.cwd())
    except ImportError as error:
        verb = "read" if source.endswith(".py") else "imported"
        raise OptionError(f"environment {spec!r} cannot be {verb}: {error}") from error
