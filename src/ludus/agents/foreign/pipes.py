"""A program and the pipes to it: sends one message, waits for one answer, keeps the log short."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from threading import Thread
from typing import Protocol

from ludus.agents.foreign.command import Command
from ludus.agents.isolation import _pipes
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
        memory: A descriptor that it shares, if there is such memory.

    Attributes:
        output: The pipe that the program writes its answers to.

    Raises:
        AgentFault: It cannot be started.
    """

    def __init__(self, command: Command, memory: int | None = None) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [str(command.file), *command.arguments],
                stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0,
                pass_fds=() if memory is None else (memory,), preexec_fn=_leave,
            )  # fmt: skip
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            raise AgentFault(f"cannot be started: {clean_text(error)}") from None
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._input, self.output, self._errors = (one.fileno() for one in streams if one)
        os.set_blocking(self.output, False)  # whoever waits looks for a while before it sleeps
        self._log = b""
        self._reader = Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def ask(self, message: bytes, reader: FindsEnd) -> bytes:
        """Send a message and return the one answer to it.

        Raises:
            AgentFault: The program has ended, or wrote more than one answer.
        """
        try:
            received = _pipes.ask(self._input, self.output, message)
        except ValueError:
            raise AgentFault("wrote something that it was not asked for") from None
        except OSError:
            raise self.describe_end() from None
        if not received:
            raise self.describe_end()
        while not (end := reader.find_end(received)):
            piece = _pipes.receive(self.output)
            if not piece:
                raise self.describe_end(broken_off=True)
            received += piece
        if len(received) > end:
            raise AgentFault("wrote more than one answer to one message")
        return received

    def close(self) -> None:
        """Let the program end by itself, but not for long."""
        if self._process.stdin:
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)

    def send(self, message: bytes) -> None:
        """Send a message that has no answer, if the program reads."""
        os.set_blocking(self._input, False)
        with suppress(OSError):
            os.write(self._input, message)

    def kill(self) -> None:
        """End the program with all that it has started, if it has not ended yet."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        kill_children()
        self._reader.join(GRACE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                stream.close()

    def describe_end(self, *, broken_off: bool = False) -> AgentFault:
        """Return why no answer comes any more."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
            self._reader.join(GRACE)
        lines = clean_text(self._log.decode("utf-8", "replace").strip().rpartition("\n")[2])
        log = f"; its log ends with {lines[:MOST_SAID]!r}" if lines else ""
        part = " in the middle of an answer" if broken_off else ""
        return AgentFault(f"the program {self._describe_code()}{part}{log}")

    def _read_log(self) -> None:
        """Pass the log on as long as there is one, so that whoever writes it waits for nobody."""
        with suppress(OSError):
            while piece := os.read(self._errors, PIECE):
                self._log = (self._log + piece)[-LOG_BYTES:]
                with suppress(OSError):
                    os.write(2, piece)

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
