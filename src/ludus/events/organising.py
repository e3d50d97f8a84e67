"""What an organiser does with an event: create it, close it, begin its run, reveal its seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ludus.benchmarks import find_benchmark
from ludus.boards import organising
from ludus.boards.ledger import (
    LedgerDraft,
    LedgerEvent,
    LedgerEventKind,
    append_events,
    read_competitions,
)
from ludus.boards.seasons import Season
from ludus.errors import BoardError, OptionError
from ludus.events.event import Event, find_event
from ludus.events.terms import MOST_RULES, EventTerms, format_time, read_time
from ludus.events.texts import check_text
from ludus.limits import Limits
from ludus.runs.store import Run, Store

__all__ = [
    "begin_run",
    "change_event",
    "check_call",
    "close_event",
    "create_event",
    "open_event",
    "reveal_event",
]


def check_call(deadline: datetime, opens: datetime | None, now: datetime, rules: str) -> str:
    """Return the rules of an event; refuse a deadline before anybody can enter.

    Raises:
        OptionError: It is over before, or the rules are no text or too long.
    """
    if deadline <= max(opens or now, now):
        raise OptionError(
            f"entries would be taken until {format_time(deadline)}, which is over before they can "
            "come: give a deadline to come"
        )
    return check_text(rules, "text of the rules", MOST_RULES)


def create_event(
    benchmark: str,
    store: Store,
    *,
    name: str,
    by: str,
    deadline: datetime,
    opens: datetime | None = None,
    rules: str = "",
    limits: Limits | None = None,
    public_seed: int = 0,
    episodes: int | None = None,
    options: Mapping[str, str] | None = None,
    secret: bytes | None = None,
) -> Event:
    """Create an event: draw its sealed seed, keep it here, and publish terms and commitment.

    Args:
        benchmark: The track.
        store: Where the ledger is; the secret lies beside it, for its owner's eyes.
        name: What the event is called, such as ``cig-2026``.
        by: Who creates it.
        deadline: Until when entries are taken.
        opens: From when on; from now on if None.
        rules: Further rules, in words.
        limits: What an agent may use for an episode; what the benchmark gives if None.
        public_seed: The seed on which entrants measure themselves.
        episodes: How many every entry plays; the benchmark's own number if None.
        options: What is played otherwise than by default.
        secret: The secret, 32 bytes; drawn by chance if None.

    Raises:
        BenchmarkError: There is no such benchmark.
        OptionError: The name, a time, the rules, an option or a number is impossible.
        BoardError: There is an event or a season of this name.
        StoreError: The secret cannot be kept.
    """
    now = store.now().replace(microsecond=0)
    begins = opens or now
    words = check_call(deadline, begins, now, rules)
    ruled = find_benchmark(benchmark)
    allowed = limits or ruled.limits

    def draft(season: Season) -> list[LedgerDraft]:
        sealed = season.terms
        terms = EventTerms(
            name=sealed.name,
            benchmark=sealed.benchmark,
            version=sealed.version,
            episodes=sealed.episodes,
            options=dict(sealed.options),
            limits=allowed,
            public_seed=public_seed,
            opens=begins,
            deadline=deadline,
            rules=words,
            commitment=season.commitment,
        )
        body = {"event": name, "terms": EventTerms.from_dict(terms.to_dict()).to_dict(), "by": by}
        kind = LedgerEventKind.EVENT_CREATED
        return [LedgerDraft(kind, ruled.id, ruled.version, body, format_time(now))]

    organising.start_season(
        benchmark,
        store,
        name=name,
        by=by,
        episodes=episodes,
        options=options,
        limits=allowed,
        secret=secret,
        more=draft,
    )
    return open_event(name, store)


def open_event(name: str, store: Store) -> Event:
    """Return the event of this name.

    Raises:
        BoardError: There is none.
    """
    return find_event(name, read_competitions(store))


def close_event(name: str, store: Store, *, by: str, why: str = "") -> Event:
    """End the time of entries before the deadline; the ledger tells everybody.

    Raises:
        BoardError: There is no such event, or it takes no more entries anyway.
    """

    def decide(event: Event, now: datetime) -> dict[str, Any]:
        event.check_open(max(now, event.terms.opens))
        return {}

    return change_event(
        LedgerEventKind.EVENT_CLOSED, name, store, lambda *now: [decide(*now)], by=by, why=why
    )


def begin_run(event: Event, run: Run, store: Store, *, by: str) -> Event:
    """Write down which run counts; if another process did so before, that run does.

    Raises:
        BoardError: Entries are still taken.
    """
    entries = {entry.entrant: entry.digest for entry in event.playing}

    def decide(current: Event, now: datetime) -> list[dict[str, Any]]:
        current.check_over(now)
        return [] if current.run else [{"run": run.id, "entries": entries}]

    return change_event(LedgerEventKind.EVENT_RUN, event.name, store, decide, by=by)


def reveal_event(name: str, store: Store, *, by: str) -> Event:
    """Reveal the sealed seed of an event whose results stand: everybody can check it.

    Raises:
        BoardError: There is no such event, entries are still taken, its run is not complete, or it
            is revealed already.
        StoreError: The secret was changed, or others can read it.
    """
    event = open_event(name, store)
    event.check_over(store.now().replace(microsecond=0))
    run = store.find_run(event.run) if event.run else None
    if event.playing and not (run and run.complete):
        raise BoardError(
            f"the entries of event {name!r} have not all played: ludus event run {name}"
        )
    organising.reveal_season(name, store, by=by, of_event=True)
    return open_event(name, store)


def change_event(
    kind: LedgerEventKind,
    name: str,
    store: Store,
    decide: Callable[[Event, datetime], Sequence[Mapping[str, Any]]],
    *,
    by: str,
    why: str = "",
) -> Event:
    """Write lines about an event, all of them or none, and return the event after them.

    Args:
        kind: What happens.
        name: The event's name.
        store: Where the ledger is; its clock counts.
        decide: Returns the particulars of each line, for the event as it is and the time; it is
            asked again if another process writes meanwhile.
        by: Who does it.
        why: A remark.

    Raises:
        BoardError: There is no such event, or the clock is behind the ledger.
    """
    terms = open_event(name, store).terms

    def draft(lines: Sequence[LedgerEvent]) -> list[LedgerDraft]:
        now = store.now().replace(microsecond=0)
        _check_clock(now, lines)
        bodies = decide(find_event(name, lines), now)
        return [
            LedgerDraft(
                kind,
                terms.benchmark,
                terms.version,
                {**body, "event": name, "by": by, "why": why},
                format_time(now),
            )
            for body in bodies
        ]

    append_events(store, draft, terms.benchmark)
    return open_event(name, store)


def _check_clock(now: datetime, lines: Sequence[LedgerEvent]) -> None:
    """Refuse a clock that was set back: what is written after a line is not older than it."""
    latest = max(read_time(line.at) for line in lines)
    if now < latest:
        raise BoardError(
            f"the clock says {format_time(now)}, but the ledger has a line of "
            f"{format_time(latest)}: set the clock right"
        )
