"""Frames between processes: a number, a kind and some bytes, with a limit and a deadline for each.

Neither end trusts the other. A frame that announces more bytes than its reader takes is refused
before anything is allocated. A frame that is written by halves is waited for until the deadline and
no longer.
"""

from __future__ import annotations

import os
import select
from struct import Struct
from time import monotonic
from typing import NamedTuple

__all__ = ["Channel", "Frame", "FrameReader"]

HEADER = Struct("<IIB")
"""The length of the bytes, the number of the frame, and its kind."""

CHUNK = 65_536
LARGE_CHUNK = 2**20
FOREVER = 1e9


class Frame(NamedTuple):
    """What one process has written to another."""

    number: int
    kind: int
    content: bytes


class FrameReader:
    """Puts frames together from the bytes that have arrived; never waits.

    Args:
        limit: The most bytes of a frame.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes that have arrived."""
        self._bytes += data

    @property
    def missing(self) -> int:
        """How many bytes the frame that has begun still lacks; 0 if that is not known yet."""
        if len(self._bytes) < HEADER.size:
            return 0
        length: int = HEADER.unpack_from(self._bytes)[0]
        return max(HEADER.size + min(length, self.limit) - len(self._bytes), 0)

    def next_frame(self) -> Frame | None:
        """Return the next complete frame, or None if there is none yet.

        Raises:
            ValueError: It announces more bytes than the limit.
        """
        if len(self._bytes) < HEADER.size:
            return None
        length, number, kind = HEADER.unpack_from(self._bytes)
        if length > self.limit:
            raise ValueError(f"a frame of {length} bytes is longer than {self.limit}")
        end = HEADER.size + length
        if len(self._bytes) < end:
            return None
        content = bytes(self._bytes[HEADER.size : end])
        del self._bytes[:end]
        return Frame(number, kind, content)


class Channel:
    """The two file descriptors by which a process speaks with another.

    Args:
        incoming: What is read.
        outgoing: What is written; may be the same socket.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        os.set_blocking(incoming, False)
        os.set_blocking(outgoing, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(incoming, select.POLLIN)
        self._writable.register(outgoing, select.POLLOUT)
        self._reader = FrameReader(0)
        self._closed = False

    def send(self, number: int, kind: int, content: bytes, seconds: float = FOREVER) -> None:
        """Write a frame.

        Raises:
            TimeoutError: The other process has not read it in time.
            OSError: The other process is gone.
        """
        data = HEADER.pack(len(content), number, kind) + content
        try:
            sent = os.write(self._outgoing, data)
        except BlockingIOError:
            sent = 0
        if sent < len(data):
            self._send_rest(memoryview(data)[sent:], monotonic() + seconds)

    def receive(self, limit: int, seconds: float = FOREVER) -> Frame:
        """Return the next frame.

        Raises:
            TimeoutError: It has not arrived in time.
            ValueError: It is longer than the limit.
            EOFError: The other process is gone.
        """
        deadline = monotonic() + seconds
        self._reader.limit = limit
        frame = self._reader.next_frame()
        while frame is None:
            left = deadline - monotonic()
            if left <= 0 or not self._readable.poll(_milliseconds(left)):
                raise TimeoutError("no answer in time")
            self._reader.feed(self._read())
            frame = self._reader.next_frame()
        return frame

    def receive_now(self, limit: int) -> list[Frame]:
        """Return the frames that are complete, having read once; never wait.

        Raises:
            ValueError: One is longer than the limit.
            EOFError: The other process is gone.
        """
        self._reader.limit = limit
        self._reader.feed(self._read())
        frames = []
        while frame := self._reader.next_frame():
            frames.append(frame)
        return frames

    def fileno(self) -> int:
        """Return the descriptor that is read."""
        return self._incoming

    def close(self) -> None:
        """Close both descriptors."""
        if not self._closed:
            self._closed = True
            for descriptor in {self._incoming, self._outgoing}:
                os.close(descriptor)

    def _read(self) -> bytes:
        try:
            data = os.read(self._incoming, max(CHUNK, min(self._reader.missing, LARGE_CHUNK)))
        except BlockingIOError:
            return b""
        except OSError as error:
            raise EOFError(str(error)) from error
        if not data:
            raise EOFError("the other process is gone")
        return data

    def _send_rest(self, data: memoryview, deadline: float) -> None:
        while data:
            left = deadline - monotonic()
            if left <= 0 or not self._writable.poll(_milliseconds(left)):
                raise TimeoutError("what was written is not read")
            try:
                data = data[os.write(self._outgoing, data[:LARGE_CHUNK]) :]
            except BlockingIOError:
                continue


def _milliseconds(seconds: float) -> int:
    return int(1000 * min(seconds, 1e6)) + 1
