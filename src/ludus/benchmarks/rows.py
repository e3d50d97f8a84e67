"""Rows of a file that somebody else wrote: columns, lines of JSON, or an exported run."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, TextIO

from ludus.errors import OptionError
from ludus.foreign_files import (
    LINE_VALUES,
    TABLE_BYTES,
    TABLE_ROWS,
    UnreadableFile,
    open_text,
)
from ludus.json_files import NotJson, parse_json, parse_json_lines, reason_of

__all__ = ["STDIN", "Row", "read_rows"]

Row = tuple[int, Mapping[str, Any] | str]
"""The line that a row ends in, and its values or what is wrong with it."""


STDIN = Path("-")
"""Stands for what is piped in."""

JSON_SUFFIXES = (".json", ".jsonl")
SEPARATORS = ",;\t"
"""What columns are separated by, the first of them that the first line has."""

MOST_COLUMNS = 1_000
"""Far more than anybody has: every row has a value for each, however short its line is."""

REASONS = {
    "unexpected end of data": "a quotation mark that opens a value is never closed",
    "field larger than field limit (131072)": "a value has more than 131,072 characters",
}
"""What is said of the faults that people make most, by Python's words for them."""


def read_rows(
    path: Path, *, values: str, refusal: str, needed: Sequence[str] = (), **dialect: Any
) -> Iterator[Row]:
    """Yield each row with the line it ends in, or what is wrong with it.

    Args:
        path: A ``.csv`` file, with commas, semicolons or tabs between its columns, lines of JSON,
            an array of JSON, whose entries are counted as lines, or a run as ``ludus export``
            writes it, whose episodes are rows of their facts and of the ``agent``'s name. ``-`` is
            what is piped in, in any of these forms.
        values: What a row holds, as messages call it.
        refusal: What is said of a file that is something else.
        needed: The columns that every file must have.
        dialect: How columns are written, as :class:`csv.DictReader` takes it.

    Raises:
        OptionError: The file cannot be read, holds no row, or lacks a column.
    """
    name = "what is piped in" if path == STDIN else repr(str(path))
    try:
        with _open(path) as file:
            rows = _read_file(path, file, values, needed, dialect)
            count = 0
            for count, row in enumerate(islice(rows, TABLE_ROWS), 1):  # noqa: B007
                yield row
            if not count:
                raise UnreadableFile(f"holds no rows of {values}: give one or more")
            if next(rows, None) is not None:
                raise UnreadableFile(f"has more than {TABLE_ROWS:,} rows, the most that are read")
    except OSError as error:
        raise OptionError(f"cannot read {name}: {reason_of(error)}") from error
    except (UnreadableFile, NotJson) as error:
        raise OptionError(f"{name} {error}") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"{name} {refusal}: save it as text in UTF-8") from error


def _open(path: Path) -> AbstractContextManager[TextIO]:
    """Open a file, or what is piped in, within the limits of both."""
    if path != STDIN:
        return open_text(path, TABLE_BYTES)
    content = sys.stdin.buffer.read(TABLE_BYTES + 1)
    if len(content) > TABLE_BYTES:
        raise UnreadableFile(f"is larger than {TABLE_BYTES // 2**20} MB, the most that is read")
    return nullcontext(io.StringIO(content.decode("utf-8-sig"), newline=""))


def _read_file(
    path: Path, file: TextIO, values: str, needed: Sequence[str], dialect: Mapping[str, Any]
) -> Iterator[Row]:
    """Return the rows of a file in the form that its name or its first character tells."""
    blank = 0
    while (begin := file.readline()) and not begin.strip():
        blank += 1
    if not begin:
        raise UnreadableFile(f"is empty: give rows of {values}")
    lines, first, suffix = chain([begin], file), begin.lstrip()[0], path.suffix.lower()
    if suffix == ".csv" or (suffix not in JSON_SUFFIXES and first not in "[{"):
        separator = next((one for one in SEPARATORS if one in begin), ",")
        return _read_columns(lines, blank, needed, {"delimiter": separator, **dialect})
    if first == "[" and suffix != ".jsonl":
        entries = parse_json("".join(lines), LINE_VALUES)
        return _read_values(enumerate(entries, 1), values)
    if begin.strip() == "{":  # an object in several lines
        return _read_values([(1, parse_json("".join(lines), LINE_VALUES))], values)
    return _read_values(parse_json_lines(chain([""] * blank, lines)), values)


def _read_columns(
    lines: Iterable[str], blank: int, needed: Sequence[str], dialect: Mapping[str, Any]
) -> Iterator[Row]:
    reader = csv.reader(lines, strict=True, **dialect)
    try:
        columns = [name.strip() for name in next(reader, [])]
        _check_columns(columns, needed)
        for cells in reader:
            if len(cells) > len(columns):
                yield blank + reader.line_num, "has more values than there are columns"
            elif cells:
                yield blank + reader.line_num, dict(zip_longest(columns, cells))
    except csv.Error as error:
        reason = REASONS.get(str(error), str(error))
        raise UnreadableFile(f"is no CSV at line {blank + reader.line_num}: {reason}") from error


def _check_columns(columns: Sequence[str], needed: Sequence[str]) -> None:
    if len(columns) > MOST_COLUMNS:
        raise UnreadableFile(f"has {len(columns):,} columns: give at most {MOST_COLUMNS:,}")
    if missing := [name for name in needed if name not in columns]:
        raise UnreadableFile(
            f"has no column {', '.join(missing)}: the first line is {', '.join(columns)[:80]}"
        )
    if twice := [name for name, count in Counter(columns).items() if name and count > 1]:
        raise UnreadableFile(f"has the column {', '.join(twice)[:80]} twice: leave one out")


def _read_values(numbered: Iterable[tuple[int, Any]], values: str) -> Iterator[Row]:
    names: list[str] = []
    for line, value in numbered:
        if isinstance(value, NotJson):
            yield line, str(value)
        elif not isinstance(value, dict):
            yield line, f"is not an object of {values} by name"
        elif value.get("ludus") == "run":
            names = _agent_names(value)
        else:
            yield line, _episode_values(value, names)


def _agent_names(run: Mapping[str, Any]) -> list[str]:
    """Return the names of an exported run's agents, as far as there are any."""
    try:
        return [str(agent["name"]) for agent in run["plan"]["agents"]]
    except (KeyError, TypeError):
        return []


def _episode_values(line: dict[str, Any], names: list[str]) -> Mapping[str, Any]:
    """Return a line's values; those of an exported episode are its facts."""
    facts, agent = line.get("facts"), line.get("agent")
    if not isinstance(facts, dict):
        return line
    if isinstance(agent, int) and 0 <= agent < len(names):
        agent = names[agent]
    ending = {"ending": line["ending"]} if "ending" in line else {}
    return {**ending, **facts, "agent": agent}
