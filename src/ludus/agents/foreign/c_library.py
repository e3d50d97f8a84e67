"""Agents as shared libraries: ``agent.so`` exports the functions of ``ludus/agent.h``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.fingerprint import fingerprint
from ludus.agents.sandbox.profiles import PYTHON
from ludus.context import RunContext
from ludus.errors import AgentError

__all__ = ["CLibrary", "read_library"]

ENDINGS = (".so", ".dylib")


class CLibrary(NamedTuple):
    """A shared library that was found, but not loaded.

    Attributes:
        file: The library, by its absolute path.
    """

    file: Path

    @property
    def profile(self) -> str:
        """Which of the sandbox's profiles it is confined by."""
        return PYTHON

    @property
    def spec(self) -> str:
        """The spec that finds it from anywhere."""
        return str(self.file)

    def fingerprint(self) -> str:
        """Return a digest of the library.

        Raises:
            OSError: It cannot be read.
        """
        return fingerprint(self.file)

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
