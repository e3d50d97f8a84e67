"""JSON that somebody else wrote: whatever is wrong with it becomes one line, never a traceback."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ludus.errors import one_line
from ludus.foreign_files import (
    JSON_BYTES,
    JSON_DEPTH,
    JSON_DIGITS,
    JSON_VALUES,
    LINE_VALUES,
    UnreadableFile,
    decode,
    read_bytes,
    reason_of,
)

__all__ = ["NotJson", "finite", "parse_json", "parse_json_lines", "read_json", "reason_of"]

_SUSPICIOUS = (
    re.compile(r"[0-9]{17}").search,
    re.compile(r"[eE]\+?[0-9]{3}").search,
    re.compile(r"\\u(?:[dD][89a-fA-F]|0000)").search,
)
"""Find what may stand for a number without a place, half a character or NUL.

Three searches take half as long as one for any of the three.
"""

BYTE_ORDER_MARK = "\ufeff"

BLOCK = JSON_DEPTH - 1
"""So many lines are read together: no more than nesting may have, which is not looked at then."""


class NotJson(ValueError):
    """A file or a line holds no JSON; the message says why, and the caller where."""


def parse_json(text: str | bytes, most_values: int = JSON_VALUES) -> Any:
    """Return the value of a JSON text in UTF-8.

    It has no names twice in one object, no number but finite ones, no half characters and no NUL.

    Args:
        text: The text.
        most_values: How many values it may hold.

    Raises:
        NotJson: It is none, holds one of these, too many values, or is nested too deeply.

    Example:
        >>> parse_json('{"seed": 7}')
        {'seed': 7}
    """
    return _parse(text, most_values, _DECODER.decode)


def _parse(text: str | bytes, most_values: int, read: Callable[[str], Any]) -> Any:
    try:
        content = decode(text) if isinstance(text, bytes) else text
        nested = content.count("[") + content.count("{")
        if content.count(",") + nested >= most_values:
            raise NotJson(f"holds more than {most_values:,} values, the most that are read")
        if content.startswith(BYTE_ORDER_MARK):
            raise NotJson("is not JSON: it begins with a byte order mark; save it as plain UTF-8")
        value = read(content)
        if nested > JSON_DEPTH or any(search(content) for search in _SUSPICIOUS):
            _check_values(value)
    except NotJson:
        raise
    except UnreadableFile as error:
        raise NotJson(str(error)) from error
    except (json.JSONDecodeError, MemoryError) as error:
        raise NotJson(f"is not JSON: {one_line(error) or type(error).__name__}") from error
    except RecursionError as error:
        raise NotJson(f"is nested more than {JSON_DEPTH} levels deep") from error
    except ValueError as error:  # of an int with more digits than Python reads
        raise NotJson(f"holds a number of more than {JSON_DIGITS} digits") from error
    return value


def read_json(path: str | Path, most_bytes: int = JSON_BYTES) -> Any:
    """Return the value that a file holds.

    Args:
        path: The file.
        most_bytes: How large it may be; a larger one is not read.

    Raises:
        NotJson: It cannot be read, is no plain file, is too large or is not JSON.
    """
    try:
        return parse_json(read_bytes(path, most_bytes))
    except OSError as error:
        raise NotJson(f"cannot be read: {reason_of(error)}") from error
    except UnreadableFile as error:
        raise NotJson(str(error)) from error


def parse_json_lines(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    """Yield the number of each line that is not empty, and its value; a fault is a NotJson."""
    rest, number = iter(lines), 1
    while block := list(islice(rest, BLOCK)):
        values = _parse_flat_objects(block)
        yield from enumerate(values, number) if values else _parse_each(block, number)
        number += len(block)


def _parse_each(lines: Iterable[str], number: int) -> Iterator[tuple[int, Any]]:
    for place, text in enumerate(lines, number):
        if not text.strip():
            continue
        try:
            yield place, parse_json(text, LINE_VALUES)
        except NotJson as error:
            yield place, error


def _parse_flat_objects(lines: list[str]) -> list[Any]:
    """Return the values of lines that all are objects of plain values; else nothing.

    Together they are read in half the time. Each has one brace that opens, its first character, so
    as many objects as lines mean that every brace is one of an object and not of a text.
    """
    stripped = [line.strip() for line in lines]
    content = f"[{','.join(stripped)}]"
    count = content.count("{")
    if count != len(lines) or content.count("[") != 1 or content.count(",") >= LINE_VALUES:
        return []
    if not all(line[:1] == "{" and line[-1] == "}" for line in stripped):
        return []
    try:
        values = _parse(content, JSON_VALUES, _decode_flat_objects)
    except NotJson:
        return []
    return values if len(values) == count else []


def _decode_flat_objects(content: str) -> Any:
    """Return the values of an array of objects; refuse a name that one of them has twice.

    Every name has its colon. So as many names as colons mean that none was there twice, which is
    known sooner than by a look at every object.
    """
    values = _QUICK_DECODER.decode(content)
    plain = all(type(value) is dict for value in values)
    if plain and sum(map(len, values)) == content.count(":"):
        return values
    return _DECODER.decode(content)


def _refuse_constant(name: str) -> Any:
    raise NotJson(f"is not JSON: {name} is no number")


def _refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in values if names.count(name) > 1)
        raise NotJson(f"is not JSON: an object has {twice[:40]!a} twice")
    return values


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_refuse_twice)
"""One for all texts, since making one takes longer than reading a short line."""

_QUICK_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
"""Takes the last of values with one name."""


def _check_values(value: Any) -> None:
    """Refuse deep nesting, and plain values that other programs or a database would choke on."""
    level, depth = [value], 0
    while level:
        if depth > JSON_DEPTH:
            raise NotJson(f"is nested more than {JSON_DEPTH} levels deep")
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                inner += [*one, *one.values()]
            elif isinstance(one, list):
                inner += one
            else:
                _check_plain(one)
        level, depth = inner, depth + 1


_HALF = re.compile("[\ud800-\udfff]")


def _check_plain(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value or (not value.isascii() and _HALF.search(value)):
            raise NotJson(f"holds the text {value[:40]!a}, with NUL or half a character")
    elif isinstance(value, float) and not math.isfinite(value):
        raise NotJson("holds a number that is too large to be one")
    elif isinstance(value, int) and abs(value) >= 10**JSON_DIGITS:
        raise NotJson(f"holds a number of more than {JSON_DIGITS} digits")


def finite(value: Any) -> Any:
    """Return values as JSON can have them: records as objects, what is no number as null."""
    if isinstance(value, dict):
        return {str(name): finite(inner) for name, inner in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return finite(value._asdict())
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
