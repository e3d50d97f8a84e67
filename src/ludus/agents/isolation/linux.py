"""What the kernel can do to keep an agent's process apart; elsewhere these do nothing."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path

__all__ = [
    "adopt_orphans",
    "answer_for_children",
    "child_processes",
    "die_with_parent",
    "kill_children",
    "shield_others",
]

_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
_SET_NO_NEW_PRIVS = 38
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_VERSION_FLAG = 1
_SCOPES_SINCE = 6  # the version of Landlock that knows scopes
_SCOPES = 1 | 2  # abstract sockets and signals


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent is gone."""
    parent = os.getppid()
    _prctl(_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it went meanwhile
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent is gone."""
    _prctl(_SET_CHILD_SUBREAPER, 1)


def shield_others() -> bool:
    """Keep this process and its descendants from other processes; return whether that was done.

    They can then signal each other alone. No other process can be traced, nor its memory read.
    """
    if not sys.platform.startswith("linux"):
        return False
    system = ctypes.CDLL(None, use_errno=True)
    if system.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG) < _SCOPES_SINCE:
        return False
    attributes = struct.pack("<QQQ", 0, 0, _SCOPES)  # no rule on files, none on the network
    rules = system.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if rules < 0 or _prctl(_SET_NO_NEW_PRIVS, 1) != 0:
        return False
    done = system.syscall(_RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(done)


def child_processes() -> list[int]:
    """Return the processes whose parent is this one."""
    own = os.getpid()
    with suppress(OSError, ValueError):
        return [int(word) for word in Path(f"/proc/{own}/task/{own}/children").read_text().split()]
    return []


class _Children:
    """Lists the children of the process that opened it, also where it may open no file any more."""

    def __init__(self) -> None:
        self.parent = os.getpid()
        self.list = Path(f"/proc/{self.parent}/task/{self.parent}/children").open("rb", 0)  # noqa: SIM115


_answered: list[_Children] = []


def answer_for_children() -> None:
    """Let :func:`kill_children` work in this process: whatever it starts is its own to end."""
    adopt_orphans()
    with suppress(OSError):
        _answered[:] = [_Children()]


def kill_children() -> None:
    """Kill all descendants of a process that answers for them, and wait until they are gone.

    In any other process this does nothing.
    """
    for children in _answered:
        while children.parent == os.getpid():
            children.list.seek(0)
            for child in map(int, children.list.read().split()):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(child, signal.SIGKILL)
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                break


def _prctl(option: int, value: int) -> int:
    if not sys.platform.startswith("linux"):
        return -1
    return int(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0))
