"""Who plays: the agent protocol, agents by name, and the baseline players of each game."""

from __future__ import annotations

from ludus.agents.loading import AgentSource, find, load
from ludus.agents.protocol import Agent
from ludus.agents.registry import names

__all__ = ["Agent", "AgentSource", "find", "load", "names"]
