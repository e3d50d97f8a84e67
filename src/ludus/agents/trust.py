"""Whether agents may be read from files that run code when they are read."""

from __future__ import annotations

import os

__all__ = ["TRUST", "trust", "trusted"]

TRUST = "LUDUS_TRUST"
"""The environment variable that says so; workers inherit it."""

YES = ("1", "true", "yes")


def trust() -> None:
    """Let this process, and those it starts, read such files."""
    os.environ[TRUST] = YES[0]


def trusted() -> bool:
    """Whether whoever plays has said that such files may be read."""
    return os.environ.get(TRUST, "").lower() in YES
