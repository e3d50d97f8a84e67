"""Keeps one agent's process: ends it, with every process that it has started, when it is time."""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress
from multiprocessing import current_process, forkserver, resource_tracker
from typing import Any, NoReturn

from ludus.agents.isolation.endings import Ending, EndingKind
from ludus.agents.isolation.linux import (
    adopt_orphans,
    child_processes,
    die_with_parent,
    shield_others,
)
from ludus.agents.isolation.metering import REQUEST, Excess, Meter, Request
from ludus.agents.isolation.player import answer_messages
from ludus.agents.isolation.printed import PrintReader, print_into
from ludus.agents.isolation.shared_channel import open_channel
from ludus.agents.sandbox.handover import SandboxWatch, open_handover_sockets

__all__ = ["keep_agent"]


def keep_agent(
    incoming: int, outgoing: int, lifeline: int, *others: int, logged: bool = False
) -> NoReturn:
    """Start an agent's process, and end it with all its descendants when the lifeline closes.

    They are ended as well when the agent's process itself is gone. This process never returns.

    Args:
        incoming: Where the agent reads messages.
        outgoing: Where it writes its answers.
        lifeline: Closed by the referee, or with it.
        others: What the agent shares with the referee, if there is such memory; then where to
            write what the agent has printed, if that is logged.
        logged: Whether that is so.
    """
    log, memory = (others[-1], others[:-1]) if logged else (None, others)
    reader = PrintReader() if logged else None
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    adopt_orphans()
    near, far = open_handover_sockets()
    agent = os.fork()
    if agent == 0:
        _become_agent(far, reader, incoming, outgoing, *memory)
    far.close()
    if reader:
        reader.start()
    for descriptor in (incoming, outgoing, *memory):
        os.close(descriptor)
    referee, meter, sandbox = socket.socket(fileno=lifeline), Meter(), SandboxWatch(near)
    try:
        excess, ending = _watch(agent, referee, meter, sandbox)
        status = _kill_descendants(agent)
        meter.look_back()
        sandbox.close()
        if reader and log is not None:
            reader.finish(log)
        if ending is None or (ending == Ending() and status != signal.SIGKILL):
            ending = Ending.from_status(status)
        with suppress(OSError):
            referee.sendall(meter.report()._replace(excess=excess, ending=ending).pack())
    finally:
        _kill_descendants(agent)
        sandbox.close()
        os._exit(0)


def _become_agent(
    keeper: socket.socket, reader: PrintReader | None, incoming: int, outgoing: int, *memory: int
) -> NoReturn:
    os.setsid()
    die_with_parent()
    shield_others()
    channel = open_channel(incoming, outgoing, *memory, asks=False)
    if reader:
        print_into(reader.target)
    _close_all_but(incoming, outgoing, keeper.fileno())
    _forget_servers()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer_messages(channel, keeper)
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


def _watch(
    agent: int, referee: socket.socket, meter: Meter, sandbox: SandboxWatch
) -> tuple[Excess, Ending | None]:
    """Answer the referee until it is time to end the agent; return why it is.

    Returns:
        The limit that it is over, and its ending; None if the agent's process has ended by itself.
    """
    ends = _open_ends(agent)
    while True:
        sources: list[Any] = [referee, *ends, *sandbox.waited_on]
        events = select.select(sources, [], [], sandbox.seconds_between_looks)[0]
        meter.look()
        excess = meter.report().excess
        if offence := sandbox.find_offence(events):
            return Excess.NONE, Ending(EndingKind.OFFENCE, offence=offence)
        if sandbox.asks_for_process and not meter.has_room:
            return Excess.PROCESSES, Ending()
        sandbox.allow_process()
        if excess:
            return excess, Ending()
        if _wait_for_dead(agent) or not set(ends).isdisjoint(events):
            return excess, None
        if referee in events and not _answer(referee, meter):
            return excess, Ending()


def _open_ends(agent: int) -> list[int]:
    """Return what can be waited on for the end of a process, where the kernel has that."""
    try:
        return [os.pidfd_open(agent)]
    except (AttributeError, OSError):
        return []


def _wait_for_dead(agent: int) -> bool:
    """Wait for orphans that are gone; return whether the agent's process is gone as well."""
    with suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid == agent:  # its number stays taken until its group is killed
                return True
            os.waitpid(ended.si_pid, 0)
    return False


def _answer(referee: socket.socket, meter: Meter) -> bool:
    """Answer a request of the referee; return whether it is still there."""
    try:
        request = Request.unpack(referee.recv(REQUEST.size, socket.MSG_WAITALL))
        if request.report:
            referee.sendall(meter.report().pack())
    except (OSError, struct.error):
        return False
    meter.limits = request.limits
    meter.mark()
    return True


def _kill_descendants(agent: int) -> int:
    """Kill the agent's group, then whatever is left below this process, until nothing is.

    Returns:
        How the agent's process ended, as the kernel reports it.
    """
    status = 0
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(agent, signal.SIGKILL)
    while True:
        for child in child_processes():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            ended, reported = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended == agent:
            status = reported
