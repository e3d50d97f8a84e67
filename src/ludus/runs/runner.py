"""Which process plays a run, and whether a process that said so is still there."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import subprocess
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["Runner"]

RANDOM_NODE = 1 << 40  # set if the machine has no hardware address to be known by


@dataclass(frozen=True, slots=True)
class Runner:
    """A process that plays a run, as other processes can know it.

    Attributes:
        id: Its name, used once.
        machine: Where it is: digests of the machine and of the time since its last start.
        process: Its number there.
        started: When the process began, in the words of its machine: numbers are used again.
    """

    id: str
    machine: str
    process: int
    started: str

    @classmethod
    def here(cls) -> Runner:
        """Return a new runner of this process."""
        pid = os.getpid()
        return cls(secrets.token_hex(8), _machine(), pid, _start_of(pid))

    @property
    def is_gone(self) -> bool:
        """Whether it surely plays no more: a process of this machine that has ended.

        Of other machines nothing is known but when they were last heard of.
        """
        host, _, boot = self.machine.partition(".")
        own_host, _, own_boot = _machine().partition(".")
        if host != own_host:
            return False
        return boot != own_boot or _start_of(self.process) != self.started


@cache
def _machine() -> str:
    """Return what names this machine, or this container, and its last start."""
    node = uuid.getnode()
    marks = [
        socket.gethostname(),
        "" if node & RANDOM_NODE else str(node),
        _read("/etc/machine-id"),
        _namespace(),
    ]
    boot = _read("/proc/sys/kernel/random/boot_id")
    return f"{_digest(''.join(marks))}.{_digest(boot)}"


def _namespace() -> str:
    """Return the space in which process numbers count; containers have spaces of their own."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _start_of(pid: int) -> str:
    """Return when a process of this machine began; nothing if it has ended."""
    if Path("/proc/self/stat").exists():
        state, *fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split() or ["Z"]
        return "" if state in "ZX" else fields[18]
    command = ["ps", "-o", "lstart=", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
