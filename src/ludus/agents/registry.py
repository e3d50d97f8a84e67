"""Agents by name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple

from ludus.agents.protocol import Agent
from ludus.errors import AgentError

__all__ = ["load", "names"]


class _Entry(NamedTuple):
    """Where a registered agent lives and what it does."""

    module: str
    factory: str
    summary: str


_REGISTERED = {
    "idle": _Entry("ludus.agents.platformer.idle", "Idle", "presses nothing, ever"),
    "random": _Entry(
        "ludus.agents.platformer.random", "Random", "holds random buttons, mostly to the right"
    ),
    "forward-jumping": _Entry(
        "ludus.agents.platformer.forward_jumping",
        "ForwardJumping",
        "runs right and jumps whenever it can",
    ),
    "rule-based": _Entry(
        "ludus.agents.platformer.rule_based",
        "RuleBased",
        "looks ahead for gaps, walls and creatures and jumps them",
    ),
    "astar": _Entry(
        "ludus.agents.platformer.astar",
        "AStar",
        "plans with the forward model, best node first",
    ),
}


def names() -> dict[str, str]:
    """Return every registered agent's name with one line on what it does."""
    return {name: entry.summary for name, entry in _REGISTERED.items()}


def load(spec: str) -> Agent[Any, Any]:
    """Return a new agent by its registered name.

    Raises:
        AgentError: There is none of that name; the message lists those there are.

    Example:
        >>> load("forward-jumping").name
        'forward-jumping'
    """
    entry = _REGISTERED.get(spec)
    if entry is None:
        close = get_close_matches(spec, _REGISTERED, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise AgentError(f"no agent {spec!r}; {hint}there are {', '.join(_REGISTERED)}")
    agent: Agent[Any, Any] = getattr(import_module(entry.module), entry.factory)()
    return agent
