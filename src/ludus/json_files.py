"""JSON that somebody else wrote: whatever is wrong with it becomes one line, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ludus.errors import one_line

__all__ = ["NotJson", "parse_json", "parse_json_lines", "read_json", "reason_of"]


class NotJson(ValueError):
    """A file or a line holds no JSON; the message says why, and the caller where."""


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        NotJson: It is none, is not UTF-8 or is nested too deeply.

    Example:
        >>> parse_json('{"seed": 7}')
        {'seed': 7}
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotJson(f"is not JSON: {one_line(error)}") from error


def read_json(path: Path, most_bytes: int | None = None) -> Any:
    """Return the value that a file holds.

    Args:
        path: The file.
        most_bytes: How large it may be; a larger one is not opened.

    Raises:
        NotJson: It cannot be read, is too large or is not JSON.
    """
    try:
        if most_bytes is not None and path.stat().st_size > most_bytes:
            raise NotJson(f"is larger than {most_bytes // 2**20} MB, the most that is read")
        return parse_json(path.read_bytes())
    except OSError as error:
        raise NotJson(f"cannot be read: {reason_of(error)}") from error


def parse_json_lines(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    """Yield the number of each line that is not empty, and its value; a fault is a NotJson."""
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            yield number, parse_json(text)
        except NotJson as error:
            yield number, error


def reason_of(error: OSError) -> str:
    """Return why a file cannot be read or written, without its name."""
    return error.strerror or one_line(error)
