"""Every end of an agent's process has a sentence of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from ludus.agents.isolation.endings import ENDING, Ending, EndingKind
from ludus.errors import AgentDied


def end_of(work: Callable[[], object]) -> Ending:
    """Return how a child ends that does some work."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        work()
        os._exit(0)
    return Ending.from_status(os.waitpid(child, 0)[1])


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (signal.SIGSEGV, "too deep a recursion or a fault in compiled code (SIGSEGV)"),
        (signal.SIGKILL, "it was killed, as the system does when memory runs out (SIGKILL)"),
        (signal.SIGXFSZ, "it wrote too much to a file (SIGXFSZ)"),
        (signal.SIGSYS, "it made a system call that the sandbox refuses (SIGSYS)"),
        (signal.SIGTERM, "it was ended by SIGTERM"),
        (34, "it was ended by SIGRTMIN"),
        (40, "it was ended by signal 40"),
    ],
)
def test_signals_are_named(number: int, sentence: str) -> None:
    fault = end_of(lambda: os.kill(os.getpid(), number)).to_fault()
    assert isinstance(fault, AgentDied)
    assert str(fault) == f"its process died: {sentence}"


def test_codes_and_offences_are_named() -> None:
    assert str(end_of(lambda: os._exit(9)).to_fault()) == (
        "its process died: it ended itself with code 9"
    )
    assert str(Ending().to_fault()) == "its process died: it let go of its messages"
    offence = Ending(EndingKind.OFFENCE, offence="made the system call bpf").to_fault()
    assert not isinstance(offence, AgentDied)  # nobody tries again
    assert str(offence) == "made the system call bpf"


@pytest.mark.parametrize(
    "ending",
    [
        Ending(),
        Ending(EndingKind.EXIT, 255),
        Ending(EndingKind.SIGNAL, 11),
        Ending(EndingKind.OFFENCE, 0, "wrote too much to its scratch folder"),
    ],
)
def test_endings_travel_as_bytes(ending: Ending) -> None:
    assert len(ending.pack()) == ENDING.size
    assert Ending.unpack(ending.pack()) == ending


def test_the_longest_offence_is_sent_whole() -> None:
    longest = "made the system call process_vm_writev, which the sandbox refuses"
    assert Ending.unpack(Ending(EndingKind.OFFENCE, offence=longest).pack()).offence == longest
