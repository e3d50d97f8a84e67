"""What a process of somebody else's code prints: its first and last bytes, and how many between."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from struct import Struct
from threading import Thread
from time import sleep
from typing import NamedTuple

from ludus.escaping import escape_text

__all__ = [
    "MOST_FIRST",
    "MOST_LAST",
    "PrintReader",
    "Printed",
    "flush_printed",
    "leave_out_middle",
    "print_into",
    "read_printed",
]

MOST_FIRST = 8 * 1024
"""How many bytes are kept of what a process prints first."""

MOST_LAST = 24 * 1024
"""How many bytes are kept of what it prints last, where its errors are."""

HEADER = Struct("<QI")
"""How many bytes were dropped, and how many are the first ones."""

CHUNK = 65_536
PAUSE = 0.001  # seconds between two looks, so that not every line wakes the reader
PATIENCE = 0.5  # seconds for what is still in the pipe when the processes are gone


class Printed(NamedTuple):
    """What processes have printed, to both streams.

    Attributes:
        first: The first bytes.
        dropped: How many followed that nobody has kept.
        last: The bytes after those.
    """

    first: bytes = b""
    dropped: int = 0
    last: bytes = b""

    def add(self, other: Printed) -> Printed:
        """Return what is kept of this and of what another process printed after it."""
        keeper = _PrintKeeper()
        keeper.take_in(self)
        ends = (self.last or self.first)[-1:]
        if ends not in (b"", b"\n") and other.first:
            keeper.take(b"\n")
        keeper.take_in(other)
        return keeper.printed

    def to_lines(self) -> list[str]:
        r"""Return lines whose every character can be seen; one of them says what was dropped.

        Example:
            >>> Printed(b"one\n\x1b[2Jtwo\0\n", 5, b"end").to_lines()
            ['one', '\\x1b[2Jtwo\\x00', '… 5 bytes are left out here', 'end']
        """
        if not self.dropped:
            return _split_lines(self.first + self.last)
        gap = f"… {self.dropped:,} bytes are left out here"
        return [*_split_lines(self.first), gap, *_split_lines(self.last)]


def _split_lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", "backslashreplace").removesuffix("\n")
    most = 4 * (MOST_FIRST + MOST_LAST)
    return [escape_text(line, most) for line in text.split("\n")] if text else []


def leave_out_middle(lines: list[str], most: int) -> list[str]:
    """Return at most so many lines of a log, the last ones rather than the first.

    Example:
        >>> leave_out_middle(["a", "b", "c", "d", "e", "f"], 4)
        ['a', '… 3 lines are left out here', 'e', 'f']
    """
    if len(lines) <= most:
        return lines
    first = most // 3
    last = most - first - 1
    gap = f"… {len(lines) - first - last:,} lines are left out here"
    return [*lines[:first], gap, *lines[-last:]]


class _PrintKeeper:
    """Keeps the first and the last of many bytes."""

    def __init__(self) -> None:
        self._first, self._last = bytearray(), bytearray()
        self._dropped = 0

    @property
    def printed(self) -> Printed:
        """What is kept so far."""
        return Printed(bytes(self._first), self._dropped, bytes(self._last))

    def take(self, data: bytes) -> None:
        """Take bytes that follow."""
        room = MOST_FIRST - len(self._first)
        self._first += data[:room]
        self._last += data[room:]
        over = max(len(self._last) - MOST_LAST, 0)
        del self._last[:over]
        self._dropped += over

    def take_in(self, printed: Printed) -> None:
        """Take what somebody else has kept; before a gap nothing but the first bytes is kept."""
        self.take(printed.first)
        if printed.dropped:
            self._dropped += len(self._last) + printed.dropped
            self._last.clear()
        self.take(printed.last)


class PrintReader:
    """Reads a pipe in a thread, so that whoever prints waits for nobody and fills nothing.

    Attributes:
        target: Where the process prints to, until :meth:`start`.
    """

    def __init__(self) -> None:
        self._source, self.target = os.pipe()
        self._keeper = _PrintKeeper()
        self._thread = Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """Begin to read; the end that is written to is left to the process that prints."""
        os.close(self.target)
        self._thread.start()

    def finish(self, target: int) -> None:
        """Write what was read to a pipe, when the processes are gone.

        Whoever else has the pipe open and goes on printing is not waited for. What a pipe has no
        room for is lost.
        """
        self._thread.join(PATIENCE)
        first, dropped, last = self._keeper.printed
        os.set_blocking(target, False)
        with suppress(OSError):
            os.write(target, HEADER.pack(dropped, len(first)) + first + last)

    def _read(self) -> None:
        while chunk := os.read(self._source, CHUNK):
            self._keeper.take(chunk)
            sleep(PAUSE)


def read_printed(source: int) -> Printed:
    """Return what :meth:`PrintReader.finish` wrote to a pipe, and close it; wait for nothing."""
    content = b""
    os.set_blocking(source, False)
    with suppress(OSError):
        content = os.read(source, HEADER.size + MOST_FIRST + MOST_LAST)
    os.close(source)
    if len(content) < HEADER.size:
        return Printed()
    dropped, length = HEADER.unpack(content[: HEADER.size])
    end = HEADER.size + length
    return Printed(content[HEADER.size : end], dropped, content[end:])


def print_into(target: int) -> None:
    """Let this process print into a pipe, line by line: it may be killed at any time."""
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(target, descriptor)
        stream = open(  # noqa: SIM115
            descriptor, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
        setattr(sys, name, stream)


def flush_printed() -> None:
    """Let go of lines that have not ended; whatever the code has made of its streams."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):
            stream.flush()
