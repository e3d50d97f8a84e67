"""Confines this process: its resources, its files, its system calls, its environment."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import ludus
from ludus.agents.sandbox import _confine
from ludus.agents.sandbox.profiles import Confinement
from ludus.errors import AgentError

__all__ = ["Notice", "allow_process", "clean_environment", "confine", "receive_notice"]

SYSTEM_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero")
KEPT_VARIABLES = (
    *("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHASHSEED"),
    *("PYTHONHOME", "LD_LIBRARY_PATH", "JAVA_HOME"),
)
PACKAGES = ("site-packages", "dist-packages")
SIGNALS_SINCE = 6  # the version of Landlock that keeps signals in
FIXED_VARIABLES = {"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def confine(readable: Sequence[Path], scratch: Path, limits: Confinement | None = None) -> int:
    """Give up everything but the reading of some paths and the writing of one folder.

    The process keeps Python, the installed packages and Ludus readable. It has no network, signals
    nobody else and gains no rights. It starts no process, unless its confinement allows programs.
    Nothing of this can be undone, and whatever it starts is confined as it is.

    Args:
        readable: Files and folders that it may read besides, such as the agent's own.
        scratch: The folder that it may write to; TMPDIR and HOME name it.
        limits: What it may use.

    Returns:
        A descriptor for :func:`receive_notice`, which is readable when the process has made a call
        that only an attack makes, or is to start a process. It is stopped at the call; whoever
        reads has to kill it or to agree. -1 where the kernel kills it and tells nobody.

    Raises:
        AgentError: This system cannot confine a process.
    """
    if not sys.platform.startswith("linux"):
        raise AgentError(f"{sys.platform} has no sandbox: play on Linux, or without --sandbox")
    allowed = limits or Confinement()
    if allowed.programs and _confine.landlock_version() < SIGNALS_SINCE:
        raise AgentError("this system cannot confine programs: that takes Linux 6.12 or newer")
    try:
        _set_environment(scratch)
        _limit_resources(allowed)
        _confine.drop_rights()
        paths = [*python_paths(), *allowed.readable, *map(str, readable)]
        _confine.confine_files(paths, [str(scratch), "/dev/null"])
        return _confine.confine_calls(allowed.programs, allowed.java)
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
    yield from (path for path in sys.path if Path(path).name in PACKAGES)  # those of .pth files
    yield str(Path(ludus.__file__).parent)


class Notice(NamedTuple):
    """Why a confined process was stopped at a system call.

    Attributes:
        refused: The name of the call, which only an attack makes; empty if it starts a process.
        process: The number by which that process is allowed.
    """

    refused: str
    process: int


def receive_notice(listener: int) -> Notice:
    """Return why a confined process was stopped.

    Raises:
        OSError: The process is gone meanwhile.
    """
    return Notice(*_confine.receive_notice(listener))


def allow_process(listener: int, number: int) -> None:
    """Let a confined process start the process of a notice.

    Raises:
        OSError: It is gone meanwhile.
    """
    _confine.allow_process(listener, number)


def clean_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a confined process: none that could hold a secret."""
    kept = {name: variables[name] for name in KEPT_VARIABLES if name in variables}
    return kept | FIXED_VARIABLES


def _set_environment(scratch: Path) -> None:
    """Forget every variable that could hold a secret, and name the scratch folder."""
    kept = clean_environment(os.environ)
    os.environ.clear()
    os.environ.update(kept | {"TMPDIR": str(scratch), "HOME": str(scratch)})
    tempfile.tempdir = None  # Python looks for it again


def _limit_resources(limits: Confinement) -> None:
    import resource

    for kind, value in (
        (resource.RLIMIT_AS, limits.memory),
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
