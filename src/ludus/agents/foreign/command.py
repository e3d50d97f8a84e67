"""The spec of a program: the path of an executable file, and its arguments."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ludus.agents.sandbox.profiles import PROGRAM
from ludus.context import RunContext

__all__ = ["Command", "read_command"]

OTHER_KINDS = (".py", ".npz", ".so", ".dylib", ".jar", ".class", ".wasm", ".zip")
"""Endings of files that are agents of another kind, executable or not."""

DIGITS = 16
MOST_FIRST_LINE = 256  # as the kernel reads it


class Command(NamedTuple):
    """A program with its arguments.

    Attributes:
        file: The program, by its absolute path.
        arguments: What it is started with.
    """

    file: Path
    arguments: tuple[str, ...] = ()

    @property
    def profile(self) -> str:
        """Which of the sandbox's profiles it is confined by."""
        return PROGRAM

    @property
    def spec(self) -> str:
        """The spec that finds the program from anywhere: files have absolute paths."""
        files = (str(Path(word).resolve()) if _is_path(word) else word for word in self.arguments)
        return shlex.join([str(self.file), *files])

    @property
    def interpreter(self) -> Path | None:
        """What runs the program if it is a script: the first word behind ``#!``."""
        with self.file.open("rb") as file:
            line = file.readline(MOST_FIRST_LINE)
        words = line[2:].split() if line.startswith(b"#!") else []
        return Path(os.fsdecode(words[0])) if words else None

    @property
    def named_files(self) -> list[Path]:
        """The program, and every file that an argument names; of a folder, all its files."""
        paths = [self.file]
        for word in self.arguments:
            paths += _files_of(Path(word).resolve()) if _is_path(word) else ()
        return list(dict.fromkeys(paths))

    def open(self, *, context: RunContext) -> Any:
        """Start the program and return it as an agent."""
        from ludus.agents.foreign.program import open_program

        return open_program(self, context=context)

    def fingerprint(self) -> str:
        """Return a digest of the program, its arguments and the files that they name.

        Raises:
            OSError: One of them cannot be read.
        """
        digest = hashlib.sha256()
        for word in self.arguments:
            kind = "path" if _is_path(word) else f"word\0{word}"
            digest.update(f"{kind}\0{Path(word).is_dir()}\0".encode())
        for file in self.named_files:
            content = file.read_bytes()
            digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()[:DIGITS]


def read_command(spec: str) -> Command | None:
    """Return the program that a spec names, or None if it names something else.

    A program is a file that may be executed; its path has a slash, as in a shell. A spec that is
    the path of a program needs no quotes for its spaces.

    Example:
        >>> read_command("astar") is None, read_command("./my_agent.py:Agent") is None
        (True, True)
    """
    try:
        word, *arguments = [spec] if _is_path(spec) else shlex.split(spec)
    except ValueError:
        return None
    file = Path(word)
    if os.sep not in word or file.suffix in OTHER_KINDS or not file.is_file():
        return None
    return Command(file.resolve(), tuple(arguments)) if os.access(file, os.X_OK) else None


def _is_path(word: str) -> bool:
    """Return whether an argument names something that exists."""
    try:
        return bool(word) and Path(word).exists()
    except (OSError, ValueError):
        return False


def _files_of(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file())
    elif path.is_file():
        yield path
