"""How an agent's process ended, as its keeper saw it, and the sentence that a record shows."""

from __future__ import annotations

import os
import signal
from enum import IntEnum
from struct import Struct
from typing import NamedTuple

from ludus.errors import AgentDied, AgentFault

__all__ = ["ENDING", "Ending", "EndingKind"]

LONGEST = 128
ENDING = Struct(f"<Bi{LONGEST}s")

SENTENCES = {
    signal.SIGSEGV: "too deep a recursion or a fault in compiled code (SIGSEGV)",
    signal.SIGBUS: "a fault in compiled code (SIGBUS)",
    signal.SIGFPE: "a fault in compiled code (SIGFPE)",
    signal.SIGILL: "a fault in compiled code (SIGILL)",
    signal.SIGABRT: "compiled code gave up, as it does without memory (SIGABRT)",
    signal.SIGKILL: "it was killed, as the system does when memory runs out (SIGKILL)",
    signal.SIGXFSZ: "it wrote too much to a file (SIGXFSZ)",
}
if hasattr(signal, "SIGSYS"):
    SENTENCES[signal.SIGSYS] = "it made a system call that the sandbox refuses (SIGSYS)"


class EndingKind(IntEnum):
    """Who ended an agent's process, or what."""

    KEEPER = 0  #: its keeper, because it was told to or because of a limit
    EXIT = 1  #: itself, with a code
    SIGNAL = 2  #: a signal
    OFFENCE = 3  #: its keeper, for what it tried to do


class Ending(NamedTuple):
    """The end of an agent's process.

    Attributes:
        kind: Who ended it, or what.
        code: The code that it ended with, or the signal.
        offence: What it tried to do.
    """

    kind: EndingKind = EndingKind.KEEPER
    code: int = 0
    offence: str = ""

    @classmethod
    def from_status(cls, status: int) -> Ending:
        """Return the ending that the kernel reports."""
        code = os.waitstatus_to_exitcode(status)
        return cls(EndingKind.EXIT, code) if code >= 0 else cls(EndingKind.SIGNAL, -code)

    def pack(self) -> bytes:
        """Return the ending as bytes."""
        return ENDING.pack(self.kind, self.code, self.offence.encode()[:LONGEST])

    @classmethod
    def unpack(cls, content: bytes) -> Ending:
        """Return the ending that :meth:`pack` wrote."""
        kind, code, offence = ENDING.unpack(content)
        return cls(EndingKind(kind), code, offence.rstrip(b"\0").decode())

    def to_fault(self) -> AgentFault:
        """Return the fault to raise for a process that ended by itself or was ended for an offence.

        One that ended by itself may be started once more, because the system may have ended it.
        """
        if self.kind is EndingKind.OFFENCE:
            return AgentFault(self.offence)
        return AgentDied(f"its process died: {self._describe()}")

    def _describe(self) -> str:
        if self.kind is EndingKind.KEEPER:
            return "it let go of its messages"
        if self.kind is EndingKind.EXIT:
            return f"it ended itself with code {self.code}"
        try:
            number = signal.Signals(self.code)
        except ValueError:
            return f"it was ended by signal {self.code}"
        return SENTENCES.get(number, f"it was ended by {number.name}")
