"""Which layers of the sandbox hold on this system."""

from __future__ import annotations

import sys
from typing import NamedTuple

from ludus.agents.sandbox.bubblewrap import find_fault

__all__ = ["Layer", "find_layers", "has_sandbox"]

SIGNALS_SINCE = 6


class Layer(NamedTuple):
    """One layer of the sandbox.

    Attributes:
        name: What it is called.
        holds: Whether it holds here.
        stops: What it stops, or what to do where it does not hold.
        needed: Whether there is no sandbox without it.
    """

    name: str
    holds: bool
    stops: str
    needed: bool


def find_layers() -> list[Layer]:
    """Return the layers of this system, the needed ones first."""
    linux = sys.platform.startswith("linux")
    landlock, seccomp = _kernel_layers() if linux else (0, False)
    signals = "; a kernel from 6.12 adds signals" if 0 < landlock < SIGNALS_SINCE else ""
    return [
        Layer("process", True, "others' code beside engine, record or rival", True),
        Layer("rlimits", linux, "address space without end, core dumps, huge files", True),
        Layer("Landlock", landlock > 0, f"files, network, signals to others{signals}", True),
        Layer("seccomp", seccomp, "processes, sockets, ptrace, io_uring, namespaces, clocks", True),
        _bubblewrap(),
    ]


def has_sandbox() -> bool:
    """Return whether this system can confine an agent: whether every needed layer holds."""
    return sys.platform.startswith("linux") and all(_kernel_layers())


def _bubblewrap() -> Layer:
    fault = find_fault()
    stops = "sight of other processes, network once more, files that can be written"
    hint = f"{fault}; the others hold" if fault else stops
    return Layer("bubblewrap", not fault, hint, False)


def _kernel_layers() -> tuple[int, bool]:
    from ludus.agents.sandbox import _confine

    return _confine.landlock_version(), _confine.has_seccomp()
