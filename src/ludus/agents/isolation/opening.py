"""Agents for a run: Ludus's own in this process, anybody else's in processes of their own."""

from __future__ import annotations

import hashlib
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from ludus.agents import loading
from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.fingerprint import DIGITS, fingerprint
from ludus.agents.isolation.agent_process import AgentProcess, start_agent_process
from ludus.agents.loading import GAME, AgentSource
from ludus.agents.registry import REGISTERED
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Agent
from ludus.errors import AgentError, AgentFault

__all__ = ["find", "is_foreign", "open_agent"]

OWN_SCHEMES = ("llm", "object")
MODEL_SCHEMES = ("sb3", "torch")


def is_foreign(spec: str, family: str = GAME) -> bool:
    """Return whether loading an agent runs code that is not Ludus's; nothing is loaded for it.

    Args:
        spec: What names the agent.
        family: The family of agents that it belongs to.

    Raises:
        AgentError: It is a checkpoint that cannot be read.

    Example:
        >>> is_foreign("astar"), is_foreign("my_agent.py:Agent")
        (False, True)
    """
    base = spec.partition("#")[0]
    if base in REGISTERED.get(family, {}) or base.partition(":")[0] in OWN_SCHEMES:
        return False
    if entry_points(group="ludus.agents", name=base):
        return True
    if base.endswith(".npz"):
        return read_checkpoint(base)[0] not in REGISTERED.get(family, {})
    return ":" in base


def open_agent(
    spec: str, family: str = GAME, context: RunContext = DEFAULT_CONTEXT, *, game: str
) -> Agent[Any, Any, Any]:
    """Return an agent to play a game: one of Ludus's as it is, any other in its own process.

    Args:
        spec: What names it.
        family: The family of agents that it belongs to.
        context: What the run allows it.
        game: The game's name.

    Raises:
        AgentError: It cannot be loaded.
        AgentFault: Loading it ended its process, or took too long.
    """
    if not is_foreign(spec, family):
        return loading.load(spec, family, context)
    return start_agent_process(spec, family, context, game)


def find(spec: str, game: str = GAME, context: RunContext = DEFAULT_CONTEXT) -> AgentSource:
    """Load an agent once and return its source; foreign code runs in a process of its own.

    Args:
        spec: What names it.
        game: The family of agents that it belongs to.
        context: What the run allows it.

    Raises:
        AgentError: It cannot be loaded.
    """
    if not is_foreign(spec, game):
        return loading.find_here(spec, game, context)
    try:
        agent = AgentProcess(spec, game, context)
    except AgentFault as error:
        raise AgentError(f"agent {spec!r} cannot be made: {error}") from None
    agent.close()
    description = agent.description
    return loading.source_of(spec, description, _digest(spec, description.fingerprint))


def _digest(spec: str, claimed: str | None) -> str:
    """Return the digest of the file that defines an agent, and of what the agent adds to it."""
    base = spec.partition("#")[0]
    file = _find_file(base)
    digest = fingerprint(file) if file else ""
    if claimed is None or base.partition(":")[0] in MODEL_SCHEMES:
        return digest
    return hashlib.sha256(f"{digest}\0{claimed}".encode()).hexdigest()[:DIGITS]


def _find_file(spec: str) -> Path | None:
    """Return the file that an agent comes from; nothing is imported for it."""
    for plugin in entry_points(group="ludus.agents", name=spec):
        return _find_module_file(plugin.module)
    source, _, attribute = spec.rpartition(":")
    if spec.endswith(".npz"):
        return Path(spec)
    if source.partition(":")[0] in MODEL_SCHEMES:
        return Path(attribute)
    return Path(source) if source.endswith(".py") else _find_module_file(source)


def _find_module_file(name: str) -> Path | None:
    """Return the file of a module, found as Python finds it but without running its package."""
    folders: list[str] | None = None
    found = None
    words = name.split(".")
    for count in range(1, len(words) + 1):
        found = _find_spec(".".join(words[:count]), folders)
        if found is None:
            return None
        folders = list(found.submodule_search_locations or [])
    return Path(found.origin) if found and found.has_location and found.origin else None


def _find_spec(name: str, folders: list[str] | None) -> Any:
    here = str(Path.cwd())
    search = [here, *sys.path] if folders is None else folders
    for finder in sys.meta_path:
        for places in (folders, search):
            found = finder.find_spec(name, places)
            if found is not None:
                return found
    return None
