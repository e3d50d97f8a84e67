"""Events: competitions from the call to the results, each on a sealed season of its own.

What an event is follows from the lines of the ledger alone: its terms, who entered what and when,
whose claims were confirmed, which run counts. The files of entries are in the store, as data.
"""

from __future__ import annotations

from ludus.events.entering import enter, withdraw
from ludus.events.entry import ClaimCheck, Description, EventEntry
from ludus.events.event import Event, find_event_problems, read_events
from ludus.events.organising import close_event, create_event, reveal_event
from ludus.events.terms import EventTerms

__all__ = [
    "ClaimCheck",
    "Description",
    "Event",
    "EventEntry",
    "EventTerms",
    "close_event",
    "create_event",
    "enter",
    "find_event_problems",
    "read_events",
    "reveal_event",
    "withdraw",
]
