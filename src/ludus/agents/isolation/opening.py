"""Agents for a run: Ludus's own in this process, anybody else's in processes of their own."""

from __future__ import annotations

import hashlib
from importlib.metadata import entry_points
from typing import Any

from ludus.agents import loading
from ludus.agents.checkpoint import read_checkpoint
from ludus.agents.fingerprint import DIGITS
from ludus.agents.foreign.c_library import read_library
from ludus.agents.foreign.doors import find_foreign_agent
from ludus.agents.isolation.agent_process import AgentProcess, start_agent_process
from ludus.agents.judge.opening import check_judgeable, is_judged
from ludus.agents.loading import GAME, AgentSource
from ludus.agents.locating import MODEL_SCHEMES, locate
from ludus.agents.registry import REGISTERED
from ludus.context import DEFAULT_CONTEXT, RunContext
from ludus.contract import Agent
from ludus.errors import AgentError, AgentFault

__all__ = ["find", "is_foreign", "open_agent"]

OWN_SCHEMES = ("llm", "object")


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
    return ":" in base or find_foreign_agent(base) is not None


def open_agent(
    spec: str, family: str = GAME, context: RunContext = DEFAULT_CONTEXT, *, game: str
) -> Agent[Any, Any, Any]:
    """Return an agent to play a game: one of Ludus's as it is, any other in its own process.

    Where work is counted, Ludus's own agents play in processes of their own as well. A library in C
    that the user trusts plays in this one, if it is not to be confined.

    Args:
        spec: What names it.
        family: The family of agents that it belongs to.
        context: What the run allows it.
        game: The game's name.

    Raises:
        AgentError: It cannot be loaded.
        AgentFault: Loading it ended its process, or took too long.
    """
    if is_judged(context):
        check_judgeable(spec)
    elif not is_foreign(spec, family) or _plays_here(spec, context):
        return loading.load(spec, family, context)
    return start_agent_process(spec, family, context, game)


def _plays_here(spec: str, context: RunContext) -> bool:
    """Return whether an agent of others plays in this process: a library that the user trusts."""
    return context.trust and not context.sandbox and read_library(spec) is not None


def find(spec: str, game: str = GAME, context: RunContext = DEFAULT_CONTEXT) -> AgentSource:
    """Load an agent once and return its source; foreign code runs in a process of its own.

    Args:
        spec: What names it.
        game: The family of agents that it belongs to.
        context: What the run allows it.

    Raises:
        AgentError: It cannot be loaded.
    """
    if is_judged(context):
        check_judgeable(spec)
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
    digest = locate(spec).fingerprint
    if claimed is None or spec.partition(":")[0] in MODEL_SCHEMES:
        return digest
    return hashlib.sha256(f"{digest}\0{claimed}".encode()).hexdigest()[:DIGITS]
