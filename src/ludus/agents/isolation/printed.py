"""What a process of somebody else's code prints: the first of it is kept, the rest is counted."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from struct import Struct
from threading import Thread
from time import sleep
from typing import NamedTuple

from ludus.escaping import escape_text

__all__ = ["MOST_KEPT", "PrintReader", "Printed", "flush_printed", "print_into", "read_printed"]

MOST_KEPT = 8192
"""How many bytes are kept of what a process prints."""

DROPPED = Struct("<Q")
CHUNK = 65_536
PAUSE = 0.001  # seconds between two looks, so that not every line wakes the reader
PATIENCE = 0.5  # seconds for what is still in the pipe when the processes are gone


class Printed(NamedTuple):
    """What processes have printed, to both streams.

    Attributes:
        kept: The first bytes.
        dropped: How many followed.
    """

    kept: bytes = b""
    dropped: int = 0

    def add(self, kept: bytes, dropped: int) -> Printed:
        """Return what is kept of this and of what another process printed after it."""
        begun = self.kept and not self.kept.endswith(b"\n")
        both = self.kept + (b"\n" if begun and kept else b"") + kept
        over = max(len(both) - MOST_KEPT, 0)
        return Printed(both[:MOST_KEPT], self.dropped + dropped + over)

    def to_lines(self) -> list[str]:
        r"""Return lines whose every character can be seen; the last one says what was dropped.

        Example:
            >>> Printed(b"one\n\x1b[2Jtwo\0\n", 5).to_lines()
            ['one', '\\x1b[2Jtwo\\x00', '… and 5 bytes more, which were dropped']
        """
        text = self.kept.decode("utf-8", "backslashreplace").removesuffix("\n")
        lines = [escape_text(line, MOST_KEPT * 4) for line in text.split("\n")] if text else []
        if self.dropped:
            lines.append(f"… and {self.dropped:,} bytes more, which were dropped")
        return lines


class PrintReader:
    """Reads a pipe in a thread, so that whoever prints waits for nobody and fills nothing.

    Attributes:
        target: Where the process prints to, until :meth:`start`.
    """

    def __init__(self) -> None:
        self._source, self.target = os.pipe()
        self._kept = bytearray()
        self._dropped = 0
        self._thread = Thread(target=self._read, daemon=True)

    def start(self) -> None:
        """Begin to read; the end that is written to is left to the process that prints."""
        os.close(self.target)
        self._thread.start()

    def finish(self, target: int) -> None:
        """Write what was read to a pipe, when the processes are gone.

        Whoever else has the pipe open and goes on printing is not waited for.
        """
        self._thread.join(PATIENCE)
        with suppress(OSError):
            os.write(target, DROPPED.pack(self._dropped) + self._kept)

    def _read(self) -> None:
        while chunk := os.read(self._source, CHUNK):
            room = MOST_KEPT - len(self._kept)
            self._kept += chunk[:room]
            self._dropped += max(len(chunk) - room, 0)
            sleep(PAUSE)


def read_printed(source: int) -> Printed:
    """Return what :meth:`PrintReader.finish` wrote to a pipe, and close it; wait for nothing."""
    content = b""
    os.set_blocking(source, False)
    with suppress(OSError):
        content = os.read(source, DROPPED.size + MOST_KEPT)
    os.close(source)
    if len(content) < DROPPED.size:
        return Printed()
    return Printed(content[DROPPED.size :], *DROPPED.unpack(content[: DROPPED.size]))


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
