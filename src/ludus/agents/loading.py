"""Agents by their spec: a name, ``file.py:Class``, ``package.module:Class``, a file or program."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from ludus import importing
from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.fingerprint import fingerprint
from ludus.agents.foreign.doors import find_foreign_agent
from ludus.agents.registry import REGISTERED, SCHEMES, explain_unknown, names, suggest_names
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import (
    Agent,
    FromCheckpoint,
    HasFingerprint,
    HasName,
    HasVariant,
    Learns,
    PlaysOneGame,
    Remembers,
    Waits,
    find_faults,
)
from ludus.errors import AgentError, LudusError, clean_text, format_error
from ludus.escaping import LONGEST_NAME, check_name, cut

__all__ = [
    "AgentSource",
    "Description",
    "Modules",
    "describe",
    "find_here",
    "load",
    "load_class",
    "make_agent",
    "source_of",
]


@dataclass(frozen=True, slots=True)
class AgentSource:
    """The source of an agent: how to load it again and how to see whether it has changed.

    Attributes:
        spec: The text that names it; paths are absolute.
        name: What tables call it.
        fingerprint: A digest of the file that defines it and of what that imports beside it.
    """

    spec: str
    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Description:
    """What an agent says about itself.

    Attributes:
        name: What tables call it; empty if it has none.
        variant: The proper spelling of its variant, if it has one.
        fingerprint: A digest of all that decides how it plays, if it knows one.
        waits: Whether it spends its time waiting.
        remembers: Whether it can go on in the middle of an episode.
        learns: Whether it has training plays before the one that counts.
    """

    name: str
    variant: str | None
    fingerprint: str | None
    waits: bool
    remembers: bool
    learns: bool = False

    @classmethod
    def from_values(cls, values: Any) -> Description:
        """Return the description of plain values that may be anything.

        Raises:
            TypeError: They are no description.
        """
        description = cls(**values)
        if not isinstance(description.name, str):
            raise TypeError(f"its name is a {type(description.name).__name__}")
        for text in (description.variant, description.fingerprint):
            if text is not None and not isinstance(text, str):
                raise TypeError(f"{text!r:.40} is no text")
        return cls(
            clean_text(description.name, MOST_NAME) or (description.name and " "),
            description.variant and clean_text(description.variant, MOST_VARIANT),
            description.fingerprint and clean_text(description.fingerprint, MOST_NAME),
            description.waits is True,
            description.remembers is True,
            description.learns is True,
        )


@dataclass(frozen=True, slots=True)
class _Factory:
    """What makes an agent, and the file that defines it, if there is one."""

    make: Callable[..., Any]
    file: Path | None = None


GAME = "platformer"
MOST_NAME = 200
MOST_VARIANT = 4096


class Modules(Protocol):
    """How the modules of agents are imported."""

    def import_file(self, path: Path) -> ModuleType:
        """Return the module of a file.

        Raises:
            ImportError: There is no such file, or executing it failed.
        """
        ...

    def import_named_module(self, name: str, folder: Path | None = None) -> ModuleType:
        """Return a module by its name, also one of a folder.

        Raises:
            ImportError: There is none, or importing it failed.
        """
        ...


PYTHON_MODULES: Modules = importing


def load(
    spec: str,
    game: str = GAME,
    context: RunContext = DEFAULT_CONTEXT,
    *,
    modules: Modules = PYTHON_MODULES,
) -> Agent[Any, Any, Any]:
    """Return a new agent.

    Args:
        spec: A registered name such as ``astar``, ``my_agent.py:Class``, ``package.mod:Class``, a
            checkpoint ``brain.npz``, ``agents.jar:package.Agent``, ``FOLDER:package.Agent``,
            ``agent.so``, ``agent.wasm``, a program ``./run-me --fast`` or ``llm:MODEL@URL``;
            with ``#`` and a word behind it, that variant of the agent.
        game: The game it is to play; names are registered per game.
        context: What the run allows it; an agent whose constructor has a keyword-only parameter
            ``context`` is given it.
        modules: How its modules are imported: as Python does it, unless somebody counts their work.

    Raises:
        AgentError: It cannot be found or made; the message says why.

    Example:
        >>> load("forward-jumping").name
        'forward-jumping'
    """
    base, _, variant = spec.partition("#")
    return _make(_find_factory(base, game, modules), spec, variant, game, context)


def make_agent(
    make: Callable[..., Any], spec: str, game: str, context: RunContext
) -> Agent[Any, Any, Any]:
    """Return the agent that a function makes for a spec, checked as all agents are.

    Raises:
        AgentError: It cannot be made; the message says why.
    """
    return _make(_Factory(make), spec, spec.partition("#")[2], game, context)


def find_here(spec: str, game: str = GAME, context: RunContext = DEFAULT_CONTEXT) -> AgentSource:
    """Load an agent once in this process and return its source.

    Raises:
        AgentError: It cannot be loaded.
    """
    base, _, variant = spec.partition("#")
    factory = _find_factory(base, game, PYTHON_MODULES)
    description = describe(_make(factory, spec, variant, game, context))
    digest = description.fingerprint
    if digest is None:
        digest = fingerprint(factory.file) if factory.file else ""
    return source_of(spec, description, digest)


def describe(agent: object) -> Description:
    """Return what an agent says about itself."""
    return Description(
        name=_name_of(agent),
        variant=str(agent.variant) if isinstance(agent, HasVariant) else None,
        fingerprint=_claimed_fingerprint(agent),
        waits=bool(agent.waits) if isinstance(agent, Waits) else False,
        remembers=isinstance(agent, Remembers),
        learns=isinstance(agent, Learns),
    )


def source_of(spec: str, description: Description, digest: str) -> AgentSource:
    """Return the source of an agent: its spec spelled out, its name and a digest.

    Raises:
        AgentError: It has a name that no table can show.
    """
    base, _, variant = spec.partition("#")
    if variant and description.variant is not None:
        variant = description.variant
    full_spec = f"{_absolute(base)}#{variant}" if variant else _absolute(base)
    try:
        name = check_name(description.name or cut(spec, LONGEST_NAME), "name of an agent")
    except ValueError as error:
        raise AgentError(f"agent {spec[:LONGEST_NAME]!r}: {error}") from None
    return AgentSource(full_spec, name, digest)


def load_class(spec: str) -> Callable[..., Any]:
    """Return the class or function that ``file.py:Class`` or ``package.module:Class`` names.

    Raises:
        AgentError: It cannot be found or imported.
    """
    return _find_factory(spec, "", PYTHON_MODULES).make


# ---- from a spec to what makes the agent


def _find_factory(spec: str, game: str, modules: Modules) -> _Factory:
    if spec in REGISTERED.get(game, {}):
        registered = REGISTERED[game][spec]
        return _from_module(spec, registered.module, registered.factory, modules=modules)
    for plugin in entry_points(group="ludus.agents", name=spec):
        return _from_module(spec, plugin.module, plugin.attr, modules=modules)
    if spec.partition(":")[0] in SCHEMES:
        return _from_scheme(spec, game)
    if spec.endswith(".npz"):
        return _from_checkpoint(spec, game, modules)
    if foreign := find_foreign_agent(spec):
        return _Factory(foreign.open, foreign.file)
    source, _, attribute = spec.rpartition(":")
    if source.endswith(".py"):
        return _from_file(spec, Path(source), attribute, modules)
    if source:
        return _from_module(spec, source, attribute, Path.cwd(), modules=modules)
    raise AgentError(explain_unknown(spec, game))


def _from_module(
    spec: str,
    name: str,
    attribute: str,
    folder: Path | None = None,
    *,
    modules: Modules = PYTHON_MODULES,
) -> _Factory:
    try:
        module = modules.import_named_module(name, folder)
    except ImportError as error:
        raise AgentError(f"agent {spec!r} cannot be imported: {error}") from error
    return _from_attribute(spec, module, attribute)


def _from_file(spec: str, path: Path, attribute: str, modules: Modules) -> _Factory:
    try:
        module = modules.import_file(path)
    except ImportError as error:
        raise AgentError(f"agent {spec!r} cannot be read: {error}") from error
    return _from_attribute(spec, module, attribute)


def _from_attribute(spec: str, module: ModuleType, name: str) -> _Factory:
    factory = getattr(module, name, None)
    if not callable(factory):
        classes = [key for key, value in vars(module).items() if inspect.isclass(value)]
        hint = f"; it has {', '.join(sorted(classes))}" if classes else ""
        raise AgentError(f"agent {spec!r}: there is no class {name!r} in it{hint}")
    return _Factory(factory, Path(module.__file__) if module.__file__ else None)


def _from_checkpoint(spec: str, game: str, modules: Modules) -> _Factory:
    """Return what makes a trained agent; its file can name registered agents only."""
    kind, arrays = read_checkpoint(spec)
    if kind not in names(game):
        raise AgentError(
            f"agent {spec!r} is of an unknown kind {kind!r}; {suggest_names(kind, game)}"
        )
    trained = _find_factory(kind, game, modules).make
    if not isinstance(trained, FromCheckpoint):
        raise AgentError(f"agent {spec!r}: {kind!r} cannot be made from a checkpoint")
    make = partial(trained.from_checkpoint, arrays)

    @wraps(trained.from_checkpoint)
    def make_and_name(*_: Any, **options: Any) -> Any:
        return _rename(make(**options), _name_of_file(Path(spec)))

    return _Factory(make_and_name, Path(spec))


def _from_scheme(spec: str, game: str) -> _Factory:
    module, function = SCHEMES[spec.partition(":")[0]]
    make = _from_module(spec, module, function).make
    games = {"game": game} if "game" in _parameters(make) else {}
    return _Factory(partial(make, spec, **games))


# ---- from what makes it to the agent


def _make(
    factory: _Factory, spec: str, variant: str, game: str, context: RunContext
) -> Agent[Any, Any, Any]:
    parameters = _parameters(factory.make)
    options: dict[str, Any] = {"context": context} if _wants_context(parameters) else {}
    if variant and not _takes("variant", parameters):
        base = spec.partition("#")[0]
        message = f"{base!r} has no variants: leave #{variant} out"
        raise AgentError(f"agent {_without_password(spec)!r} cannot be made: {message}")
    if variant:
        options["variant"] = variant
    try:
        agent = factory.make(**options)
    except LudusError as error:
        raise AgentError(f"agent {_without_password(spec)!r} cannot be made: {error}") from error
    except (Exception, SystemExit) as error:
        reason = format_error(error)
        raise AgentError(f"agent {_without_password(spec)!r} cannot be made: {reason}") from error
    check_agent(agent, spec, game)
    return _name_variant(agent, variant) if variant else agent  # type: ignore[no-any-return]


def check_agent(agent: object, spec: str, game: str) -> None:
    """Raise an error unless an object is an agent of a game.

    Args:
        agent: The object.
        spec: What messages call it.
        game: The game.

    Raises:
        AgentError: It lacks a method, or plays another game.
    """
    for fault in find_faults(agent):
        raise AgentError(f"agent {spec!r} {fault}: see 'ludus new agent'")
    if isinstance(agent, PlaysOneGame) and agent.plays != game:
        raise AgentError(f"agent {_without_password(spec)!r} plays {agent.plays}, not {game}")


def _parameters(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(factory).parameters
    except (TypeError, ValueError):  # written in C, and does not say
        return {}


def _wants_context(parameters: Mapping[str, inspect.Parameter]) -> bool:
    parameter = parameters.get("context")
    return parameter is not None and parameter.kind is inspect.Parameter.KEYWORD_ONLY


def _takes(name: str, parameters: Mapping[str, inspect.Parameter]) -> bool:
    takes_any = any(
        parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()
    )
    return name in parameters or takes_any


# ---- names and digests


def _name_of(agent: object) -> str:
    return str(agent.name or "") if isinstance(agent, HasName) else ""


def _name_of_file(file: Path) -> str:
    """Return a file's name without its ending; a number says too little without its folder."""
    folder = file.absolute().parent.name
    return f"{folder}-{file.stem}" if file.stem.isdigit() and folder else file.stem


def _name_variant(agent: Any, variant: str) -> Any:
    """Give a variant of an agent a name of its own, unless it has one."""
    name, word = _name_of(agent), Path(variant).name
    return agent if name.endswith(f"-{word}") else _rename(agent, f"{name}-{word}")


def _rename(agent: Any, name: str) -> Any:
    agent.name = name
    return agent


def _claimed_fingerprint(agent: object) -> str | None:
    claimed = agent.fingerprint if isinstance(agent, HasFingerprint) else None
    return None if claimed is None else str(claimed)


def _without_password(spec: str) -> str:
    """Return a spec as messages show it: without what somebody may have taken for a password."""
    return re.sub("//[^/@]*@", "//…@", spec.partition("?")[0])


def _absolute(spec: str) -> str:
    source, colon, attribute = spec.rpartition(":")
    if spec.endswith(".npz"):
        return str(Path(spec).resolve())
    if foreign := find_foreign_agent(spec):
        return foreign.spec
    return f"{Path(source).resolve()}{colon}{attribute}" if source.endswith(".py") else spec
