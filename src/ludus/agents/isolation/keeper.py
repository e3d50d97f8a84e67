"""Keeps one agent's process: ends it, with every process that it has started, when it is time."""

from __future__ import annotations

import os
import select
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing import current_process, forkserver, resource_tracker
from typing import NoReturn

from ludus.agents.isolation.linux import (
    adopt_orphans,
    child_processes,
    die_with_parent,
    shield_others,
)
from ludus.agents.isolation.player import answer_messages
from ludus.agents.isolation.shared_channel import open_channel

__all__ = ["keep_agent"]

PATIENCE = 0.05  # seconds between looks where the kernel does not report the end of a process


def keep_agent(incoming: int, outgoing: int, lifeline: int, *memory: int) -> NoReturn:
    """Start an agent's process, and end it with all its descendants when the lifeline closes.

    They are ended as well when the agent's process itself is gone. This process never returns.

    Args:
        incoming: Where the agent reads messages.
        outgoing: Where it writes its answers.
        lifeline: Closed by the referee, or with it.
        memory: What the agent shares with the referee, if there is such memory.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    adopt_orphans()
    agent = os.fork()
    if agent == 0:
        _become_agent(incoming, outgoing, *memory)
    for descriptor in (incoming, outgoing, *memory):
        os.close(descriptor)
    try:
        _wait_for_end(agent, lifeline)
    finally:
        _kill_descendants(agent)
        os._exit(0)


def _become_agent(incoming: int, outgoing: int, *memory: int) -> NoReturn:
    os.setsid()
    die_with_parent()
    shield_others()
    channel = open_channel(incoming, outgoing, *memory, asks=False)
    _close_all_but(incoming, outgoing)
    _forget_servers()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer_messages(channel)
    except BaseException:
        traceback.print_exc(limit=-1)
    finally:
        sys.stderr.flush()
        os._exit(1)


def _close_all_but(*descriptors: int) -> None:
    """Close what this process has inherited; what it prints goes to where errors go."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    first = 3
    for descriptor in sorted(descriptors):
        os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, 65_536)


def _forget_servers() -> None:
    """Let multiprocessing forget the servers that were inherited: their descriptors are closed."""
    vars(resource_tracker._resource_tracker).update(_fd=None, _pid=None)
    vars(forkserver._forkserver).update(
        _forkserver_alive_fd=None, _forkserver_address=None, _inherited_fds=None
    )
    current_process().daemon = False


def _wait_for_end(agent: int, lifeline: int) -> None:
    try:
        end = os.pidfd_open(agent)
    except (AttributeError, OSError):
        while not select.select([lifeline], [], [], PATIENCE)[0]:
            if os.waitpid(agent, os.WNOHANG)[0]:
                return
        return
    select.select([lifeline, end], [], [])


def _kill_descendants(agent: int) -> None:
    """Kill the agent's group, then whatever is left below this process, until nothing is."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(agent, signal.SIGKILL)
    while True:
        for child in child_processes():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
