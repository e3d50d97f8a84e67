"""The ledger: what happened to the boards, line by line, each sealed with the line before it.

Lines are only ever added. Whoever changes, removes or reorders one breaks the seal of it or of
the next; whoever has written down the last digest also notices when lines at the end are missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from time import sleep
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from ludus.errors import BoardError, StoreError, one_line
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.schema import events as table
from ludus.runs.sealed import REVEALED
from ludus.runs.store import Store

__all__ = [
    "BrokenLine",
    "LedgerDraft",
    "LedgerEvent",
    "LedgerEventKind",
    "append_events",
    "check_ledger",
    "find_broken_line",
    "insert_events",
    "read_ledger",
    "seal_events",
]

GENESIS = "0" * 64
MAX_TRIES = 200
PAUSE = 0.01

_encode = json.JSONEncoder(separators=(",", ":")).encode  # made once for all lines


class LedgerEventKind(StrEnum):
    """What can happen to an entry of a board, or to a sealed season."""

    ACCEPTED = "accepted"
    SUPERSEDED = "superseded"
    VERIFIED = "verified"
    RESCORED = "rescored"
    REMOVED = "removed"
    SEASON_STARTED = "season-started"
    SEASON_REVEALED = REVEALED


class LedgerDraft(NamedTuple):
    """An event that is not in the ledger yet."""

    kind: LedgerEventKind
    benchmark: str
    version: int
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LedgerEvent:
    """One line.

    Attributes:
        number: Its place, counted from 1.
        at: When it was written, UTC.
        kind: What happened.
        benchmark: The benchmark's id.
        version: The benchmark's version.
        text: The particulars as JSON: by whom, why, which entry.
        previous: The digest of the line before.
        digest: The digest of this line.
    """

    number: int
    at: str
    kind: str
    benchmark: str
    version: int
    text: str
    previous: str
    digest: str

    @property
    def of_season(self) -> bool:
        """Whether it happened to a season and not to an entry."""
        return self.kind in (LedgerEventKind.SEASON_STARTED, LedgerEventKind.SEASON_REVEALED)

    @property
    def body(self) -> dict[str, Any]:
        """The particulars."""
        try:
            return dict(json.loads(self.text))
        except (ValueError, TypeError, RecursionError) as error:
            raise BoardError(
                f"line {self.number} of the ledger holds no particulars: {one_line(error)}"
            ) from error

    @property
    def seal(self) -> str:
        """The digest that the line should have."""
        values = (self.number, self.at, self.kind, self.benchmark, self.version, self.text)
        return hashlib.sha256(_encode([*values, self.previous]).encode()).hexdigest()


class BrokenLine(NamedTuple):
    """The first line that is not as it was written, and how that shows."""

    number: int
    reason: str


@retry_when_lost
def read_ledger(store: Store, benchmark: str | None = None) -> list[LedgerEvent]:
    """Return all lines in their order, or those of one benchmark."""
    where = sa.true() if benchmark is None else table.c.benchmark == benchmark
    with store.connection() as connection:
        rows = connection.execute(sa.select(table).where(where).order_by(table.c.number))
        return [LedgerEvent(*row) for row in rows]


def append_events(
    store: Store, decide: Callable[[Sequence[LedgerEvent]], Iterable[LedgerDraft]]
) -> list[LedgerEvent]:
    """Add lines to the ledger, all of them or none, and return them.

    Args:
        store: Where the ledger is.
        decide: Given all lines there are, returns those to add. If another process adds some
            meanwhile, it is asked again.

    Raises:
        StoreError: The store cannot be written to, the ledger is broken, or others write all
            the time.
    """
    for attempt in range(MAX_TRIES):
        events = read_ledger(store)
        if broken := find_broken_line(events):
            raise StoreError(
                f"line {broken.number} of the ledger {broken.reason}: nothing is added"
            )
        added = list(seal_events(decide(events), events[-1] if events else None))
        if not added or _try_insert(store, added):
            return added
        sleep(PAUSE * (1 + attempt % 10))
    raise StoreError(f"others wrote to the ledger {MAX_TRIES} times in between: try again")


def seal_events(drafts: Iterable[LedgerDraft], last: LedgerEvent | None) -> Iterator[LedgerEvent]:
    """Yield the drafts as lines that go on after the last one."""
    number, previous = (last.number, last.digest) if last else (0, GENESIS)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    for draft in drafts:
        number += 1
        text = json.dumps(draft.body, sort_keys=True, allow_nan=False)
        unsealed = LedgerEvent(
            number, at, str(draft.kind), draft.benchmark, draft.version, text, previous, ""
        )
        previous = unsealed.seal
        yield replace(unsealed, digest=previous)


@retry_when_lost
def insert_events(store: Store, events: Sequence[LedgerEvent]) -> None:
    """Put lines into a store as they are, such as those of another store's ledger."""
    columns = [column.name for column in table.columns]
    rows = [dict(zip(columns, astuple(event), strict=True)) for event in events]
    if rows:
        with store.transaction() as connection:
            connection.execute(table.insert(), rows)


def _try_insert(store: Store, events: Sequence[LedgerEvent]) -> bool:
    """Write the lines, unless others are in their places."""
    try:
        insert_events(store, events)
    except StoreError as error:
        if isinstance(error.__cause__, IntegrityError):
            return _are_written(store, events)
        raise
    return True


@retry_when_lost
def _are_written(store: Store, events: Sequence[LedgerEvent]) -> bool:
    """Say whether the lines were written by a call whose answer was lost with the connection."""
    query = sa.select(table.c.digest).where(table.c.digest == events[-1].digest)
    with store.connection() as connection:
        return connection.scalar(query) is not None


def check_ledger(store: Store) -> BrokenLine | None:
    """Return the first line of the ledger that is not as it was written, or None."""
    return find_broken_line(read_ledger(store))


def find_broken_line(events: Iterable[LedgerEvent]) -> BrokenLine | None:
    """Return the first line that is not as it was written, or None.

    Example:
        >>> find_broken_line([]) is None
        True
    """
    previous = GENESIS
    for number, event in enumerate(events, start=1):
        if event.number != number:
            return BrokenLine(number, f"is missing: line {event.number} comes in its place")
        if event.previous != previous:
            return BrokenLine(number, "does not follow from the line before it")
        if event.seal != event.digest:
            return BrokenLine(number, "is not as it was written: its digest is another")
        previous = event.digest
    return None
