"""Entering an event: copied as data, bound to a token that only the entrant has."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from ludus.boards.ledger import LedgerEventKind
from ludus.errors import BoardError
from ludus.events.entry import Description, EventEntry, check_claim, check_entrant, entrant_key
from ludus.events.event import Event
from ludus.events.organising import change_event, open_event
from ludus.events.packing import PackedAgent
from ludus.runs.entry_files import digest_files, store_files
from ludus.runs.store import Store

__all__ = ["Receipt", "enter", "withdraw"]

TOKEN_BYTES = 18
MOST_ENTRANTS = 1_000
MOST_SUBMISSIONS = 200
"""How often an entrant may replace an entry."""


class Receipt(NamedTuple):
    """What an entrant gets.

    Attributes:
        event: The event with the entry.
        entry: The entry.
        token: What it takes to replace or withdraw the entry. It is shown once and stored nowhere.
    """

    event: Event
    entry: EventEntry
    token: str


def enter(
    name: str,
    packed: PackedAgent,
    store: Store,
    *,
    entrant: str,
    claim: float,
    by: str,
    description: Description | None = None,
    token: str | None = None,
    may_be_first: bool = False,
) -> Receipt:
    """Enter an agent; who has entered before replaces that entry, with its token.

    Args:
        name: The event's name.
        packed: The agent's files.
        store: Where event and entries are.
        entrant: Who enters; result tables call it so.
        claim: The score on the public seed that the entrant has measured.
        by: The user who does it, for the ledger.
        description: What the entrant says about the agent.
        token: The token of the former entry, if there is one.
        may_be_first: Whether there may be none; the token is that of the new one then.

    Raises:
        BoardError: There is no such event, it takes no entries now, the name is somebody else's, or
            there are too many entries.
        OptionError: Name, score or description is impossible.
    """
    who = check_entrant(entrant)
    score = check_claim(claim)
    described = (description or Description()).check()
    open_event(name, store).check_open(store.now().replace(microsecond=0))
    own_token = token or secrets.token_urlsafe(TOKEN_BYTES)
    entry = EventEntry(
        entrant=who,
        at=store.now(),
        spec=packed.spec,
        digest=digest_files(packed.files),
        files=len(packed.files),
        size=sum(map(len, packed.files.values())),
        claim=score,
        token=hash_token(name, who, own_token),
        description=described,
    )

    def decide(event: Event, now: datetime) -> list[dict[str, Any]]:
        event.check_open(now)
        _check_own(event, entry, given=token is not None, first=may_be_first)
        return [entry.to_body()]

    _check_own(open_event(name, store), entry, given=token is not None, first=may_be_first)
    store_files(packed.files, store)
    event = change_event(LedgerEventKind.EVENT_ENTERED, name, store, decide, by=by)
    return Receipt(event, event.find_entry(who), own_token)


def withdraw(name: str, entrant: str, store: Store, *, token: str, by: str) -> Event:
    """Withdraw an entry: it does not play. What was entered stays in the history.

    Raises:
        BoardError: There is no such event or entry, it takes no changes now, or the token is not
            the entry's.
    """

    def decide(event: Event, now: datetime) -> Sequence[dict[str, Any]]:
        event.check_open(now)
        entry = event.find_entry(entrant)
        hashed = hash_token(name, entry.entrant, token)
        _check_own(event, replace(entry, token=hashed), given=True)
        return [{"entrant": entry.entrant, "token": hashed}]

    return change_event(LedgerEventKind.EVENT_WITHDRAWN, name, store, decide, by=by)


def hash_token(event: str, entrant: str, token: str) -> str:
    """Return the digest of a token, which is worth nothing for another event or entrant."""
    text = f"ludus entry token 1\n{event}\n{entrant_key(entrant)}\n{token.strip()}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _check_own(event: Event, entry: EventEntry, *, given: bool, first: bool = False) -> None:
    """Refuse a name that somebody else has entered under, and floods of entries."""
    former = event.entries.get(entry.key)
    if former is None:
        if given and not first:
            raise BoardError(f"nobody called {entry.entrant!r} has entered: leave the token out")
        if len(event.entries) >= MOST_ENTRANTS:
            raise BoardError(f"event {event.name!r} has {MOST_ENTRANTS:,} entrants, the most")
        return
    if not given:
        raise BoardError(
            f"{former.entrant!r} has entered already: give the token of that entry to replace it, "
            "or take another name"
        )
    if not hmac.compare_digest(former.token, entry.token):
        raise BoardError(f"this is not the token of {former.entrant!r}: nothing is changed")
    if former.number >= MOST_SUBMISSIONS:
        raise BoardError(f"{former.entrant!r} has entered {MOST_SUBMISSIONS} times, the most")
