"""Agents by their spec: a name, ``file.py:Class``, ``package.module:Class`` or ``brain.npz``."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.protocol import Agent
from ludus.agents.registry import REGISTERED, closest, names
from ludus.errors import AgentError

__all__ = ["AgentSource", "find", "load"]


@dataclass(frozen=True, slots=True)
class AgentSource:
    """Where an agent comes from, enough to load it again and to tell whether it has changed.

    Attributes:
        spec: The text it was asked for by; paths are absolute.
        name: What tables call it.
        fingerprint: A digest of the file that defines it.
    """

    spec: str
    name: str
    fingerprint: str


def load(spec: str) -> Agent[Any, Any]:
    """Return a new agent.

    Args:
        spec: A registered name such as ``astar``, ``my_agent.py:Class``, ``package.mod:Class`` or a
            checkpoint ``brain.npz``.

    Raises:
        AgentError: It cannot be found or made; the message says why.

    Example:
        >>> load("forward-jumping").name
        'forward-jumping'
    """
    factory, _ = _resolve(spec)
    try:
        agent = factory()
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r} cannot be made: {_told(error)}") from error
    for method in ("reset", "act"):
        if not callable(getattr(agent, method, None)):
            raise AgentError(f"agent {spec!r} has no method {method}(): see 'ludus new agent'")
    return agent  # type: ignore[no-any-return]


def find(spec: str) -> AgentSource:
    """Return where an agent comes from, having made sure that it loads.

    Raises:
        AgentError: It does not.
    """
    agent = load(spec)
    _, file = _resolve(spec)
    name = str(getattr(agent, "name", "") or spec)
    if file is None:
        return AgentSource(spec, name, "")
    fingerprint = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return AgentSource(_absolute(spec), name, fingerprint)


def _absolute(spec: str) -> str:
    place, colon, attribute = spec.rpartition(":")
    if spec.endswith(".npz"):
        return str(Path(spec).resolve())
    return f"{Path(place).resolve()}{colon}{attribute}" if place.endswith(".py") else spec


def _resolve(spec: str) -> tuple[Callable[[], Any], Path | None]:
    """Return what makes the agent, and the file that it is defined in."""
    if spec in REGISTERED:
        entry = REGISTERED[spec]
        return _from_module(spec, entry.module, entry.factory)
    for plugin in entry_points(group="ludus.agents", name=spec):
        return _from_module(spec, plugin.module, plugin.attr)
    if spec.endswith(".npz"):
        return _from_checkpoint(spec)
    place, _, attribute = spec.rpartition(":")
    if place.endswith(".py"):
        return _from_file(spec, Path(place), attribute)
    if place:
        _look_in(Path.cwd())
        return _from_module(spec, place, attribute)
    if spec.endswith(".py"):
        raise AgentError(f"agent {spec!r} names no class: try {spec}:Agent")
    raise AgentError(f"no agent {spec!r}; {closest(spec)}or name one as file.py:Class")


def _look_in(folder: Path) -> None:
    """Let an agent import what lies beside it; installed packages come first."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _from_module(spec: str, module: str, attribute: str) -> tuple[Callable[[], Any], Path | None]:
    try:
        found = import_module(module)
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r} cannot be imported: {_told(error)}") from error
    return _attribute(spec, found, attribute)


def _from_file(spec: str, path: Path, attribute: str) -> tuple[Callable[[], Any], Path | None]:
    if not path.is_file():
        raise AgentError(f"agent {spec!r}: there is no file {str(path)!r}")
    name = f"_ludus_agent_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    module_spec = importlib.util.spec_from_file_location(name, path)
    assert module_spec is not None and module_spec.loader is not None  # noqa: PT018, S101
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    _look_in(path.resolve().parent)
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise AgentError(f"agent {spec!r} cannot be read: {_told(error)}") from error
    return _attribute(spec, module, attribute)


def _from_checkpoint(spec: str) -> tuple[Callable[[], Any], Path | None]:
    """Return what makes a trained agent; its file can name registered agents only."""
    name, arrays = read_checkpoint(spec)
    if name not in names():
        raise AgentError(f"agent {spec!r} is of an unknown kind {name!r}; {closest(name)}")
    factory, _ = _resolve(name)
    make = getattr(factory, "from_checkpoint", None)
    if not callable(make):
        raise AgentError(f"agent {spec!r}: {name!r} cannot be made from a checkpoint")
    return lambda: _named(make(arrays), Path(spec).stem), Path(spec)


def _named(agent: Any, name: str) -> Any:
    agent.name = name
    return agent


def _attribute(spec: str, module: ModuleType, name: str) -> tuple[Callable[[], Any], Path | None]:
    factory = getattr(module, name, None)
    if not callable(factory):
        offered = [key for key, value in vars(module).items() if inspect.isclass(value)]
        hint = f"; it has {', '.join(sorted(offered))}" if offered else ""
        raise AgentError(f"agent {spec!r}: there is no class {name!r} in it{hint}")
    file = getattr(module, "__file__", None)
    return factory, Path(file) if file else None


def _told(error: BaseException) -> str:
    """Return an error as one line with its kind and, for syntax errors, its place."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} in line {error.lineno} of {error.filename}"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
