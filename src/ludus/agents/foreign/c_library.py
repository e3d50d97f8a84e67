"""Agents as shared libraries: ``agent.so`` exports the functions of ``ludus/agent.h``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludus.agents.foreign.compiled_file import CompiledFile
from ludus.context import RunContext
from ludus.errors import AgentError

__all__ = ["CLibrary", "read_library"]

ENDINGS = (".so", ".dylib")


class CLibrary(CompiledFile):
    """A shared library."""

    def open(self, *, context: RunContext) -> Any:
        """Load the library into this process and return its agent.

        Raises:
            AgentError: It is no library with an agent.
        """
        del context  # it may do what its process may
        if not self.file.is_file():
            raise AgentError(f"there is no file {str(self.file)[:200]!r}")
        from ludus.agents.foreign.library_agent import open_library

        return open_library(self.file)


def read_library(spec: str) -> CLibrary | None:
    """Return the library that a spec names, or None if it names something else.

    Example:
        >>> read_library("agents/mine.so").file.name, read_library("astar")
        ('mine.so', None)
    """
    if not spec.endswith(ENDINGS) or "\0" in spec:
        return None
    return CLibrary(Path(spec).resolve())
