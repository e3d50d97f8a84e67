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

from ludus.boards.checked_head import CheckedHead, read_checked_head, write_checked_head
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
    "count_lines",
    "find_broken_line",
    "insert_events",
    "last_lines",
    "read_competitions",
    "read_ledger",
    "seal_events",
]

GENESIS = "0" * 64
MAX_TRIES = 200
PAUSE = 0.01
MOST_SOUGHT = 20
"""So many agents are sought by name; for more, all lines are read."""

UNSEALED = "is not as it was written: its digest is another"

_encode = json.JSONEncoder(separators=(",", ":")).encode  # made once for all lines


class LedgerEventKind(StrEnum):
    """What can happen to an entry of a board, to a sealed season or to an event."""

    ACCEPTED = "accepted"
    SUPERSEDED = "superseded"
    VERIFIED = "verified"
    RESCORED = "rescored"
    REMOVED = "removed"
    SEASON_STARTED = "season-started"
    SEASON_REVEALED = REVEALED
    EVENT_CREATED = "event-created"
    EVENT_ENTERED = "event-entered"
    EVENT_WITHDRAWN = "event-withdrawn"
    EVENT_CHECKED = "event-checked"
    EVENT_CLOSED = "event-closed"
    EVENT_RUN = "event-run"
    CLAIMED = "claimed-elsewhere"


class LedgerDraft(NamedTuple):
    """An event that is not in the ledger yet.

    Attributes:
        kind: What happens.
        benchmark: The benchmark's id.
        version: Its version.
        body: The particulars.
        at: When it happens, UTC; when the line is written if empty.
    """

    kind: LedgerEventKind
    benchmark: str
    version: int
    body: Mapping[str, Any]
    at: str = ""


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
    def of_claim(self) -> bool:
        """Whether it holds what was reached elsewhere, which is no entry."""
        return self.kind == LedgerEventKind.CLAIMED

    @property
    def of_event(self) -> bool:
        """Whether it happened to a competition and not to an entry of a board."""
        return self.kind.startswith("event-")

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
def read_ledger(
    store: Store,
    benchmark: str | None = None,
    agents: Sequence[str] | None = None,
    *,
    after: int = 0,
) -> list[LedgerEvent]:
    """Return lines of the ledger in their order.

    Args:
        store: Where it is.
        benchmark: Whose lines; all if None.
        agents: Lines that may be on these agents, or on seasons, are enough; all if None.
        after: The number of the line that the first comes after.
    """
    query = sa.select(table).order_by(table.c.number)
    if benchmark is not None:
        query = query.where(table.c.benchmark == benchmark)
    if agents is not None and len(agents) <= MOST_SOUGHT:
        query = query.where(sa.or_(*_may_be_on(agents)))
    if after:
        query = query.where(table.c.number > after)
    with store.connection() as connection:
        rows = connection.execute(query)
        return [LedgerEvent(*row) for row in rows]


@retry_when_lost
def read_competitions(store: Store) -> list[LedgerEvent]:
    """Return the lines of the ledger on seasons and events, in their order."""
    wanted = sa.or_(table.c.kind.startswith("season-"), table.c.kind.startswith("event-"))
    query = sa.select(table).where(wanted).order_by(table.c.number)
    with store.connection() as connection:
        return [LedgerEvent(*row) for row in connection.execute(query)]


def _may_be_on(agents: Sequence[str]) -> Iterator[sa.ColumnElement[bool]]:
    """Yield conditions, one of which holds for every line on one of these agents."""
    yield table.c.kind.in_([LedgerEventKind.SEASON_STARTED, LedgerEventKind.SEASON_REVEALED])
    yield table.c.body.contains("\\", autoescape=True)  # a letter may be written in several ways
    for agent in agents:
        yield table.c.body.contains(json.dumps(agent), autoescape=True)


@retry_when_lost
def count_lines(store: Store) -> int:
    """Return the number of the ledger's last line; 0 if it is empty."""
    with store.connection() as connection:
        return int(connection.scalar(sa.select(sa.func.max(table.c.number))) or 0)


@retry_when_lost
def last_lines(store: Store) -> dict[str, int]:
    """Return the number of the last line about every benchmark, by its id."""
    query = sa.select(table.c.benchmark, sa.func.max(table.c.number)).group_by(table.c.benchmark)
    with store.connection() as connection:
        return {str(row[0]): int(row[1]) for row in connection.execute(query)}


def append_events(
    store: Store,
    decide: Callable[[Sequence[LedgerEvent]], Iterable[LedgerDraft]],
    benchmark: str | None = None,
    agents: Sequence[str] | None = None,
) -> list[LedgerEvent]:
    """Add lines to the ledger, all of them or none, and return them.

    The lines that are decided upon are checked, and all that were added since this machine has
    checked the ledger. :func:`check_ledger` checks all.

    Args:
        store: Where the ledger is.
        decide: Given the lines there are, returns those to add. If another process adds some
            meanwhile, it is asked again.
        benchmark: Whose lines are enough to decide upon; all if None.
        agents: Of which agents, beside lines on seasons; all if None.

    Raises:
        StoreError: The store cannot be written to, the ledger is broken, or others write all
            the time.
    """
    for attempt in range(MAX_TRIES):
        last = _check_new_lines(store)  # first: whatever comes after it takes the next number
        events = read_ledger(store, benchmark, agents)
        _refuse_broken(_find_unsealed(events) if benchmark else find_broken_line(events))
        added = list(seal_events(decide(events), last, store.now()))
        if not added or _try_insert(store, added):
            return added
        sleep(PAUSE * (1 + attempt % 10))
    raise StoreError(f"others wrote to the ledger {MAX_TRIES} times in between: try again")


def _check_new_lines(store: Store) -> LedgerEvent | None:
    """Check the lines that this machine has not checked before, and return the last line.

    Raises:
        StoreError: The ledger is broken.
    """
    checked = _read_checked_line(store)
    new = read_ledger(store, after=checked.number if checked else 0)
    _refuse_broken(find_broken_line(new, checked))
    if not new:
        return checked
    write_checked_head(store, CheckedHead(new[-1].number, new[-1].digest))
    return new[-1]


def _read_checked_line(store: Store) -> LedgerEvent | None:
    """Return the last line that was checked here, if it is still as it was."""
    head = read_checked_head(store)
    line = _read_line(store, head.number) if head else None
    return line if head and line and line.digest == head.digest == line.seal else None


@retry_when_lost
def _read_line(store: Store, number: int) -> LedgerEvent | None:
    with store.connection() as connection:
        row = connection.execute(sa.select(table).where(table.c.number == number)).one_or_none()
        return LedgerEvent(*row) if row else None


def _refuse_broken(broken: BrokenLine | None) -> None:
    if broken:
        raise StoreError(f"line {broken.number} of the ledger {broken.reason}: nothing is added")


def seal_events(
    drafts: Iterable[LedgerDraft], last: LedgerEvent | None, now: datetime | None = None
) -> Iterator[LedgerEvent]:
    """Yield the drafts as lines that go on after the last one, written now."""
    number, previous = (last.number, last.digest) if last else (0, GENESIS)
    written = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    for draft in drafts:
        number += 1
        text = json.dumps(draft.body, sort_keys=True, allow_nan=False)
        at, kind = draft.at or written, str(draft.kind)
        unsealed = LedgerEvent(number, at, kind, draft.benchmark, draft.version, text, previous, "")
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
            # perhaps they are these, by a call whose answer was lost with the connection
            return _read_line(store, events[-1].number) == events[-1]
        raise
    return True


def check_ledger(store: Store) -> BrokenLine | None:
    """Return the first line of the ledger that is not as it was written, or None."""
    return find_broken_line(read_ledger(store))


def find_broken_line(
    events: Iterable[LedgerEvent], after: LedgerEvent | None = None
) -> BrokenLine | None:
    """Return the first line that is not as it was written, or None.

    Args:
        events: The lines.
        after: The line before the first of them, if there is one.

    Example:
        >>> find_broken_line([]) is None
        True
    """
    first, previous = (after.number + 1, after.digest) if after else (1, GENESIS)
    for number, event in enumerate(events, start=first):
        if event.number != number:
            return BrokenLine(number, f"is missing: line {event.number} comes in its place")
        if event.previous != previous:
            return BrokenLine(number, "does not follow from the line before it")
        if event.seal != event.digest:
            return BrokenLine(number, UNSEALED)
        previous = event.digest
    return None


def _find_unsealed(events: Iterable[LedgerEvent]) -> BrokenLine | None:
    """Return the first line whose digest is another, of lines that need not follow each other."""
    for event in events:
        if event.seal != event.digest:
            return BrokenLine(event.number, UNSEALED)
    return None
