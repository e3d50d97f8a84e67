"""What an agent's process hands over to its keeper before the agent runs: scratch and listener."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from ludus.agents.sandbox.confinement import allow_process, receive_notice
from ludus.agents.sandbox.scratch import Scratch

__all__ = ["SandboxWatch", "hand_over_listener", "hand_over_scratch", "open_handover_sockets"]

MOUNTED, WATCHED, LISTENER = b"m", b"w", b"l"
MOST_BYTES = 4096


def open_handover_sockets() -> tuple[socket.socket, socket.socket]:
    """Return two ends of a socket: the keeper's, and that of the agent's process."""
    whole_messages = sys.platform.startswith("linux")  # elsewhere nothing is handed over
    kind = socket.SOCK_SEQPACKET if whole_messages else socket.SOCK_STREAM
    return socket.socketpair(socket.AF_UNIX, kind)


def hand_over_scratch(keeper: socket.socket, scratch: Scratch) -> None:
    """Hand the scratch folder over: the keeper removes it at the end."""
    kind = MOUNTED if scratch.mounted else WATCHED
    socket.send_fds(keeper, [kind + os.fsencode(scratch.folder)], [scratch.lock])
    os.close(scratch.lock)


def hand_over_listener(keeper: socket.socket, listener: int) -> None:
    """Hand over what tells of calls that only an attack makes; -1 if there is nothing."""
    if listener >= 0:
        socket.send_fds(keeper, [LISTENER], [listener])
        os.close(listener)


class SandboxWatch:
    """A keeper's view of its agent's sandbox.

    Args:
        agent: The socket by which the agent's process hands over what belongs to its sandbox.
    """

    def __init__(self, agent: socket.socket) -> None:
        self._agent: socket.socket | None = agent
        self._listener: int | None = None
        self._asked: int | None = None
        self._scratch: Scratch | None = None

    @property
    def waited_on(self) -> list[int]:
        """The descriptors that become readable when there is something to take in."""
        agent = [self._agent.fileno()] if self._agent else []
        return agent + ([self._listener] if self._listener is not None else [])

    @property
    def seconds_between_looks(self) -> float:
        """How often to look at the scratch folder."""
        return 0.02 if self._scratch and not self._scratch.mounted else 0.1

    def find_offence(self, readable: list[int]) -> str:
        """Take in what was handed over; return what the agent did that ends it, or nothing."""
        if self._agent and self._agent.fileno() in readable:
            self._take_in(self._agent)
        if self._listener is not None and self._listener in readable:
            return self._take_notice(self._listener)
        if self._scratch and self._scratch.is_too_large():
            return "wrote too much to its scratch folder"
        return ""

    @property
    def asks_for_process(self) -> bool:
        """Whether the agent waits for the consent to start a process."""
        return self._asked is not None

    def allow_process(self) -> None:
        """Let the agent start the process that it waits for."""
        number, self._asked = self._asked, None
        if self._listener is not None and number is not None:
            with suppress(OSError):  # who asked is gone
                allow_process(self._listener, number)

    def close(self) -> None:
        """Remove the scratch folder, when the agent's processes are gone."""
        if self._scratch:
            self._scratch.remove()

    def _take_in(self, agent: socket.socket) -> None:
        message, descriptors, _, _ = socket.recv_fds(agent, MOST_BYTES, 1)
        if message[:1] == LISTENER:
            self._listener = descriptors[0]
        elif message:
            folder = Path(os.fsdecode(message[1:]))
            self._scratch = Scratch(folder, descriptors[0], message[:1] == MOUNTED)
        else:
            agent.close()
            self._agent = None

    def _take_notice(self, listener: int) -> str:
        try:
            refused, process = receive_notice(listener)
        except FileNotFoundError:  # who was stopped is gone, others may follow
            return ""
        except OSError:  # all are gone
            self._listener = None
            return ""
        if not refused:
            self._asked = process
            return ""
        return f"made the system call {refused}, which the sandbox refuses"
