"""A program and the pipes to it: sends one message, waits for one answer, keeps the log short."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from contextlib import suppress
from typing import Protocol

from ludus.agents.foreign.command import Command
from ludus.agents.isolation.linux import kill_children, shield_others
from ludus.errors import AgentFault, clean_text

__all__ = ["Pipes"]

PIECE = 65_536
LOG_BYTES = 4096
GRACE = 0.5  # seconds in which a program that was told to close may end by itself
MOST_SAID = 120


class FindsEnd(Protocol):
    """Who tells where an answer ends."""

    def find_end(self, received: bytes) -> int:
        """Return where the first answer ends, or 0 if it is not whole yet."""
        ...


class Pipes:
    """A running program.

    What it writes to its standard error is a log: the last line of it is shown when the program
    ends unasked.

    Args:
        command: The program with its arguments.

    Raises:
        AgentFault: It cannot be started.
    """

    def __init__(self, command: Command) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [str(command.file), *command.arguments],
                stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, preexec_fn=_leave,
            )  # fmt: skip
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise AgentFault(f"cannot be started: {clean_text(error)}") from None
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._input, self._output, self._errors = (one.fileno() for one in streams if one)
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)
        self._log = b""
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._poll.register(self._errors, select.POLLIN)

    def ask(self, message: bytes, reader: FindsEnd) -> bytes:
        """Send a message and return the one answer to it.

        Raises:
            AgentFault: The program has ended, or wrote more than one answer.
        """
        if self._poll.poll(0) and self._read_piece():
            raise AgentFault("wrote something that it was not asked for")
        self._send(message)
        received = b""
        while not (end := reader.find_end(received)):
            received += self._wait(received)
        if len(received) > end:
            raise AgentFault("wrote more than one answer to one message")
        return received

    def tell(self, message: bytes) -> None:
        """Send a message that has no answer, then let the program end by itself."""
        with suppress(AgentFault):
            self._send(message)
        if self._process.stdin:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)

    def kill(self) -> None:
        """End the program with all that it has started, if it has not ended yet."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        kill_children()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()

    def _send(self, message: bytes) -> None:
        left = message
        while left:
            try:
                written = os.write(self._input, left)
                left = left[written:] if written < len(left) else b""
            except BlockingIOError:  # it does not read: it may wait for its log to be read
                self._read_log()
                select.select([self._errors], [self._input], [], 1.0)
            except OSError:
                raise self._describe_end() from None

    def _wait(self, received: bytes) -> bytes:
        """Return what the program writes next."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._errors:
                    self._read_log()
                elif piece := self._read_piece():
                    return piece
                elif piece == b"":
                    raise self._describe_end(broken_off=bool(received))

    def _read_piece(self) -> bytes | None:
        """Return what was written meanwhile: None if nothing was, nothing at the end."""
        try:
            return os.read(self._output, PIECE)
        except BlockingIOError:
            return None

    def _read_log(self) -> None:
        with suppress(BlockingIOError):
            piece = os.read(self._errors, PIECE)
            self._log = (self._log + piece)[-LOG_BYTES:]
            if not piece:
                with suppress(KeyError):
                    self._poll.unregister(self._errors)

    def _describe_end(self, *, broken_off: bool = False) -> AgentFault:
        """Return why no answer comes any more."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._read_log()
        lines = clean_text(self._log.decode("utf-8", "replace").strip().rpartition("\n")[2])
        log = f"; its log ends with {lines[:MOST_SAID]!r}" if lines else ""
        part = " in the middle of an answer" if broken_off else ""
        return AgentFault(f"the program {self._describe_code()}{part}{log}")

    def _describe_code(self) -> str:
        code = self._process.poll()
        if code is None:
            return "closed its output"
        if code >= 0:
            return f"ended with code {code}"
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"


def _leave() -> None:
    """Let the program that this process becomes have a session, and keep it from its parent."""
    os.setsid()
    shield_others()
