"""An event as the ledger tells it, line by line; and what of it cannot be true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ludus.boards.ledger import LedgerEvent, LedgerEventKind
from ludus.boards.seasons import MALFORMED, Season, read_seasons
from ludus.errors import BoardError, one_line
from ludus.events.entry import VERDICTS, ClaimCheck, EventEntry, check_claim, entrant_key
from ludus.events.terms import EventTerms, format_time, read_time
from ludus.field_kinds import check_kinds

__all__ = ["Event", "find_event", "find_event_problems", "read_events"]


@dataclass(frozen=True, slots=True)
class Event:
    """A competition.

    Attributes:
        terms: What entrants can rely on.
        season: The sealed season that its entries play.
        by: Who created it.
        created: When, UTC.
        closed: When the organiser closed it before its deadline, or None.
        run: The run that counts, once it was begun, or None.
        entries: What was entered and counts now, by the entrants' keys, in the order of entry.
        history: All that was ever entered, in its order.
    """

    terms: EventTerms
    season: Season
    by: str
    created: datetime
    closed: datetime | None = None
    run: str | None = None
    entries: Mapping[str, EventEntry] = field(default_factory=dict)
    history: tuple[EventEntry, ...] = ()

    @property
    def name(self) -> str:
        """The event's name."""
        return self.terms.name

    @property
    def end(self) -> datetime:
        """Until when entries are taken."""
        return min(self.closed, self.terms.deadline) if self.closed else self.terms.deadline

    @property
    def playing(self) -> list[EventEntry]:
        """The entries that play, in the order of entry: those that were not withdrawn."""
        return [entry for entry in self.entries.values() if entry.withdrawn is None]

    def state(self, now: datetime) -> str:
        """Return ``announced``, ``open``, ``closed``, ``run`` or ``revealed``."""
        if self.season.revealed:
            return "revealed"
        if self.run:
            return "run"
        if self.closed or now > self.end:
            return "closed"
        return "announced" if now < self.terms.opens else "open"

    def check_open(self, now: datetime) -> None:
        """Make sure that entries are taken now.

        Raises:
            BoardError: They are not.
        """
        if now < self.terms.opens:
            raise BoardError(
                f"event {self.name!r} opens at {format_time(self.terms.opens)}, it is "
                f"{format_time(now)} by the organiser's clock: enter then"
            )
        if self.closed or self.run or now > self.end:
            raise BoardError(
                f"event {self.name!r} closed at {format_time(self.end)}, it is {format_time(now)} "
                "by the organiser's clock: it takes no more entries"
            )

    def check_over(self, now: datetime) -> None:
        """Make sure that no entries are taken any more.

        Raises:
            BoardError: They are.
        """
        if not self.closed and now <= self.end:
            raise BoardError(
                f"event {self.name!r} takes entries until {format_time(self.end)}: wait, or end it "
                f"now for all to see: ludus event close {self.name}"
            )

    def find_entry(self, entrant: str) -> EventEntry:
        """Return what somebody has entered.

        Raises:
            BoardError: They have entered nothing.
        """
        found = self.entries.get(entrant_key(entrant))
        if found is None:
            names = ", ".join(entry.entrant for entry in self.entries.values()) or "nobody"
            raise BoardError(
                f"no entrant {entrant[:60]!r} in event {self.name!r}; there is {names}"
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return what may be published about it, as plain values; its terms have their digest."""
        return {
            **self.terms.to_dict(),
            "created": format_time(self.created),
            "by": self.by,
            "closed": format_time(self.closed) if self.closed else None,
            "run": self.run,
            "revealed": self.season.revealed,
            "secret": self.season.secret,
            "entries": [entry.to_dict() for entry in self.entries.values()],
        }


def read_events(lines: Iterable[LedgerEvent]) -> dict[str, Event]:
    """Return the events that a ledger tells of, by name, in the order of their creation.

    A line that cannot be true counts as if it were not there; :func:`find_event_problems` names it.
    """
    return _Reader(list(lines)).events


def find_event(name: str, lines: Iterable[LedgerEvent]) -> Event:
    """Return the event of this name.

    Raises:
        BoardError: There is none.
    """
    events = read_events(lines)
    if name not in events:
        known = ", ".join(events) or "none"
        raise BoardError(f"no event {name[:60]!r}; there is {known}: ludus event create …")
    return events[name]


def find_event_problems(lines: Sequence[LedgerEvent]) -> list[str]:
    """Return what is wrong with the events of a ledger, one line each."""
    return _Reader(lines).problems


class _Reader:
    """Reads the lines on events one after the other.

    Args:
        lines: The lines of a ledger.

    Attributes:
        events: The events, by name.
        problems: Which lines cannot be true, and why.
    """

    def __init__(self, lines: Sequence[LedgerEvent]) -> None:
        self.events: dict[str, Event] = {}
        self.problems: list[str] = []
        self._seasons = read_seasons(lines)
        self._last: datetime | None = None
        for line in lines:
            if line.of_event:
                self._read(line)
        for event in self.events.values():
            revealed = event.season.revealed
            if revealed and read_time(revealed) < event.end and not event.closed:
                self.problems.append(f"event {event.name!r} was revealed before its deadline")

    def _read(self, line: LedgerEvent) -> None:
        try:
            at = read_time(line.at)
            if self._last and at < self._last:
                raise BoardError(f"is of {line.at}, but comes after one of {self._last}")
            event = self._apply(line, line.body)
        except MALFORMED as error:
            self.problems.append(f"line {line.number} of the ledger: {one_line(error)}")
            return
        self._last = at
        self.events[event.name] = event

    def _apply(self, line: LedgerEvent, body: Mapping[str, Any]) -> Event:
        name = str(body["event"])
        if line.kind == LedgerEventKind.EVENT_CREATED:
            if name in self.events:
                raise BoardError(f"event {name!r} was created before")
            return _create(line, body, self._seasons)
        if name not in self.events:
            raise BoardError(f"event {name[:60]!r} was never created")
        return CHANGES[line.kind](self.events[name], line, body)


def _create(line: LedgerEvent, body: Mapping[str, Any], seasons: Mapping[str, Season]) -> Event:
    season = seasons[str(body["event"])]
    terms = EventTerms.from_dict(body["terms"])
    found = (terms.name, terms.commitment, terms.sealed)
    if found != (season.name, season.commitment, season.terms):
        raise BoardError(f"event {terms.name!r} has other terms than its season")
    return Event(terms, season, str(body["by"]), read_time(line.at))


def _enter(event: Event, line: LedgerEvent, body: Mapping[str, Any]) -> Event:
    key = entrant_key(str(body["entrant"]))
    former = event.entries.get(key)
    number = former.number + 1 if former else 1
    entry = EventEntry.from_body(body, line.at, number)
    event.check_open(entry.at)
    if former and former.token != entry.token:
        raise BoardError(f"the entry of {former.entrant!r} is replaced without its token")
    return replace(event, entries={**event.entries, key: entry}, history=(*event.history, entry))


def _withdraw(event: Event, line: LedgerEvent, body: Mapping[str, Any]) -> Event:
    entry = event.find_entry(str(body["entrant"]))
    at = read_time(line.at)
    event.check_open(at)
    if body["token"] != entry.token:
        raise BoardError(f"the entry of {entry.entrant!r} is withdrawn without its token")
    return _change_entry(event, replace(entry, withdrawn=at))


def _check(event: Event, line: LedgerEvent, body: Mapping[str, Any]) -> Event:
    entry = event.find_entry(str(body["entrant"]))
    check_kinds(ClaimCheck, body)
    if body["digest"] != entry.digest or body["verdict"] not in VERDICTS:
        raise BoardError(f"checks another entry of {entry.entrant!r} than the one that counts")
    measured, reason = check_claim(body["measured"]), one_line(body["reason"])
    check = ClaimCheck(body["verdict"], measured, reason, one_line(body["run"]))
    return _change_entry(event, replace(entry, check=check))


def _close(event: Event, line: LedgerEvent, body: Mapping[str, Any]) -> Event:
    if event.closed:
        raise BoardError(f"event {event.name!r} was closed before")
    return replace(event, closed=read_time(line.at))


def _run(event: Event, line: LedgerEvent, body: Mapping[str, Any]) -> Event:
    event.check_over(read_time(line.at))
    if event.run:
        raise BoardError(f"event {event.name!r} was run before: {event.run}")
    if body["entries"] != {entry.entrant: entry.digest for entry in event.playing}:
        raise BoardError(f"event {event.name!r} was run with other entries than it has")
    return replace(event, run=one_line(body["run"]))


CHANGES: dict[str, Callable[[Event, LedgerEvent, Mapping[str, Any]], Event]] = {
    LedgerEventKind.EVENT_ENTERED: _enter,
    LedgerEventKind.EVENT_WITHDRAWN: _withdraw,
    LedgerEventKind.EVENT_CHECKED: _check,
    LedgerEventKind.EVENT_CLOSED: _close,
    LedgerEventKind.EVENT_RUN: _run,
}


def _change_entry(event: Event, entry: EventEntry) -> Event:
    return replace(event, entries={**event.entries, entry.key: entry})
