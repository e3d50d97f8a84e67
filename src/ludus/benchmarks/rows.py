"""Rows of a file that somebody else wrote: columns, lines of JSON, or an exported run."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ludus.errors import OptionError
from ludus.foreign_files import TABLE_BYTES, TABLE_ROWS, UnreadableFile, open_text
from ludus.json_files import NotJson, parse_json_lines, reason_of

__all__ = ["Row", "read_rows"]

Row = tuple[int, Mapping[str, Any] | str]
"""The line that a row ends in, and its values or what is wrong with it."""


def read_rows(path: Path, *, values: str, refusal: str, **dialect: Any) -> Iterator[Row]:
    """Yield each row with the line it ends in, or what is wrong with it.

    Args:
        path: A ``.csv`` file, lines of JSON, or a run as ``ludus export`` writes it, whose episodes
            are rows of their facts and of the ``agent``'s name.
        values: What a row holds, as messages call it.
        refusal: What is said of a file that is something else.
        dialect: How columns are written, as :class:`csv.DictReader` takes it.

    Raises:
        OptionError: The file cannot be read.
    """
    try:
        with open_text(path, TABLE_BYTES) as file:
            if path.suffix.lower() == ".csv":
                rows = _read_columns(csv.DictReader(file, **dialect))
            else:
                rows = _read_lines(file, values)
            yield from islice(rows, TABLE_ROWS)
            if next(rows, None) is not None:
                raise UnreadableFile(f"has more than {TABLE_ROWS:,} rows, the most that are read")
    except OSError as error:
        raise OptionError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except UnreadableFile as error:
        raise OptionError(f"{str(path)!r} {error}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise OptionError(f"{str(path)!r} {refusal}: {error}") from error


def _read_columns(reader: csv.DictReader[str]) -> Iterator[Row]:
    for row in reader:
        if None in row:
            yield reader.line_num, "has more values than there are columns"
        else:
            yield reader.line_num, row


def _read_lines(file: Iterable[str], values: str) -> Iterator[Row]:
    names: list[str] = []
    for line, value in parse_json_lines(file):
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
