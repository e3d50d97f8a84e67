"""The sandbox: what an agent's process gives up, for good, before it runs the agent's code."""

from __future__ import annotations

from ludus.agents.sandbox.confinement import clean_environment, confine
from ludus.agents.sandbox.layers import Layer, find_layers, has_sandbox
from ludus.agents.sandbox.profiles import PROFILES, Confinement

__all__ = [
    "PROFILES",
    "Confinement",
    "Layer",
    "clean_environment",
    "confine",
    "find_layers",
    "has_sandbox",
]
