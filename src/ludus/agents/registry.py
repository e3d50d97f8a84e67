"""Agents by name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import NamedTuple

__all__ = ["REGISTERED", "closest", "names"]


class _Entry(NamedTuple):
    """Where a registered agent lives and what it does."""

    module: str
    factory: str
    summary: str


REGISTERED = {
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
    "linear": _Entry(
        "ludus.agents.platformer.linear",
        "Linear",
        "weighs what it sees; an .npz file brings other weights",
    ),
    "astar": _Entry(
        "ludus.agents.platformer.astar",
        "AStar",
        "plans with the forward model, best node first",
    ),
}


def names() -> dict[str, str]:
    """Return every registered agent's name with one line on what it does."""
    plugins = {entry.name: f"from {entry.module}" for entry in entry_points(group="ludus.agents")}
    return {name: entry.summary for name, entry in REGISTERED.items()} | plugins


def closest(name: str) -> str:
    """Return a hint for a name that is not registered: the likeliest one, and all there are."""
    close = get_close_matches(name, names(), n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"{hint}there are {', '.join(names())}; "
