"""What models did wrong and how long phases took, from the files beside a saved game."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ludus.benchmarks.diplomacy.finding import LOG, RESPONSES
from ludus.benchmarks.diplomacy.records import SavedGame
from ludus.foreign_files import JSON_BYTES, TABLE_BYTES, UnreadableFile, open_text

__all__ = ["CallTable", "Calls", "call_failed", "read_calls", "read_phase_times"]

ORDER_KINDS = {"order_generation", "orders", "orders_again"}
FAILED = ("false", "failure:", "error", "failed")
TOOK = re.compile(r"Phase (\S{1,40}) took (\d{1,9}(?:\.\d{0,9})?) ?s", re.ASCII)
LONGEST_FIELD = 1 << 26


@dataclass(slots=True)
class Calls:
    """How many calls were made for a power, how many of them failed, and what they cost.

    Attributes:
        total: How many there were.
        failed: How many of them failed.
        cost: What they cost, in dollars; None if that is not told.
        kinds: How many there were of each kind.
        failed_orders: The phases for which a call for orders failed.
    """

    total: int = 0
    failed: int = 0
    cost: float | None = None
    kinds: dict[str, int] = field(default_factory=dict)
    failed_orders: set[str] = field(default_factory=set)

    def add(self, row: CallRow) -> None:
        """Count one more."""
        failed = call_failed(row.success)
        self.total += 1
        self.failed += failed
        self.kinds[row.kind] = self.kinds.get(row.kind, 0) + 1
        if row.kind in ORDER_KINDS:  # the last call of a phase is the one that counts
            (self.failed_orders.add if failed else self.failed_orders.discard)(row.phase)
        if row.cost is not None:
            self.cost = (self.cost or 0.0) + row.cost


class CallRow(NamedTuple):
    """What a row tells of a call."""

    power: str
    phase: str
    kind: str
    success: str
    cost: float | None


class CallTable(NamedTuple):
    """The calls by power, and what is wrong with the file."""

    by_power: dict[str, Calls]
    faults: list[str]


def read_calls(game: SavedGame) -> CallTable:
    """Count the calls beside a game; torn rows are named and left out."""
    path = game.folder / RESPONSES if game.folder else None
    if path is None or not path.is_file():
        return CallTable({}, [])
    by_power: dict[str, Calls] = {}
    torn: list[int] = []
    try:
        for line, row in _read_rows(path):
            if row is None:
                torn.append(line)
                continue
            by_power.setdefault(row.power.upper(), Calls()).add(row)
    except (OSError, ValueError, csv.Error, KeyError) as error:
        return CallTable(by_power, [f"{str(path)!r} is no table of calls: {error}"])
    faults = [f"{str(path)!r}: {len(torn)} torn rows, the first in line {torn[0]}"] if torn else []
    return CallTable(by_power, faults)


def call_failed(success: str) -> bool:
    """Return whether a call failed, by the free text that its row ends with.

    Example:
        >>> call_failed("Success: No valid messages"), call_failed("Failure: Invalid LLM Moves (2)")
        (False, True)
    """
    lowered = success.lower()
    return any(word in lowered for word in FAILED)


def read_phase_times(game: SavedGame) -> list[tuple[str, float]]:
    """Return how many seconds each phase took, as the log beside a game tells it."""
    path = game.folder / LOG if game.folder else None
    if path is None or not path.is_file():
        return []
    try:
        with open_text(path, JSON_BYTES, errors="replace") as file:
            text = file.read()
    except (OSError, UnreadableFile):
        return []
    return [(phase, float(seconds)) for phase, seconds in TOOK.findall(text)]


def _read_rows(path: Path) -> Iterator[tuple[int, CallRow | None]]:
    """Yield each row with the line it ends in; None for torn ones."""
    with open_text(path, TABLE_BYTES) as file, _long_fields():
        reader = csv.reader(file, escapechar="\\")
        names = next(reader, [])
        missing = {"power", "success"} - set(names)
        if missing:
            raise KeyError(f"it has no column {min(missing)!r}")
        for cells in reader:
            good = len(cells) == len(names)
            yield reader.line_num, _to_row(dict(zip(names, cells, strict=True))) if good else None


def _to_row(cells: Mapping[str, str]) -> CallRow:
    kind = cells.get("response_type", cells["power"])
    cost = _to_number(cells.get("cost", ""))
    return CallRow(cells["power"], cells.get("phase", ""), kind, cells["success"], cost)


def _to_number(text: str) -> float | None:
    """Return a cost, or None if there is none that makes sense."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let a field hold a whole prompt."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)
