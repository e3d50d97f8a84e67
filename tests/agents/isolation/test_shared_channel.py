"""Frames by shared memory arrive as they were sent, whatever the other side does to the memory."""

from __future__ import annotations

import fcntl
import mmap
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from struct import pack_into

import pytest

from ludus.agents.isolation.shared_channel import SharedChannel, make_memory, open_channel
from ludus.frames import HEADER

memory_or_none = make_memory()
if memory_or_none is None:
    pytest.skip("this system has no sealed memory", allow_module_level=True)
os.close(memory_or_none)

from ludus.agents.isolation._mailbox import MEMORY_BYTES, SLOT_BYTES  # noqa: E402

ANSWER = MEMORY_BYTES // 2  # where the slot for answers begins
SEQUENCE, LENGTH, NUMBER = ANSWER, ANSWER + 8, ANSWER + 12
LIMIT = 2 * SLOT_BYTES


class Ends:
    """Both ends of a channel, and the memory as the answering side could reach it."""

    def __init__(self) -> None:
        there_in, to_there = os.pipe()
        from_there, self.pipe = os.pipe()
        memory = make_memory()
        assert memory is not None
        self.asking = open_channel(from_there, to_there, memory, asks=True)
        self.answering = open_channel(there_in, self.pipe, memory, asks=False)
        self.memory = mmap.mmap(memory, MEMORY_BYTES)
        os.close(memory)

    def forge(self, length: int, number: int = 1, sequence: int = 1) -> None:
        """Write an answer into the memory without the channel."""
        pack_into("<iII", self.memory, LENGTH, length, number, 1)
        pack_into("<I", self.memory, SEQUENCE, sequence)


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    ends.asking.close()
    ends.answering.close()


@pytest.mark.parametrize("size", [0, 1, SLOT_BYTES - 1, SLOT_BYTES, SLOT_BYTES + 1, LIMIT])
def test_frames_of_every_size_arrive(ends: Ends, size: int) -> None:
    content = random.Random(size).randbytes(size)

    def answer() -> None:
        number, kind, question = ends.answering.receive(LIMIT)
        ends.answering.send(number, kind + 1, question[::-1])

    there = threading.Thread(target=answer)
    there.start()
    ends.asking.send(7, 3, content)
    assert ends.asking.receive(LIMIT, 10) == (7, 4, content[::-1])
    there.join()


def test_many_frames_arrive_in_order_whether_anybody_sleeps_or_not(ends: Ends) -> None:
    def answer() -> None:
        for turn in range(300):
            number, kind, question = ends.answering.receive(LIMIT)
            time.sleep(0.002 if turn % 50 == 0 else 0)
            ends.answering.send(number, kind, question)

    there = threading.Thread(target=answer)
    there.start()
    for number in range(300):
        time.sleep(0.002 if number % 70 == 0 else 0)
        ends.asking.send(number, 1, b"%d" % number)
        assert ends.asking.receive(LIMIT, 10) == (number, 1, b"%d" % number)
    there.join()


def test_memory_keeps_its_size() -> None:
    memory = make_memory()
    assert memory is not None
    for size in (0, 2 * MEMORY_BYTES):
        with pytest.raises(PermissionError):
            os.ftruncate(memory, size)
    with pytest.raises(PermissionError):
        fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE)
    os.close(memory)


def test_memory_that_could_be_shrunk_is_refused(ends: Ends) -> None:
    memory = os.memfd_create("open", os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, MEMORY_BYTES)
    with pytest.raises(OSError, match="no sealed memory"):
        SharedChannel(memory, ends.asking._pipes, asks=True)  # type: ignore[union-attr]
    os.close(memory)


@pytest.mark.parametrize("length", [-2, -(2**31), SLOT_BYTES + 1, 2**31 - 1, 101])
def test_false_lengths_are_refused(ends: Ends, length: int) -> None:
    ends.forge(length)
    with pytest.raises(ValueError, match="is longer than 100"):
        ends.asking.receive(100, 1)


@pytest.mark.parametrize("sequence", [2, 2**31, 2**32 - 1])
def test_answers_that_claim_another_place_in_the_row_are_refused(ends: Ends, sequence: int) -> None:
    ends.forge(5, sequence=sequence)
    with pytest.raises(ValueError, match="it wrote what it was not asked"):
        ends.asking.receive(100, 1)


def test_long_frame_that_does_not_come_is_waited_for_and_no_longer(ends: Ends) -> None:
    ends.forge(-1)  # says that the content is in the pipe
    with pytest.raises(TimeoutError):
        ends.asking.receive(100, 0.05)


def test_long_frame_is_refused_by_its_length(ends: Ends) -> None:
    ends.forge(-1)
    os.write(ends.pipe, HEADER.pack(2**32 - 1, 1, 1))
    with pytest.raises(ValueError, match="a frame of 4294967295 bytes is longer than 100"):
        ends.asking.receive(100, 1)


@pytest.mark.parametrize("answered", [True, False])
def test_bytes_that_belong_to_no_frame_end_the_talk(ends: Ends, answered: bool) -> None:
    os.write(ends.pipe, b"junk")
    if answered:
        ends.answering.send(1, 1, b"")
    with pytest.raises(ValueError, match="it wrote what it was not asked"):
        ends.asking.receive(100, 10)


@pytest.mark.parametrize("answered", [True, False])
def test_end_of_the_other_process_is_noticed(ends: Ends, answered: bool) -> None:
    if answered:
        ends.answering.send(1, 1, b"")
    ends.answering.close()
    with pytest.raises(EOFError):
        ends.asking.receive(100, 10)


def test_memory_that_changes_while_it_is_read_harms_nobody(ends: Ends) -> None:
    """Another process writes lengths without a pause: each answer is refused, or a sane copy."""
    hostile = os.fork()
    if hostile == 0:
        while True:
            for length in (-2, 0, 50, 100, 101, SLOT_BYTES + 1, 2**31 - 1):
                pack_into("<iI", ends.memory, LENGTH, length, length & 0xFF)
    lengths: set[int] = set()
    refused = 0
    try:
        for sequence in range(1, 1_000_000):
            if sequence > 3000 and lengths and refused:
                break
            pack_into("<I", ends.memory, SEQUENCE, sequence)
            try:
                lengths.add(len(ends.asking.receive(100, 1)[2]))
            except ValueError:
                refused += 1
    finally:
        os.kill(hostile, signal.SIGKILL)
        os.waitpid(hostile, 0)
    assert lengths <= {0, 50, 100}
    assert lengths
    assert refused
