"""Confines this process: its resources, its files, its system calls, its environment."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import ludus
from ludus.agents.sandbox import _confine
from ludus.errors import AgentError

__all__ = ["Confinement", "confine"]

MEBIBYTE = 2**20
SYSTEM_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero")
KEPT_VARIABLES = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHASHSEED")
FIXED_VARIABLES = {"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Confinement:
    """What a confined process may use.

    Attributes:
        memory: Bytes of address space.
        cpu_seconds: Processor time; whole seconds.
        file_bytes: The most that it may write to a file of its scratch folder.
        open_files: How many files it may have open.
    """

    memory: int = 8192 * MEBIBYTE
    cpu_seconds: int = 3600
    file_bytes: int = 16 * MEBIBYTE
    open_files: int = 128


def confine(
    readable: Sequence[Path], writable: Sequence[Path] = (), limits: Confinement | None = None
) -> None:
    """Give up everything but the reading of some paths and the writing of others.

    The process keeps Python, the installed packages and Ludus readable. It has no network, starts
    no process, signals nobody else and gains no rights. Nothing of this can be undone.

    Args:
        readable: Files and folders that it may read besides, such as the agent's own.
        writable: Folders that it may write to.
        limits: What it may use.

    Raises:
        AgentError: This system cannot confine a process.
    """
    if not sys.platform.startswith("linux"):
        raise AgentError(f"{sys.platform} has no sandbox: play on Linux, or without --sandbox")
    try:
        _clean_environment()
        _limit_resources(limits or Confinement())
        paths = [*python_paths(), *map(str, readable)]
        _confine.confine_files(paths, [*map(str, writable), "/dev/null"])
        _confine.confine_calls()
    except OSError as error:
        raise AgentError(f"this system cannot confine a process: {error}") from error


def python_paths() -> list[str]:
    """Return what every Python process of Ludus has to read."""
    return list(dict.fromkeys(_python_paths()))


def _python_paths() -> Iterator[str]:
    yield from SYSTEM_FOLDERS
    yield from DEVICES
    yield from (sys.prefix, sys.base_prefix, sys.exec_prefix)
    yield from (path for path in sysconfig.get_paths().values() if path)
    yield from site.getsitepackages()
    yield str(Path(ludus.__file__).parent)


def _clean_environment() -> None:
    """Forget every variable that could hold a secret."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    os.environ.clear()
    os.environ.update(kept | FIXED_VARIABLES)


def _limit_resources(limits: Confinement) -> None:
    import resource

    for kind, value in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ):
        _, most = resource.getrlimit(kind)
        allowed = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(kind, (allowed, allowed))
