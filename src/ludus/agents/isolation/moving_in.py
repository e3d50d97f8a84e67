"""What a process of somebody else's code does before it runs any: it moves, and is confined."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from pkgutil import get_importer
from typing import Any

from ludus.agents.isolation.linux import answer_for_children
from ludus.agents.sandbox import PROFILES, clean_environment, confine
from ludus.agents.sandbox.handover import hand_over_listener, hand_over_scratch
from ludus.agents.sandbox.profiles import PROGRAM, PYTHON
from ludus.agents.sandbox.scratch import make_scratch
from ludus.errors import AgentError, clean_text, format_error
from ludus.limits import MEBIBYTE, Limits

__all__ = ["describe_error", "describe_place", "move", "shut_door", "to_text"]

MOST_SAID = 200


def describe_place(
    readable: list[str] | None, logged_files: list[str] | None = None, profile: str = PYTHON
) -> dict[str, Any]:
    """Return where the process of somebody else's code is to be, as this process is now.

    Args:
        readable: What it may read if it is confined; None if it is not.
        logged_files: The files that tracebacks of its log may show; None if it has no log.
        profile: Which of :data:`~ludus.agents.sandbox.PROFILES` it is confined by.
    """
    return {
        "environment": (dict if readable is None else clean_environment)(os.environ),
        "folder": os.getcwd(),
        "readable": readable,
        "profile": profile,
        "logged_files": logged_files,
        "path": [folder or os.getcwd() for folder in sys.path],
    }


def move(place: Mapping[str, Any]) -> None:
    """Take the environment, the folder and the places of modules of :func:`describe_place`."""
    os.environ.clear()
    os.environ.update(place["environment"])
    os.chdir(place["folder"])
    sys.path[:] = place["path"]


def shut_door(place: Mapping[str, Any], limits: Limits, keeper: socket.socket) -> None:
    """Give up all but the place's readable files, if it is to be confined; leave the keeper.

    What the process prints in the sandbox is lost, unless it has a log.

    Args:
        place: Where it is.
        limits: What the process may use.
        keeper: The way to the keeper, which is told of the sandbox.

    Raises:
        AgentError: This system cannot confine a process.
    """
    if place["profile"] == PROGRAM:
        answer_for_children()
    if place["readable"] is not None:
        if place["logged_files"] is None:
            _lose_prints()
        _enter_sandbox(place, limits, keeper)
    keeper.close()


def _lose_prints() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.close(nothing)


def _enter_sandbox(place: Mapping[str, Any], limits: Limits, keeper: socket.socket) -> None:
    readable, profile = [Path(path) for path in place["readable"]], PROFILES[place["profile"]]
    try:
        scratch = make_scratch()
    except OSError as error:
        raise AgentError(f"no scratch folder can be made: {clean_text(error)}") from error
    hand_over_scratch(keeper, scratch)
    _list_modules({path.parent for path in readable})
    allowed = replace(profile, memory=max(profile.memory, limits.memory))
    hand_over_listener(keeper, confine(readable, scratch.folder, allowed))


def _list_modules(folders: set[Path]) -> None:
    """Let Python learn now which modules folders hold: the sandbox shows files, not the list."""
    for folder in folders:
        finder = get_importer(str(folder))
        if finder is not None:
            finder.find_spec("")


def describe_error(error: BaseException) -> bytes:
    """Return an error of somebody else's code as a text that can be sent."""
    try:
        memory = f" ({_describe_memory()})" if isinstance(error, MemoryError) else ""
        return to_text(format_error(error)[:MOST_SAID] + memory)
    except BaseException:  # its own __str__ may raise whatever it likes
        return to_text(type(error).__name__)


def _describe_memory() -> str:
    """Return how much memory this process may take, if that is limited."""
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return "the system has no more: hold less at once"
    limit = f"{most / MEBIBYTE:,.0f} MiB of address space"
    return f"the process may take {limit}: hold less at once"


def to_text(text: object) -> bytes:
    """Return a text as one short line that can be sent."""
    return clean_text(text).encode("utf-8", "replace")
