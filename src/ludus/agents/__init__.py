"""Agents: their interface, how to load them by name, and the baselines of each game."""

from __future__ import annotations

from ludus.agents.isolation import find
from ludus.agents.loading import AgentSource, load
from ludus.agents.registry import names
from ludus.contract import Agent

__all__ = ["Agent", "AgentSource", "find", "load", "names"]
