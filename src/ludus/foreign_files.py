"""Files that somebody else wrote: opened only if they are files, and read only within limits.

This module has all the limits, so that one place says how much of a foreign file Ludus takes in.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

from ludus.errors import one_line

__all__ = [
    "LIMITS",
    "Limit",
    "UnreadableFile",
    "open_binary",
    "open_text",
    "read_bytes",
    "read_lines",
    "read_text",
    "reason_of",
]

MB = 2**20
GB = 2**30

JSON_BYTES = 64 * MB
JSON_VALUES = 4_000_000
JSON_DEPTH = 64
JSON_DIGITS = 40
RUN_BYTES = 16 * GB
LEDGER_BYTES = 1 * GB
LINE_BYTES = 256 * MB
LINE_VALUES = 16_000_000
TABLE_BYTES = 256 * MB
TABLE_ROWS = 1_000_000
LEVEL_BYTES = 4 * MB
ARCHIVE_BYTES = 256 * MB
UNPACKED_BYTES = 512 * MB
ARCHIVE_MEMBERS = 4_096
ARCHIVE_RATIO = 1_032
RECORD_BYTES = 64 * MB
TEXT_BYTES = 16 * MB
ENTRY_BYTES = 32 * MB
ENTRY_FILES = 256
WASM_BYTES = 64 * MB


class Limit(NamedTuple):
    """How much of something Ludus takes in.

    Attributes:
        what: What is limited.
        most: How much of it there may be.
        unit: In what it is counted.
    """

    what: str
    most: int
    unit: str

    def __str__(self) -> str:
        if self.unit != "bytes":
            return f"{self.most:,} {self.unit}".strip()
        return f"{self.most // GB} GB" if self.most >= GB else f"{self.most // MB} MB"


LIMITS = (
    Limit(
        "a file of JSON: session, saved game, settings, published board, recording, votes",
        JSON_BYTES,
        "bytes",
    ),
    Limit("values in it", JSON_VALUES, "values"),
    Limit("a run as lines of JSON", RUN_BYTES, "bytes"),
    Limit("a ledger as lines of JSON", LEDGER_BYTES, "bytes"),
    Limit("a line of either", LINE_BYTES, "bytes"),
    Limit("values in a line", LINE_VALUES, "values"),
    Limit("nesting of any JSON", JSON_DEPTH, "levels"),
    Limit("a whole number in any JSON", JSON_DIGITS, "digits"),
    Limit("a table of scores: columns or lines of JSON", TABLE_BYTES, "bytes"),
    Limit("rows of it", TABLE_ROWS, "rows"),
    Limit("a level", LEVEL_BYTES, "bytes"),
    Limit("a checkpoint (.npz), packed", ARCHIVE_BYTES, "bytes"),
    Limit("a checkpoint, unpacked", UNPACKED_BYTES, "bytes"),
    Limit("arrays in a checkpoint", ARCHIVE_MEMBERS, "arrays"),
    Limit("how often a checkpoint may be as large unpacked", ARCHIVE_RATIO, "times"),
    Limit("a record of an episode, unpacked", RECORD_BYTES, "bytes"),
    Limit("code, prompts, prices and logs", TEXT_BYTES, "bytes"),
    Limit("an entry of an event, packed and unpacked", ENTRY_BYTES, "bytes"),
    Limit("files in it", ENTRY_FILES, "files"),
    Limit("an agent in WebAssembly", WASM_BYTES, "bytes"),
)
"""Every limit. The page on trust lists them."""


class UnreadableFile(ValueError):
    """A file is none, or holds more than is read; the message says why, and the caller where."""


@contextmanager
def open_binary(path: str | Path, most_bytes: int) -> Iterator[BinaryIO]:
    """Open a file to read at most so many bytes of it.

    A directory, a device or a pipe is refused without waiting for it. A file that grows while it
    is read is refused once it is too large.

    Raises:
        OSError: It cannot be opened.
        UnreadableFile: It is no plain file, or too large.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:  # a path with a NUL
        raise UnreadableFile(f"is no name of a file: {one_line(error)}") from error
    with open(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFile(f"is {_kind_of(status.st_mode)}, not a file")
        if status.st_size > most_bytes:
            raise _too_large(most_bytes)
        yield io.BufferedReader(_Bounded(file, most_bytes))


@contextmanager
def open_text(
    path: str | Path, most_bytes: int, *, newline: str | None = "", errors: str = "strict"
) -> Iterator[TextIO]:
    """Open a file of UTF-8, with or without a mark at its beginning, to read so many bytes of it.

    Raises:
        OSError: It cannot be opened.
        UnreadableFile: It is no plain file, or too large.
    """
    with open_binary(path, most_bytes) as file:
        yield io.TextIOWrapper(file, encoding="utf-8-sig", errors=errors, newline=newline)


def read_bytes(path: str | Path, most_bytes: int) -> bytes:
    """Return what a file holds.

    Raises:
        OSError: It cannot be opened or read.
        UnreadableFile: It is no plain file, or too large.
    """
    with open_binary(path, most_bytes) as file:
        return file.read()


def read_text(path: str | Path, most_bytes: int = TEXT_BYTES) -> str:
    """Return the text of a file of UTF-8.

    Raises:
        OSError: It cannot be opened or read.
        UnreadableFile: It is no plain file, too large, or no text.
    """
    return decode(read_bytes(path, most_bytes))


def read_lines(
    path: str | Path, most_bytes: int = RUN_BYTES, most_in_line: int = LINE_BYTES
) -> Iterator[str]:
    """Yield the lines of a file of UTF-8, one at a time.

    Raises:
        OSError: It cannot be opened or read.
        UnreadableFile: It is no plain file, too large, has a line that is, or is no text.
    """
    with open_binary(path, most_bytes) as file:
        while line := file.readline(most_in_line + 1):
            if len(line) > most_in_line:
                raise UnreadableFile(f"has a line of more than {most_in_line // MB} MB")
            yield decode(line)


def decode(data: bytes) -> str:
    """Return the text of bytes of UTF-8, without the mark at their beginning.

    Raises:
        UnreadableFile: They are no text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(
            f"is not text in UTF-8: byte {error.start} is 0x{data[error.start]:02x}"
        ) from error


def reason_of(error: OSError) -> str:
    """Return why a file cannot be read or written, without its name."""
    return error.strerror or one_line(error)


class _Bounded(io.RawIOBase):
    """Reads a file and refuses to go on after so many bytes."""

    def __init__(self, file: io.FileIO, most_bytes: int) -> None:
        self._file, self._left, self._most = file, most_bytes, most_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = self._file.readinto(buffer) or 0
        self._left -= count
        if self._left < 0:
            raise _too_large(self._most)
        return count


def _too_large(most_bytes: int) -> UnreadableFile:
    return UnreadableFile(f"is larger than {most_bytes // MB} MB, the most that is read")


def _kind_of(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")
