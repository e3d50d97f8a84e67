"""A Java virtual machine as a child of this process: questions and answers by two pipes."""

from __future__ import annotations

import os
import subprocess
import threading
from contextlib import suppress
from enum import IntEnum

from ludus.agents.foreign.java_files import JavaClass
from ludus.agents.foreign.java_runtime import find_java_home, list_options
from ludus.errors import AgentDied, AgentFault, AgentLate, clean_text
from ludus.frames import Channel
from ludus.games.platformer.view import View

__all__ = ["Ask", "JavaProcess"]

MOST_ANSWER = 65_536
CHUNK = 65_536
MOST_PRINTED = 500_000
"""Bytes that an agent may print for an episode."""

CRASHED = b"A fatal error has been detected by the Java Runtime Environment"
"""What a virtual machine prints of itself; it then ends with a code that says nothing."""

STARTING = 60.0  # seconds that a virtual machine may take to start on a busy machine
ENDING = 5.0
HEAP_SHARE = 0.7  # of the memory that a run allows; the rest is for the machine itself
MAIN_CLASS = "ludus.PipeRunner"


class Ask(IntEnum):
    """What the runner is asked."""

    LOAD = 1
    LEVEL = 2
    ACT = 3
    JUDGE = 4
    BUDGET = 5
    UNITS = 6
    PROFILE = 7


VALUE, FAILED = 1, 2
GOES_ON, BEGINS = b"\x00", b"\x01"


class JavaProcess:
    """A virtual machine that plays one agent.

    What the agent prints goes to standard error, up to a limit; it cannot reach the pipes.

    Args:
        java_class: The agent.
        memory: Bytes that the run allows; 0 for no limit.
        seconds: How long to wait for a decision.

    Raises:
        AgentError: There is no Java here, or Ludus was built without it.
    """

    def __init__(self, java_class: JavaClass, memory: int = 0, seconds: float = STARTING) -> None:
        home = find_java_home()
        options = list_options(home, int(HEAP_SHARE * memory))
        incoming, far_out = os.pipe()
        far_in, outgoing = os.pipe()
        printed, far_printed = os.pipe()
        command = [
            str(home / "bin" / "java"),
            *options,
            *("-XX:-CreateCoredumpOnCrash", MAIN_CLASS),
            *(str(far_in), str(far_out), str(java_class.place), java_class.name),
        ]
        self._process = _start(command, far_in, far_out, far_printed)
        self._channel = Channel(incoming, outgoing)
        self._printed = _Printed(self._process, printed)
        self._seconds = seconds
        self._number = 0
        self._gone = False

    @property
    def running(self) -> bool:
        """Whether it can be asked."""
        return not self._gone and self._process.poll() is None and not self._printed.too_much

    def ask(self, kind: Ask, content: bytes = b"", seconds: float = STARTING) -> bytes:
        """Send a question and return the answer.

        Raises:
            AgentFault: The agent has thrown something, died, printed too much, or is too late.
        """
        if self._gone:
            raise AgentDied("its Java process was ended")
        self._number = (self._number + 1) % 2**32
        try:
            self._channel.send(self._number, kind, content, seconds)
            number, said, answer = self._channel.receive(MOST_ANSWER, seconds)
        except TimeoutError:
            self.kill()
            raise AgentLate(f"took longer than {seconds:g} seconds") from None
        except ValueError as error:
            self.kill()
            raise AgentFault(f"broke off its messages: {error}") from None
        except (EOFError, OSError):
            raise self._find_fault() from None
        if number != self._number or said not in (VALUE, FAILED):
            self.kill()
            raise AgentFault("broke off its messages: it answered what it was not asked")
        if said == FAILED:
            raise AgentFault(clean_text(answer.decode("utf-8", "replace")))
        return answer

    def act(self, view: View, *, begins: bool) -> int:
        """Return the buttons that the agent presses.

        Raises:
            AgentFault: It has thrown something, died, printed too much, or is too late.
        """
        state = (BEGINS if begins else GOES_ON) + view.clone_state()
        return self.ask(Ask.ACT, state, self._seconds)[0]

    def begin_episode(self) -> None:
        """Let the agent print as much as it may for an episode."""
        self._printed.count = 0

    def kill(self) -> None:
        """End the virtual machine and wait until it is gone."""
        if self._gone:
            return
        self._gone = True
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        self._channel.close()
        self._printed.close()

    def _find_fault(self) -> AgentFault:
        """Return why the virtual machine is gone."""
        try:
            code = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self.kill()
            return AgentFault("broke off its messages: it closed its pipes")
        self.kill()
        if self._printed.too_much:
            return AgentFault(f"printed more than {MOST_PRINTED:,} bytes in an episode")
        if self._printed.crashed:
            return AgentDied("its Java process crashed, as it does for faults in compiled code")
        ending = f"ended itself with code {code}" if code >= 0 else f"was ended by signal {-code}"
        return AgentDied(f"its Java process {ending}")


class _Printed:
    """Passes on what a process prints, and ends the process when that is too much.

    Args:
        process: The process.
        stream: The descriptor from which to read what it prints; closed at the end.
    """

    def __init__(self, process: subprocess.Popen[bytes], stream: int) -> None:
        self.count = 0
        self.too_much = False
        self.crashed = False
        self._process = process
        self._stream = stream
        self._thread = threading.Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until all is passed on; processes that the agent has started may still print."""
        self._thread.join(ENDING)
        if not self._thread.is_alive():
            os.close(self._stream)

    def _pass_on(self) -> None:
        while data := os.read(self._stream, CHUNK):
            self.count += len(data)
            self.crashed |= CRASHED in data
            if self.count > MOST_PRINTED:
                self.too_much = True
                self._process.kill()
                return
            with suppress(OSError):
                os.write(2, data)


def _start(
    command: list[str], incoming: int, outgoing: int, printed: int
) -> subprocess.Popen[bytes]:
    """Start a process with its ends of the pipes, which this process gives up."""
    try:
        return subprocess.Popen(  # noqa: S603 - that is what the door is for
            command,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            pass_fds=(incoming, outgoing),
        )
    except OSError as error:
        raise AgentFault(f"its Java process cannot be started: {clean_text(error)}") from error
    finally:
        for end in (incoming, outgoing, printed):
            os.close(end)
