"""bubblewrap, the outer layer of the sandbox: namespaces around all confined agents."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

__all__ = ["WRITABLE_FOLDER", "command_in_bubblewrap", "find_fault"]

OPTIONS = (
    *("--unshare-all", "--new-session", "--cap-drop", "ALL"),
    *("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"),
)
"""No network, no other process in sight, no queues of others, and files to read only."""

WRITABLE_FOLDER = "/dev/shm"  # noqa: S108
"""Where files can be written in bubblewrap: a new folder in memory that ends with it."""

PATIENCE = 10.0
LONGEST = 160


@cache
def find_fault() -> str:
    """Return why bubblewrap does not hold here, or nothing if it does; it is tried once.

    Example:
        >>> isinstance(find_fault(), str)
        True
    """
    program = shutil.which("bwrap")
    if program is None:
        return "bwrap is not installed"
    try:
        tried = subprocess.run(  # noqa: S603
            [program, *OPTIONS, "true"], capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"bwrap cannot be run: {error}"[:LONGEST]
    if tried.returncode == 0:
        return ""
    lines = tried.stderr.decode("utf-8", "replace").strip().splitlines()
    return (lines[-1] if lines else f"bwrap ended with {tried.returncode}")[:LONGEST]


def command_in_bubblewrap(command: list[str]) -> list[str]:
    """Return the command that runs another one in bubblewrap."""
    return [shutil.which("bwrap") or "bwrap", *OPTIONS, *command]
