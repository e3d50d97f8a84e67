"""Agents by their spec: a name, ``file.py:Class``, ``package.module:Class`` or ``brain.npz``."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.fingerprint import fingerprint
from ludus.agents.protocol import Agent
from ludus.agents.registry import REGISTERED, SCHEMES, closest, names
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.errors import AgentError, LudusError

__all__ = ["AgentSource", "find", "load", "named_class"]


@dataclass(frozen=True, slots=True)
class AgentSource:
    """Where an agent comes from, enough to load it again and to tell whether it has changed.

    Attributes:
        spec: The text it was asked for by; paths are absolute.
        name: What tables call it.
        fingerprint: A digest of the file that defines it and of what that imports beside it.
    """

    spec: str
    name: str
    fingerprint: str


GAME = "platformer"


def load(spec: str, game: str = GAME, context: RunContext = DEFAULT_CONTEXT) -> Agent[Any, Any]:
    """Return a new agent.

    Args:
        spec: A registered name such as ``astar``, ``my_agent.py:Class``, ``package.mod:Class``, a
            checkpoint ``brain.npz`` or ``llm:MODEL@URL``; with ``#`` and a word behind it, that
            variant of the agent.
        game: The game it is to play; names are registered per game.
        context: What the run allows it; an agent whose constructor has a keyword-only parameter
            ``context`` is given it.

    Raises:
        AgentError: It cannot be found or made; the message says why.

    Example:
        >>> load("forward-jumping").name
        'forward-jumping'
    """
    plain, variant = _split(spec)
    factory, _ = _resolve(plain, game)
    try:
        factory = _in_context(factory, context)
        agent = _variant(factory, plain, variant) if variant else factory()
    except LudusError as error:
        raise AgentError(f"agent {_shown(spec)!r} cannot be made: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {_shown(spec)!r} cannot be made: {_told(error)}") from error
    for method in ("reset", "act"):
        if not callable(getattr(agent, method, None)):
            raise AgentError(f"agent {spec!r} has no method {method}(): see 'ludus new agent'")
    if getattr(agent, "plays", game) != game:
        raise AgentError(f"agent {_shown(spec)!r} plays {agent.plays}, not {game}")
    return agent  # type: ignore[no-any-return]


def find(spec: str, game: str = GAME, context: RunContext = DEFAULT_CONTEXT) -> AgentSource:
    """Return where an agent comes from, having made sure that it loads.

    Raises:
        AgentError: It does not.
    """
    agent = load(spec, game, context)
    plain, variant = _split(spec)
    _, file = _resolve(plain, game)
    name = str(getattr(agent, "name", "") or spec)
    variant = variant and str(getattr(agent, "variant", variant))  # a folder's is absolute
    whole = f"{_absolute(plain)}#{variant}" if variant else _absolute(plain)
    own = getattr(agent, "fingerprint", None)
    if own is None:
        own = "" if file is None else fingerprint(file)
    return AgentSource(whole, name, str(own))


def named_class(spec: str) -> Callable[..., Any]:
    """Return what ``file.py:Class`` or ``package.module:Class`` names, whatever it is for.

    Raises:
        AgentError: It cannot be found or imported.
    """
    return _resolve(spec, "")[0]


def _split(spec: str) -> tuple[str, str]:
    """Return a spec without its variant, and that."""
    plain, _, variant = spec.partition("#")
    return plain, variant


def _shown(spec: str) -> str:
    """Return a spec as messages show it: without what somebody may have taken for a password."""
    return re.sub("//[^/@]*@", "//…@", spec.partition("?")[0])


def _absolute(spec: str) -> str:
    place, colon, attribute = spec.rpartition(":")
    if spec.endswith(".npz"):
        return str(Path(spec).resolve())
    return f"{Path(place).resolve()}{colon}{attribute}" if place.endswith(".py") else spec


def _resolve(spec: str, game: str) -> tuple[Callable[..., Any], Path | None]:
    """Return what makes the agent, and the file that it is defined in."""
    if spec in REGISTERED.get(game, {}):
        entry = REGISTERED[game][spec]
        return _from_module(spec, entry.module, entry.factory)
    for plugin in entry_points(group="ludus.agents", name=spec):
        return _from_module(spec, plugin.module, plugin.attr)
    if spec.partition(":")[0] in SCHEMES:
        return _from_scheme(spec)
    if spec.endswith(".npz"):
        return _from_checkpoint(spec, game)
    place, _, attribute = spec.rpartition(":")
    if place.endswith(".py"):
        return _from_file(spec, Path(place), attribute)
    if place:
        _look_in(Path.cwd())
        return _from_module(spec, place, attribute)
    if spec.endswith(".py"):
        raise AgentError(f"agent {spec!r} names no class: try {spec}:Agent")
    raise AgentError(f"no agent {spec!r}; {closest(spec, game)}or name one as file.py:Class")


def _look_in(folder: Path) -> None:
    """Let an agent import what lies beside it; installed packages come first."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _from_module(spec: str, module: str, attribute: str) -> tuple[Callable[..., Any], Path | None]:
    try:
        found = import_module(module)
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent {spec!r} cannot be imported: {_told(error)}") from error
    return _attribute(spec, found, attribute)


def _from_file(spec: str, path: Path, attribute: str) -> tuple[Callable[..., Any], Path | None]:
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


def _from_checkpoint(spec: str, game: str) -> tuple[Callable[..., Any], Path | None]:
    """Return what makes a trained agent; its file can name registered agents only."""
    name, arrays = read_checkpoint(spec)
    if name not in names(game):
        raise AgentError(f"agent {spec!r} is of an unknown kind {name!r}; {closest(name, game)}")
    factory, _ = _resolve(name, game)
    make = getattr(factory, "from_checkpoint", None)
    if not callable(make):
        raise AgentError(f"agent {spec!r}: {name!r} cannot be made from a checkpoint")

    @wraps(make)
    def renamed(*arguments: Any, **options: Any) -> Any:
        return _renamed(make(*arguments, **options), _called(Path(spec)))

    return partial(renamed, arrays), Path(spec)


def _called(file: Path) -> str:
    """Return a file's name without its ending; a number says too little without its folder."""
    folder = file.absolute().parent.name
    return f"{folder}-{file.stem}" if file.stem.isdigit() and folder else file.stem


def _from_scheme(spec: str) -> tuple[Callable[..., Any], Path | None]:
    module, function = SCHEMES[spec.partition(":")[0]]
    make, _ = _from_module(spec, module, function)
    return partial(make, spec), None


def _renamed(agent: Any, name: str) -> Any:
    agent.name = name
    return agent


def _variant(factory: Callable[..., Any], spec: str, variant: str) -> Any:
    """Return a variant of an agent, under a name of its own."""
    parameters = _parameters(factory)
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())
    if "variant" not in parameters and not takes_any:
        raise AgentError(f"{spec!r} has no variants: leave #{variant} out")
    agent = factory(variant=variant)
    word = Path(variant).name
    name = str(getattr(agent, "name", ""))
    return agent if name.endswith(f"-{word}") else _renamed(agent, f"{name}-{word}")


def _in_context(factory: Callable[..., Any], context: RunContext) -> Callable[..., Any]:
    """Return what makes an agent, with the context if it asks for one."""
    parameter = _parameters(factory).get("context")
    wanted = parameter is not None and parameter.kind is inspect.Parameter.KEYWORD_ONLY
    return partial(factory, context=context) if wanted else factory


def _parameters(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):  # written in C, and does not say
        return {}


def _attribute(spec: str, module: ModuleType, name: str) -> tuple[Callable[..., Any], Path | None]:
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
