"""Where somebody else's code has failed: the lines of its own files, and of no others."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from traceback import StackSummary, TracebackException

from ludus.agents.isolation.printed import flush_printed

__all__ = ["format_own_traceback", "print_own_traceback"]

MOST_WRITTEN = 4096
DEEPEST = 8


def print_own_traceback(error: BaseException, files: Iterable[str]) -> None:
    """Print an error's traceback, as far as it goes through some files; raise nothing.

    Args:
        error: What was raised.
        files: Files and folders that belong to the code.
    """
    with suppress(BaseException):  # its own __str__ may raise whatever it likes
        text = format_own_traceback(error, files)
        flush_printed()
        os.write(2, text.encode("utf-8", "backslashreplace")[:MOST_WRITTEN])


def format_own_traceback(error: BaseException, files: Iterable[str]) -> str:
    """Return an error's traceback with those frames alone that are in some files or folders."""
    own = {Path(file).resolve() for file in files}
    trace: TracebackException | None
    trace = shown = TracebackException.from_exception(error)
    for _ in range(DEEPEST):
        if trace is None:
            break
        trace.stack = StackSummary.from_list(
            [frame for frame in trace.stack if _is_in(frame.filename, own)]
        )
        trace = trace.__cause__ or trace.__context__
    return "".join(shown.format())


def _is_in(file: str, own: set[Path]) -> bool:
    path = Path(file).resolve()
    return path in own or not own.isdisjoint(path.parents)
