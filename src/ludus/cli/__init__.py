"""The command line: one file a command, each a thin call into the library."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; whatever is wrong with it is one line.

    Args:
        arguments: The words after ``ludus``; those of the process if None.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words == ["--version"]:  # asked for by scripts, which need no command for it
        from ludus.version import __version__

        print(f"ludus {__version__}")  # noqa: T201
        return 0
    from ludus.cli.app import run_words

    return run_words(words)
