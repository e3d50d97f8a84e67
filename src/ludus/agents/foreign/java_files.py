"""The files of a Java agent: its classes, and the jar with the interfaces."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.fingerprint import DIGITS
from ludus.agents.sandbox.profiles import JAVA
from ludus.context import RunContext
from ludus.errors import AgentError

__all__ = ["JavaClass", "find_archive", "find_java_class"]

ARCHIVE = "ludus-agents.jar"
LIBRARY = "libludusjni.so"
MOST_FILES = 100_000
_NAME = re.compile(r"[^\W\d][\w$]*(\.[^\W\d][\w$]*)*")


class JavaClass(NamedTuple):
    """A class of a jar or of a folder of classes.

    Attributes:
        place: The jar or the folder.
        name: The name of the class with its packages.
    """

    place: Path
    name: str

    @property
    def file(self) -> Path:
        """The jar, or the file of the class in the folder."""
        if self.place.suffix == ".jar":
            return self.place
        return self.place / f"{self.name.replace('.', '/')}.class"

    @property
    def profile(self) -> str:
        """Which of the sandbox's profiles it is confined by."""
        return JAVA

    @property
    def folder(self) -> Path:
        """The folder of the jar, or of the classes."""
        return self.place.parent if self.place.suffix == ".jar" else self.place

    @property
    def spec(self) -> str:
        """The spec that finds it from anywhere."""
        return f"{self.place}:{self.name}"

    def open(self, *, context: RunContext) -> Any:
        """Return the agent, in a virtual machine of its own."""
        from ludus.agents.foreign.java import open_java_agent

        return open_java_agent(self.spec, context=context)

    def fingerprint(self) -> str:
        """Return a digest of the jar, or of all classes of the folder.

        Raises:
            OSError: A file cannot be read.
            ValueError: There are too many of them.
        """
        if self.place.suffix == ".jar":
            return hashlib.sha256(self.place.read_bytes()).hexdigest()[:DIGITS]
        files = sorted(self.place.rglob("*.class"))
        if len(files) > MOST_FILES:
            raise ValueError(f"more than {MOST_FILES} classes in {str(self.place)!r}")
        digest = hashlib.sha256()
        for file in files:
            name = file.relative_to(self.place).as_posix()
            digest.update(f"{name}\0{file.stat().st_size}\0".encode() + file.read_bytes())
        return digest.hexdigest()[:DIGITS]


def find_java_class(spec: str) -> JavaClass | None:
    """Return the class that ``agents.jar:package.Agent`` or ``FOLDER:package.Agent`` names.

    A folder is one of classes if it holds that class, if it is named with a slash, as no module of
    Python is, or if the class is in a package.

    Returns:
        None if the spec names something else. Whether there is such a file is not looked at.

    Example:
        >>> find_java_class("agents.jar:my.Agent").name
        'my.Agent'
        >>> find_java_class("my_agent.py:Agent")
    """
    source, _, name = spec.rpartition(":")
    if not source or "\0" in source or not _NAME.fullmatch(name):
        return None
    found = JavaClass(Path(source).resolve(), name)
    if source.endswith(".jar"):
        return found
    if not found.place.is_dir():
        return None
    surely = os.sep in source or "." in name
    return found if surely or found.file.is_file() else None


def find_archive() -> Path:
    """Return the jar with the interfaces; the engine lies beside it.

    Raises:
        AgentError: Ludus was built without them.
    """
    from ludus.agents.isolation import _mailbox

    # Beside the modules in C: an editable install keeps what was built apart from the sources.
    folder = Path(_mailbox.__file__).parents[1] / "foreign"
    if not all((folder / name).is_file() for name in (ARCHIVE, LIBRARY)):
        raise AgentError(
            "Ludus was built without a JDK, so it cannot play Java agents: install one "
            "(Debian: default-jdk-headless) and install Ludus again"
        )
    return folder / ARCHIVE
