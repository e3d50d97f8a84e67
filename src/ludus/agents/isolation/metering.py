"""What an agent's processes use: measured by their keeper, which none of them can reach."""

from __future__ import annotations

import os
import resource
import struct
import sys
from contextlib import suppress
from enum import IntEnum
from pathlib import Path
from time import clock_gettime
from typing import NamedTuple

from ludus.agents.isolation.endings import ENDING, Ending
from ludus.limits import MEBIBYTE, Limits

__all__ = ["Excess", "Meter", "Report", "Request", "can_measure", "describe_excess"]

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")
RESET_PEAK = "5"  # what makes the kernel forget the most memory that a process had
WAITED_TICKS = slice(13, 15)  # the time of children that it has waited for, behind the name


class Excess(IntEnum):
    """Which limit an agent's processes are over."""

    NONE = 0
    PROCESSOR = 1
    MEMORY = 2
    PROCESSES = 3


class Report(NamedTuple):
    """What a keeper says of the processes that it keeps.

    Attributes:
        processor_seconds: What they used since the mark.
        peak_memory: The most bytes that they had at once since then.
        excess: The limit that they were over, and for which they were ended.
        ending: How the first of them ended, if it did.
    """

    processor_seconds: float
    peak_memory: int
    excess: Excess = Excess.NONE
    ending: Ending = Ending()

    def pack(self) -> bytes:
        """Return the report as bytes."""
        *amounts, ending = self
        return REPORT.pack(*amounts, ending.pack())

    @classmethod
    def unpack(cls, content: bytes) -> Report:
        """Return the report that :meth:`pack` wrote."""
        seconds, memory, excess, ending = REPORT.unpack(content)
        return cls(seconds, memory, Excess(excess), Ending.unpack(ending))


REPORT = struct.Struct(f"<dQB{ENDING.size}s")
REQUEST = struct.Struct("<?dQQ")


class Request(NamedTuple):
    """What a referee asks of a keeper; a mark is set when it was answered.

    Attributes:
        report: Whether it is to answer.
        limits: What the processes may use from now on.
    """

    report: bool
    limits: Limits

    def pack(self) -> bytes:
        """Return the request as bytes."""
        limits = self.limits
        return REQUEST.pack(self.report, limits.processor_seconds, limits.memory, limits.processes)

    @classmethod
    def unpack(cls, content: bytes) -> Request:
        """Return the request that :meth:`pack` wrote."""
        report, seconds, memory, processes = REQUEST.unpack(content)
        limits = Limits(processor_seconds=seconds, memory=memory, processes=processes)
        return cls(report, limits)


class Meter:
    """Measures the processes below this one, from one mark to the next.

    Processor time is that of all of them, with those that are gone. Memory is the most that one of
    them ever had, or that all of them had together at one of the looks.

    Attributes:
        limits: What they may use from mark to mark.
    """

    def __init__(self) -> None:
        self.limits = Limits()
        self._started = 0.0
        self._seconds = 0.0
        self._peak = 0
        self._count = 0

    def mark(self) -> None:
        """Begin to measure anew, from the last look on."""
        self._started, self._peak = self._seconds, 0
        for process in descendants():
            with suppress(OSError):
                (PROC / str(process) / "clear_refs").write_text(RESET_PEAK)

    def look(self) -> None:
        """Take in what the processes use now."""
        processes = descendants()
        self._count = len(processes)
        self._seconds = max(self._seconds, _waited_seconds() + sum(map(_seconds, processes)))
        self._peak = max([self._peak, *map(_peak_memory, processes)])
        if len(processes) > 1:
            self._peak = max(self._peak, sum(map(_memory, processes)))

    @property
    def has_room(self) -> bool:
        """Whether there may be one process more than at the last look."""
        return not self.limits.processes or self._count < self.limits.processes

    def look_back(self) -> None:
        """Take in what the processes have used that are gone and waited for."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        self._seconds = max(self._seconds, used.ru_utime + used.ru_stime)
        self._peak = max(self._peak, 1024 * used.ru_maxrss)

    def report(self) -> Report:
        """Return what was used since the mark, and whether that is too much."""
        used = Report(self._seconds - self._started, self._peak)
        return used._replace(excess=self._find_excess(used))

    def _find_excess(self, used: Report) -> Excess:
        limits = self.limits
        if limits.processor_seconds and used.processor_seconds > limits.processor_seconds:
            return Excess.PROCESSOR
        if limits.memory and used.peak_memory > limits.memory:
            return Excess.MEMORY
        if limits.processes and self._count > limits.processes:
            return Excess.PROCESSES
        return Excess.NONE


def describe_excess(excess: Excess, limits: Limits) -> str:
    """Return which limit was exceeded, in words that tables show."""
    return {
        Excess.NONE: "",
        Excess.PROCESSOR: f"used more than {limits.processor_seconds:g} seconds of the processor",
        Excess.MEMORY: f"used more than {limits.memory / MEBIBYTE:,.0f} MiB of memory",
        Excess.PROCESSES: f"had more than {limits.processes} processes at once",
    }[excess]


def descendants() -> list[int]:
    """Return the processes below this one."""
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(process: int) -> list[int]:
    """Return the children of every thread of a process."""
    children: list[int] = []
    with suppress(OSError, ValueError):
        for thread in (PROC / str(process) / "task").iterdir():
            with suppress(OSError):
                children += map(int, (thread / "children").read_bytes().split())
    return children


def _waited_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _seconds(process: int) -> float:
    """Return the processor time of a process, with its threads and the children it waited for."""
    with suppress(OSError, ValueError, IndexError):
        words = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
        ticks = sum(map(int, words[WAITED_TICKS]))
        return clock_gettime(_clock_of(process)) + ticks / TICKS
    return 0.0


def _clock_of(process: int) -> int:
    """Return the number of the clock that counts a process's time, as clock_getcpuclockid does."""
    return (~process << 3) | 2


def _peak_memory(process: int) -> int:
    return _read_kibibytes(process, "status", "VmHWM:")


def _memory(process: int) -> int:
    """Return a process's share of memory; what it shares with others counts in part."""
    return _read_kibibytes(process, "smaps_rollup", "Pss:") or _read_kibibytes(
        process, "status", "VmRSS:"
    )


def _read_kibibytes(process: int, file: str, name: str) -> int:
    with suppress(OSError, ValueError, IndexError):
        for line in (PROC / str(process) / file).read_text().splitlines():
            if line.startswith(name):
                return 1024 * int(line.split()[1])
    return 0


def can_measure() -> bool:
    """Return whether this system tells what other processes use."""
    return sys.platform.startswith("linux")
