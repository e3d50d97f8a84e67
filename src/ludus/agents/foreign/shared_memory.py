"""Frames between Ludus and a program in memory that both share, with a wake-up."""

from __future__ import annotations

import os

from ludus.agents.foreign.pipes import Pipes
from ludus.agents.isolation import _mailbox
from ludus.agents.isolation.shared_channel import make_memory
from ludus.errors import AgentFault
from ludus.frames import FOREVER

__all__ = ["SharedFrames", "offer_memory"]

offer_memory = make_memory
UNUSED = 0


class SharedFrames:
    """The memory that a program shares.

    Nothing that the program writes there is trusted: a length is read once and checked, and a frame
    is copied before anybody looks at it.

    Args:
        memory: A descriptor of :func:`offer_memory`; it is closed.
        pipes: The program, whose standard output tells that it is gone.
    """

    def __init__(self, memory: int, pipes: Pipes) -> None:
        self._pipes = pipes
        box = _mailbox.Mailbox(memory, True, pipes.output)
        self._post, self._take = box.post, box.take
        os.close(memory)

    def ask(self, frame: bytes, most: int) -> bytes:
        """Send a frame without its length and return the one answer to it.

        Raises:
            AgentFault: The program has ended, or its answer is none.
        """
        self.send(frame)
        try:
            answer = self._take(most, FOREVER)[2]
        except EOFError:
            raise self._pipes.describe_end() from None
        except ValueError as error:
            raise AgentFault(f"broke off its frames: {error}") from None
        if not answer:
            raise AgentFault(f"wrote a frame of 0 bytes, not of 1 to {most}")
        return answer

    def send(self, frame: bytes) -> None:
        """Send a frame.

        Raises:
            AgentFault: It is too long for the memory.
        """
        if not self._post(UNUSED, UNUSED, frame):
            raise AgentFault(
                f"asks for frames in shared memory, which has no room for {len(frame)} bytes: "
                "ask for binary"
            )
