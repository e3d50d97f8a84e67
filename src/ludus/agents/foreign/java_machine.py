"""A Java virtual machine in this process, which belongs to the agent: no pipe, and no copies."""

from __future__ import annotations

import resource

from ludus.agents.foreign.java_files import JavaClass, find_archive
from ludus.agents.foreign.java_process import Ask
from ludus.agents.foreign.java_runtime import find_java_home, find_library, list_options
from ludus.errors import AgentError, AgentFault, clean_text
from ludus.games.platformer.view import View
from ludus.limits import MEBIBYTE

__all__ = ["HostedJava"]

BESIDE_HEAP = 160 * MEBIBYTE
"""What Python, Ludus and the virtual machine take besides the agent's objects."""

LEAST_SHARE, MOST_SHARE = 0.25, 0.75
"""Of the memory that a run allows: for objects even where that is tight, and where it is ample."""


class HostedJava:
    """An agent in the virtual machine of this process, which ends when the machine does.

    There is one machine for a process. It is loaded for the first agent, and stays.

    Args:
        java_class: The agent's class.
        memory: Bytes that the run allows; 0 for no limit.

    Raises:
        AgentError: There is no Java here, or Ludus was built without it.
    """

    running = True

    def __init__(self, java_class: JavaClass, memory: int = 0) -> None:
        find_archive()
        from ludus.agents.foreign import _machine

        home = find_java_home()
        _dump_no_core()
        try:
            _machine.start(str(find_library(home)), list_options(home, _size_heap(memory)))
            self._runner = _machine.Runner(str(java_class.place), java_class.name)
        except OSError as error:
            raise AgentError(f"Java cannot be started: {clean_text(error)}") from error

    def ask(self, kind: Ask, content: bytes = b"") -> bytes:
        """Return the answer to what is asked before decisions.

        Raises:
            AgentFault: The agent has thrown something.
        """
        try:
            return self._runner.ask(kind, content)
        except RuntimeError as error:
            raise AgentFault(clean_text(error)) from None

    def act(self, view: View, *, begins: bool) -> int:
        """Return the buttons that the agent presses.

        Raises:
            AgentFault: It has thrown something, or printed too much.
        """
        try:
            return view.ask_java(self._runner.act, begins=begins)
        except RuntimeError as error:
            raise AgentFault(clean_text(error)) from None

    def begin_episode(self) -> None:
        """Let the agent print as much as it may for an episode: the first decision does so."""

    def kill(self) -> None:
        """Do nothing: the machine ends with this process."""


def _size_heap(memory: int) -> int:
    """Return how much of the memory that a run allows is for the agent's objects."""
    return int(max(min(memory - BESIDE_HEAP, MOST_SHARE * memory), LEAST_SHARE * memory))


def _dump_no_core() -> None:
    """Let a machine that crashes end this process by its signal, without a file as large as it."""
    allowed, most = resource.getrlimit(resource.RLIMIT_CORE)
    if allowed:
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))
