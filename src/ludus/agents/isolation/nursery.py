"""The process that forks agents: it knows Ludus, and neither plan nor seeds nor any agent."""

from __future__ import annotations

import atexit
import fcntl
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import NoReturn

from ludus.agents.isolation import shared_channel
from ludus.agents.isolation.keeper import keep_agent
from ludus.agents.isolation.linux import adopt_orphans
from ludus.agents.isolation.metering import REPORT, Report, Request, can_measure
from ludus.agents.isolation.printed import Printed, read_printed
from ludus.agents.isolation.shared_channel import SharedChannel, open_channel
from ludus.agents.sandbox import clean_environment
from ludus.agents.sandbox.bubblewrap import (
    WRITABLE_FOLDER,
    command_in_bubblewrap,
    find_fault,
)
from ludus.frames import Channel
from ludus.limits import Limits
from ludus.processes import PRELOADED, start_process

__all__ = ["AgentLink", "fork_nursery", "start_agent"]

MOST_SENT = 5
PLAIN, LOGGED = b"a", b"l"  # an agent; one whose last descriptor takes what it has printed
MOST_DESCRIPTORS = 65_536
PIPE_BYTES = 2**20
READY = b"r"
STARTING = 60.0  # seconds that a nursery of confined agents may take to import Ludus
ENDING = 5.0  # seconds that a keeper may take to kill what it keeps


class AgentLink:
    """The way to an agent's process.

    Attributes:
        channel: Messages to and from it.
        printed: What the process has printed; known when it is gone.
    """

    def __init__(
        self, channel: Channel | SharedChannel, lifeline: socket.socket, log: int | None = None
    ) -> None:
        self.channel = channel
        self.printed = Printed()
        self._lifeline = lifeline
        self._log = log

    def limit(self, limits: Limits) -> None:
        """Let the keeper end the process when it uses more than this, and measure from now on."""
        with suppress(OSError):
            self._lifeline.sendall(Request(False, limits).pack())

    def measure(self, limits: Limits) -> Report | None:
        """Return what was used since the last call; None if nobody can tell."""
        with suppress(OSError):
            self._lifeline.sendall(Request(True, limits).pack())
            return self._receive()
        return None

    def close(self) -> Report | None:
        """End the process with all its descendants; return what they used when they are gone."""
        report = None
        with suppress(OSError):
            self._lifeline.shutdown(socket.SHUT_WR)
            report = self._receive()
            self._lifeline.recv(1)  # nothing comes: its keeper closes its end when all are gone
        self._read_log()
        self._let_go()
        return report

    def _receive(self) -> Report | None:
        self._lifeline.settimeout(ENDING)
        content = self._lifeline.recv(REPORT.size, socket.MSG_WAITALL)
        return Report.unpack(content) if len(content) == REPORT.size and can_measure() else None

    def _read_log(self) -> None:
        log, self._log = self._log, None
        if log is not None:
            self.printed = read_printed(log)

    def _let_go(self) -> None:
        self._lifeline.close()
        self.channel.close()
        self._read_log()

    def __del__(self) -> None:
        """End a process that nobody can ask any more, without waiting for it."""
        self._let_go()


class _Nursery:
    """A nursery of this process, started when it is first needed.

    Args:
        confined: Whether its agents are to be confined. It then begins without the variables of
            this process, which could hold secrets, and runs in bubblewrap where that holds.
    """

    def __init__(self, *, confined: bool) -> None:
        self._confined = confined
        self._process = 0
        self.control: socket.socket | None = None
        self.owner = 0
        self.lock = threading.Lock()

    def send(self, kind: bytes, *descriptors: int) -> None:
        """Send the descriptors of a new agent; a nursery that is gone is started anew."""
        with self.lock:
            for last in (False, True):
                control = self.control if self.owner == os.getpid() else None
                if control is None:
                    control = self._start()
                try:
                    socket.send_fds(control, [kind], descriptors)
                    return
                except OSError:
                    self.close()
                    if last:
                        raise

    def _start(self) -> socket.socket:
        near, far = socket.socketpair()
        if self._confined:
            self._process = _spawn_confined(far)
        else:
            start_process(_serve_connection, Connection(os.dup(far.fileno())))
        far.close()
        if self._confined:
            _wait_until_served(near)
        self.adopt(near)
        return near

    def close(self) -> None:
        """Let the nursery go; agents that it has started go with their links."""
        if self.control is not None and self.owner == os.getpid():
            self.control.close()
            self.control = None
            if self._process:
                _wait_briefly(self._process)

    def adopt(self, control: socket.socket) -> None:
        """Use a nursery that was started otherwise."""
        self.control, self.owner = control, os.getpid()


_NURSERY = _Nursery(confined=False)
_CONFINED_NURSERY = _Nursery(confined=True)
atexit.register(_NURSERY.close)
atexit.register(_CONFINED_NURSERY.close)


def fork_nursery() -> None:
    """Fork this process's nursery off now, while it knows nothing that an agent must not know."""
    near, far = socket.socketpair()
    if os.fork() == 0:
        near.close()
        _serve(far)
    far.close()
    _NURSERY.adopt(near)


def start_agent(*, sandbox: bool = False, logged: bool = False) -> AgentLink:
    """Start a process for an agent, with nothing loaded yet.

    Args:
        sandbox: Whether the agent is to be confined. Its process then has never held a variable of
            this one, and is in bubblewrap where that holds; the other layers are its own work.
        logged: Whether its keeper keeps what it prints.

    Raises:
        OSError: No process can be started.
    """
    agent_in, to_agent = os.pipe()
    from_agent, agent_out = os.pipe()
    near, far = socket.socketpair()
    for pipe in (to_agent, agent_out):
        _widen(pipe)
    memory = [] if (descriptor := shared_channel.make_memory()) is None else [descriptor]
    log, *log_end = os.pipe() if logged else (None,)
    try:
        nursery = _CONFINED_NURSERY if sandbox else _NURSERY
        kind = LOGGED if logged else PLAIN
        nursery.send(kind, agent_in, agent_out, far.fileno(), *memory, *log_end)
        channel = open_channel(from_agent, to_agent, *memory, asks=True)
    except BaseException:
        os.close(to_agent)
        os.close(from_agent)
        near.close()
        if log is not None:
            os.close(log)
        raise
    finally:
        for descriptor in (agent_in, agent_out, *memory, *log_end):
            os.close(descriptor)
        far.close()
    return AgentLink(channel, near, log)


def _widen(pipe: int) -> None:
    """Let a pipe hold a picture, so that it takes one step from process to process."""
    with suppress(OSError, AttributeError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _spawn_confined(control: socket.socket) -> int:
    """Start a nursery for confined agents that listens to the socket; return the process."""
    wrapped = not find_fault()
    folder = WRITABLE_FOLDER if wrapped else tempfile.gettempdir()
    arguments = f"{control.fileno()}, {folder!r}"
    code = f"from {__name__} import serve_confined; serve_confined({arguments})"
    command = [sys.executable, "-P", "-c", code]  # the working folder holds no modules
    if wrapped:
        command = command_in_bubblewrap(command)
    control.set_inheritable(True)
    places = os.pathsep.join(map(os.path.abspath, sys.path))
    environment = {**clean_environment(os.environ), "PYTHONPATH": places}
    return os.posix_spawn(command[0], command, environment)


def _wait_until_served(control: socket.socket) -> None:
    """Wait for a nursery to say that it listens, so that no agent's clock counts its start."""
    control.settimeout(STARTING)
    if control.recv(1) != READY:
        raise OSError("the process that starts confined agents has ended")
    control.settimeout(None)


def _wait_briefly(process: int) -> None:
    """Wait for a nursery that was let go, but not for long: it waits for its agents."""
    for _ in range(20):
        with suppress(ChildProcessError):
            if os.waitpid(process, os.WNOHANG) == (0, 0):
                time.sleep(0.01)
                continue
        return


def serve_confined(descriptor: int, folder: str) -> NoReturn:
    """Be the nursery of another process for agents that are to be confined; never return.

    Args:
        descriptor: The socket by which the other process asks for agents.
        folder: Where scratch folders are made.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for module in PRELOADED:
        import_module(module)
    tempfile.tempdir = folder
    control = socket.socket(fileno=descriptor)
    with suppress(OSError):  # a process that is gone meanwhile needs no nursery
        control.send(READY)
    _serve(control)


def _serve_connection(connection: Connection) -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is interrupted ends this
    _serve(socket.socket(fileno=os.dup(connection.fileno())))


def _serve(control: socket.socket) -> NoReturn:
    """Fork a keeper for each message until the other end closes; never return."""
    try:
        _close_all_but(descriptor := control.detach())
        adopt_orphans()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers that end leave nothing behind
        control = socket.socket(fileno=descriptor)
        while _serve_one(control):
            pass
        control.close()
        with suppress(ChildProcessError):  # agents of a nursery in bubblewrap end with it
            os.waitpid(-1, 0)
    finally:
        os._exit(0)


def _serve_one(control: socket.socket) -> bool:
    message, descriptors, _, _ = socket.recv_fds(control, 1, MOST_SENT)
    if not message:
        return False
    if os.fork() == 0:
        control.close()
        keep_agent(*descriptors, logged=message == LOGGED)
    for descriptor in descriptors:
        os.close(descriptor)
    return True


def _close_all_but(descriptor: int) -> None:
    """Close what this process has inherited, but for the standard ones."""
    os.closerange(3, descriptor)
    os.closerange(descriptor + 1, MOST_DESCRIPTORS)
