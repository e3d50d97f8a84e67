"""Which door an agent comes by that is not written in Python; nothing of it is run to tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from ludus.agents.foreign.c_library import read_library
from ludus.agents.foreign.command import read_command
from ludus.agents.foreign.java_files import find_java_class
from ludus.agents.foreign.wasm import read_wasm
from ludus.agents.registry import BRAIN_SCHEME
from ludus.agents.sandbox.profiles import LEARNER, PYTHON
from ludus.context import RunContext

__all__ = ["ForeignAgent", "find_foreign_agent", "find_profile"]


class ForeignAgent(Protocol):
    """An agent that was found, but not started."""

    @property
    def file(self) -> Path:
        """The file that it begins with."""
        ...

    @property
    def profile(self) -> str:
        """Which of the sandbox's profiles it is confined by."""
        ...

    @property
    def spec(self) -> str:
        """The spec that finds it from anywhere."""
        ...

    def fingerprint(self) -> str:
        """Return a digest of all its files.

        Raises:
            OSError: One of them cannot be read.
        """
        ...

    def open(self, *, context: RunContext) -> Any:
        """Return the agent, ready to play.

        Raises:
            AgentError: The run does not allow it.
            AgentFault: It cannot be started.
        """
        ...


def find_foreign_agent(spec: str) -> ForeignAgent | None:
    """Return what a spec without variant leads to, or None if that is Python or nothing."""
    return find_java_class(spec) or read_library(spec) or read_wasm(spec) or read_command(spec)


def find_profile(spec: str) -> str:
    """Return which of the sandbox's profiles an agent is confined by."""
    if spec.partition(":")[0] == BRAIN_SCHEME:
        return LEARNER
    foreign = find_foreign_agent(spec.partition("#")[0])
    return foreign.profile if foreign else PYTHON
