"""Frames by shared memory: what is short goes through it, what is long goes through pipes."""

from __future__ import annotations

import fcntl
import os
from time import monotonic

from ludus.agents.isolation import _mailbox
from ludus.frames import FOREVER, Channel

__all__ = ["SharedChannel", "make_memory", "open_channel"]

NOTHING = -1


def make_memory() -> int | None:
    """Return a descriptor of new memory that nobody can shrink or grow; None where there is none.

    Memory that could be shrunk would end a process that reads it.
    """
    try:
        memory = os.memfd_create("ludus-agent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    except (AttributeError, OSError):
        return None
    os.ftruncate(memory, _mailbox.MEMORY_BYTES)
    fcntl.fcntl(
        memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
    )
    return memory


class SharedChannel:
    """Speaks as a :class:`~ludus.frames.Channel` does, by memory that both processes share.

    Args:
        memory: A descriptor of :func:`make_memory`; it may be closed afterwards.
        pipes: What carries frames that are too long for the memory.
        asks: Whether this is the side that asks. Only this side looks for bytes in the pipes that
            belong to no frame, and ends the talk at the first.
    """

    def __init__(self, memory: int, pipes: Channel, *, asks: bool) -> None:
        self._pipes = pipes
        box = _mailbox.Mailbox(memory, asks, pipes.fileno() if asks else NOTHING)
        self._post, self._take = box.post, box.take

    def send(self, number: int, kind: int, content: bytes, seconds: float = FOREVER) -> None:
        """Write a frame.

        Raises:
            TimeoutError: The other process has not read it in time.
            OSError: The other process is gone.
        """
        if not self._post(number, kind, content):
            self._pipes.send(number, kind, content, seconds)

    def receive(self, limit: int, seconds: float = FOREVER) -> tuple[int, int, bytes]:
        """Return the next frame's number, kind and content.

        Raises:
            TimeoutError: It has not arrived in time.
            ValueError: It is longer than the limit, or not the only thing that was written.
            EOFError: The other process is gone.
        """
        deadline = monotonic() + seconds
        number, kind, content = self._take(limit, seconds)
        if content is None:
            return self._pipes.receive(limit, deadline - monotonic())
        return number, kind, content

    def close(self) -> None:
        """Close the pipes."""
        self._pipes.close()


def open_channel(
    incoming: int, outgoing: int, memory: int | None = None, *, asks: bool
) -> Channel | SharedChannel:
    """Return a channel by pipes, or by shared memory if there is some.

    Args:
        incoming: The pipe that is read.
        outgoing: The pipe that is written.
        memory: A descriptor of shared memory.
        asks: Whether this is the side that asks.
    """
    pipes = Channel(incoming, outgoing)
    return pipes if memory is None else SharedChannel(memory, pipes, asks=asks)
