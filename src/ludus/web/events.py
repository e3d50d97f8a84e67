"""The pages of events: their dates, their seal, who has entered, what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import PlainTextResponse, Response

from ludus.api import event_results, list_events
from ludus.api.event_result import EventResult
from ludus.boards.ledger import read_competitions
from ludus.errors import BoardError
from ludus.events import Event, EventEntry
from ludus.events.entry import entrant_key
from ludus.events.event import find_event
from ludus.events.terms import format_time
from ludus.json_files import finite
from ludus.submissions import Job, JobKind, list_jobs
from ludus.web.arena import Arena, ThisArena
from ludus.web.problems import NotFound

__all__ = ["ROUTER", "EventName", "open_page"]

ROUTER = APIRouter()
WORDS = {
    "announced": "announced, not open yet",
    "open": "open for entries",
    "closed": "closed; the entries have not played yet",
    "run": "played on its sealed seed",
    "revealed": "over, and its seed is revealed",
}
EventName = Annotated[str, Path(max_length=200)]


@ROUTER.get("/events/", include_in_schema=False)
def show_events(request: Request, arena: ThisArena) -> Response:
    """List the events, the newest first."""
    now = arena.store.now()
    events = [(one, one.state(now)) for one in reversed(list_events(store=arena.store))]
    return arena.pages.render(request, "events.html", {"events": events})


@ROUTER.get("/events/{name}/", include_in_schema=False)
def show_event(request: Request, arena: ThisArena, name: EventName) -> Response:
    """Show an event: dates, seal, rules, entries and results."""
    event, now = open_page(name, arena), arena.store.now()
    results = _find_results(event, arena)
    values = {
        "event": event,
        "terms": event.terms,
        "words": WORDS[event.state(now)],
        "now": format_time(now)[:16].replace("T", " "),
        "bar": _draw_dates(event, now),
        "benchmark": event.terms.find_benchmark(),
        "limits": event.terms.limits.describe(),
        "entries": _show_entries(event, arena),
        "view": results.view if results else None,
        "open": event.state(now) == "open" and arena.settings.submissions,
    }
    return arena.pages.render(request, "event.html", values)


@ROUTER.get("/events/{name}/results.tex", include_in_schema=False)
def read_latex(arena: ThisArena, name: EventName) -> PlainTextResponse:
    """Return the results as a table for LaTeX."""
    results = _find_results(open_page(name, arena), arena)
    if results is None:
        raise NotFound(f"event {name!r} has no results yet")
    return PlainTextResponse(results.to_latex())


@ROUTER.get("/api/v1/events.json", tags=["events"])
def read_events(arena: ThisArena) -> list[dict[str, Any]]:
    """Return the events with their terms and entries."""
    now = arena.store.now()
    listed = list_events(store=arena.store)
    return [finite({**one.to_dict(), "state": one.state(now)}) for one in listed]


@ROUTER.get("/api/v1/events/{name}.json", tags=["events"])
def read_event(arena: ThisArena, name: EventName) -> dict[str, Any]:
    """Return an event with its terms and entries, as entrants check it."""
    event = open_page(name, arena)
    shown: dict[str, Any] = finite({**event.to_dict(), "state": event.state(arena.store.now())})
    return shown


def open_page(name: str, arena: Arena) -> Event:
    """Return the event of this name.

    Raises:
        BoardError: There is none.
    """
    return find_event(name, read_competitions(arena.store))


def _find_results(event: Event, arena: Arena) -> EventResult | None:
    """Return the results, once all entries have played."""
    try:
        found = event_results(event.name, store=arena.store)
    except BoardError:
        return None
    return found if found.played.run.complete else None


def _draw_dates(event: Event, now: datetime) -> dict[str, float]:
    """Return where now and the end are on a bar from 0 to 100 that begins with the event."""
    begin = event.terms.opens
    whole = (event.terms.deadline - begin).total_seconds() * 1.1
    places = {"end": event.end, "now": now}
    return {
        what: round(min(max((at - begin).total_seconds() / whole * 100, 0.0), 100.0), 2)
        for what, at in places.items()
    }


def _show_entries(event: Event, arena: Arena) -> list[dict[str, Any]]:
    """Return the entries with the state of each one's newest job."""
    digits = event.terms.find_benchmark().digits
    jobs = list_jobs(arena.store, event=event.name)
    states = {entrant_key(job.entrant): job for job in jobs if job.kind == JobKind.ENTRY}
    return [
        {
            "entrant": entry.entrant,
            "approach": entry.description.approach,
            "claim": f"{entry.claim:,.{digits}f}",
            "measured": f"{entry.check.measured:,.{digits}f}" if entry.check else "–",
            "verdict": entry.check.verdict if entry.check else "not measured yet",
            "state": "withdrawn" if entry.withdrawn else _find_state(entry, states.get(key)),
            "at": format_time(entry.at)[:16].replace("T", " "),
            "digest": entry.digest[:12],
        }
        for key, entry in event.entries.items()
    ]


def _find_state(entry: EventEntry, job: Job | None) -> str:
    if job is not None and job.digest == entry.digest:
        return str(job.state)
    return "scored" if entry.check else "received"
