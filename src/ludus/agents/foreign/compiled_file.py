"""An agent that is one compiled file: what is known of it before it is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludus.agents.fingerprint import fingerprint
from ludus.agents.sandbox.profiles import PYTHON

__all__ = ["CompiledFile"]


@dataclass(frozen=True, slots=True)
class CompiledFile:
    """A file that was found, but not read.

    Attributes:
        file: Its absolute path.
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
        """Return a digest of the file.

        Raises:
            OSError: It cannot be read.
        """
        return fingerprint(self.file)
