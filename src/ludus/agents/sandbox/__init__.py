"""The sandbox: what an agent's process gives up, for good, before it runs the agent's code."""

from __future__ import annotations

from ludus.agents.sandbox.confinement import (
    Confinement,
    clean_environment,
    confine,
    receive_refused,
)
from ludus.agents.sandbox.layers import Layer, find_layers, has_sandbox

__all__ = [
    "Confinement",
    "Layer",
    "clean_environment",
    "confine",
    "find_layers",
    "has_sandbox",
    "receive_refused",
]
