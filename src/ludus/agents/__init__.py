"""Agents: their interface, how to load them by name, and the baselines of each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.contract import Agent
from ludus.lazy_names import lazy_names

if TYPE_CHECKING:
    from ludus.agents.isolation import find
    from ludus.agents.loading import AgentSource, load
    from ludus.agents.registry import names
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {"isolation": ["find"], "loading": ["AgentSource", "load"], "registry": ["names"]},
    )

__all__ = ["Agent", "AgentSource", "find", "load", "names"]
