"""The files that belong to an agent: what its sandbox lets it read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ludus.agents.foreign.command import Command, read_command
from ludus.agents.foreign.java_files import find_java_class
from ludus.agents.locating import locate

__all__ = ["find_own_files"]

CODE = (".py", ".pyc", ".so", ".dylib")
STORES = (".db", ".sqlite", ".sqlite3", ".db-wal", ".db-shm", ".seasons", ".inflight", ".events")
PRIVATE = 0o077
EVERYBODYS = 0o004


def find_own_files(spec: str) -> list[Path]:
    """Return what lies beside an agent's code, or the one file of an agent that is none.

    Code of a package has all of the package, a class in Java its folder of classes. An
    environment's files are found by its spec likewise. A program has besides its interpreter, and
    files that its arguments name, if everybody may read them.

    Stores, hidden files and files that only their owner may read are left out, so that neither
    records nor keys nor secrets of seasons are shown to an agent that lies beside them.

    Raises:
        AgentError: There is no such agent.
    """
    file = locate(spec).file
    if file is None:
        return []
    if command := read_command(spec.partition("#")[0]):
        return sorted({*_readable_beside(file, file.parent), *_named_by(command)})
    java = find_java_class(spec.partition("#")[0])
    if java is not None:
        return sorted(_readable_beside(file, java.folder))
    if file.suffix not in CODE:
        return [file]
    return sorted(_readable_beside(file, _find_folder(spec, file)))


def _find_folder(spec: str, file: Path) -> Path:
    """Return the folder of a file, or that of the outermost package if the spec names a module."""
    module = spec.partition("#")[0].rpartition(":")[0]
    words = [] if module.endswith(".py") else module.split(".")
    depth = len(words) - (file.stem != "__init__")
    return file.parents[max(depth - 1, 0)]


def _named_by(command: Command) -> Iterator[Path]:
    """Yield the interpreter of a program, and the files of its arguments that are nobody's own."""
    if command.interpreter:
        yield command.interpreter
    for file in command.named_files:
        hidden = file.name.startswith(".") or file.suffix in STORES
        if not hidden and file.stat().st_mode & EVERYBODYS:
            yield file


def _readable_beside(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the file, and what may be read in a folder, links only if they stay in it."""
    yield file
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.suffix in STORES:
            continue
        if _may_be_read(entry, folder):
            yield entry


def _may_be_read(entry: Path, folder: Path) -> bool:
    """Return whether others than its owner may read it, and it is no link that leads elsewhere."""
    with suppress(OSError, RuntimeError):  # a link to nowhere, or in a circle
        return entry.resolve().parent == folder and bool(entry.stat().st_mode & PRIVATE)
    return False
