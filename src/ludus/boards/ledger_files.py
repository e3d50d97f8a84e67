"""The ledger as a file: its lines, and its head at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, NamedTuple

from ludus.boards.entry_checks import check_particulars
from ludus.boards.head import LedgerHead, head_of, parse_head, sign_head
from ludus.boards.ledger import LedgerEvent, find_broken_line, read_ledger
from ludus.errors import BoardError, OptionError, one_line
from ludus.foreign_files import LEDGER_BYTES, read_lines, reason_of
from ludus.json_files import parse_json
from ludus.runs.store import Store

__all__ = ["ExportedLedger", "export_ledger", "read_exported_ledger", "read_ledger_file"]

HEAD = "ledger-head"


class ExportedLedger(NamedTuple):
    """What a file of a ledger holds.

    Attributes:
        events: Its lines, whole or broken.
        head: Its head; None in files of before there were heads.
    """

    events: list[LedgerEvent]
    head: LedgerHead | None


def export_ledger(store: Store, path: str | Path) -> int:
    """Write the whole ledger to a file, one line of JSON each, and return how many there are.

    Its head follows as the last line, signed if a key is configured. A broken ledger has none.

    Raises:
        OptionError: The file cannot be written.
        BoardError: The file of the key is none, or others can read it.
        MissingExtra: The package that signs is not installed.
    """
    events = read_ledger(store)
    head = None if not events or find_broken_line(events) else sign_head(head_of(events))
    try:
        with Path(path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_lines(events, head))
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return len(events)


def _lines(events: Sequence[LedgerEvent], head: LedgerHead | None) -> Iterator[str]:
    for event in events:
        yield json.dumps({"ludus": "ledger", **asdict(event)}) + "\n"
    if head:
        yield json.dumps({"ludus": HEAD, **head.to_dict()}) + "\n"


def read_ledger_file(path: str | Path) -> list[LedgerEvent]:
    """Return the lines of a ledger that :func:`export_ledger` wrote, whole or broken.

    Raises:
        BoardError: The file cannot be read, or a line is no line of a ledger.
    """
    return read_exported_ledger(path).events


def read_exported_ledger(path: str | Path) -> ExportedLedger:
    """Return the lines and the head of a ledger that :func:`export_ledger` wrote.

    Raises:
        BoardError: The file cannot be read, or a line is no line of a ledger, or lines follow its
            head.
    """
    events: list[LedgerEvent] = []
    head: LedgerHead | None = None
    try:
        for text in read_lines(path, LEDGER_BYTES):
            if head is not None:
                raise ValueError("it follows the head, which is the end")
            line = _parse_line(text)
            if isinstance(line, LedgerHead):
                head = line
            else:
                events.append(line)
    except OSError as error:
        raise BoardError(f"cannot read the ledger {str(path)!r}: {reason_of(error)}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        place, reason = f"{path}, line {len(events) + 1 + bool(head)}", one_line(error)
        raise BoardError(f"{place}: is no line of a ledger: {reason}") from error
    return ExportedLedger(events, head)


def _parse_line(text: str) -> LedgerEvent | LedgerHead:
    values = parse_json(text)
    kind = values.pop("ludus")
    if kind == HEAD:
        return parse_head(str(values["text"]))
    if kind != "ledger":
        raise ValueError("another kind of file")
    event = LedgerEvent(**values)
    for field in fields(LedgerEvent):
        value: Any = getattr(event, field.name)
        counted = type(value) is int and 0 <= value < 2**31
        if not (counted if field.type == "int" else isinstance(value, str)):
            raise ValueError(f"{field.name!r} is {value!r:.40}")
    body = parse_json(event.text)
    if not isinstance(body, dict):
        raise ValueError("its particulars are no object of fields by name")
    check_particulars(body)
    return event
