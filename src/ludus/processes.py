"""Processes that start clean: forked by a server that has imported Ludus and nothing else."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import Any

from ludus.errors import StoreError, one_line

__all__ = ["PRELOADED", "kill_process", "start_process"]

PRELOADED = [
    "ludus.execution.local",
    "ludus.agents.isolation.player",
    "ludus.games.platformer.game",
    "ludus.games.platformer.arena.game",
]
"""What the server imports once, so that no process has to."""

_CONTEXT = multiprocessing.get_context("forkserver")
_TRIES = 3
_STARTING = threading.Lock()
_SAFE_PATH, _BY_LUDUS = "PYTHONSAFEPATH", "ludus"
_UNKNOWN = 255  # how multiprocessing says that the server, and not the process, is gone


def start_process(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a process that runs a function; a server that has died is started anew.

    Raises:
        StoreError: No process can be started.
    """
    _CONTEXT.set_forkserver_preload(PRELOADED)
    multiprocessing.current_process().daemon = False  # a worker may have processes as well
    for left in reversed(range(_TRIES)):
        process = _CONTEXT.Process(target=target, args=arguments, daemon=True)
        try:
            _start_server()
            with _main_left_alone():
                process.start()
            return process
        except (OSError, EOFError) as error:
            if not left:
                reason = one_line(error) or type(error).__name__
                raise StoreError(f"no process can be started: {reason}; try again") from error
    raise AssertionError


def kill_process(process: BaseProcess) -> None:
    """Kill a process and wait until it is gone, even if the server that started it is gone too."""
    if process.pid is not None and process.exitcode in (None, _UNKNOWN):
        with suppress(ProcessLookupError, PermissionError):
            _kill_and_wait(process.pid)
    process.join()


def _kill_and_wait(pid: int) -> None:
    """Kill a process; on Linux wait until it has ended, whoever its parent is."""
    if sys.platform != "linux":
        os.kill(pid, signal.SIGKILL)
        return
    handle = os.pidfd_open(pid)
    try:
        os.kill(pid, signal.SIGKILL)
        select.select([handle], [], [])
    finally:
        os.close(handle)


def _start_server() -> None:
    """Start the server, if it does not run, so that it imports nothing from the working folder.

    A file there may be called as a module of Python is, such as ``random.py``.
    """
    with _STARTING:
        own = _SAFE_PATH not in os.environ
        if own:
            os.environ[_SAFE_PATH] = _BY_LUDUS
        try:
            forkserver.ensure_running()
        finally:
            if own:
                del os.environ[_SAFE_PATH]


if os.environ.get(_SAFE_PATH) == _BY_LUDUS:  # in the server: programs that it starts go without
    del os.environ[_SAFE_PATH]


@contextmanager
def _main_left_alone() -> Iterator[None]:
    """Keep new processes from running the user's script, as multiprocessing otherwise does."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
