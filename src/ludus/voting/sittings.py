"""A visitor's way through a track: an anonymous signed word, and steps that are taken once.

A step is taken by comparing and setting its number in one transaction with the votes that it
brings. So a vote that is sent twice counts once, and one that was confirmed is never lost.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from ludus.benchmarks.mario_ai.votes import HumannessVote, PreferenceVote, VoteRefused
from ludus.errors import OptionError
from ludus.runs import Store
from ludus.runs.schema import ballots, sittings, votes

__all__ = [
    "Sitting",
    "StaleStep",
    "UnknownSitting",
    "begin_sitting",
    "check_ticket",
    "count_begun",
    "count_visit",
    "find_sitting",
    "make_ticket",
    "prepare_ballot",
    "set_choice",
    "sign_sitting",
    "take_step",
]

Track = Literal["levels", "turing", "diplomacy"]
SECRET_BYTES = 32
DIGITS = 32


class UnknownSitting(OptionError):
    """A visit is forged, or of another store."""


class StaleStep(VoteRefused):
    """A step was taken already, or it is not its turn."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A visit.

    Attributes:
        id: Its random word; nobody but the visitor's browser has it.
        track: The track.
        number: Counts the visits of a track from 0.
        step: How far it has come.
        state: What it is shown, and what is known of it.
    """

    id: str
    track: Track
    number: int
    step: int
    state: Mapping[str, Any]


def prepare_ballot(connection: Connection, track: Track) -> Any:
    """Return the row of a track's ballot; the first call makes its secret.

    It writes before it reads, so that SQLite lets one transaction after the other do so.
    """
    backend = postgresql if connection.dialect.name == "postgresql" else sqlite
    values = {"secret": secrets.token_bytes(SECRET_BYTES), "visits": 0, "choice": "{}"}
    first = backend.insert(ballots).values(track=track, **values)
    connection.execute(first.on_conflict_do_nothing())
    query = sa.select(ballots).where(ballots.c.track == track).with_for_update()
    return connection.execute(query).one()


def set_choice(track: Track, choice: Mapping[str, Any], store: Store) -> None:
    """Keep what the organiser has chosen for a track."""
    with store.transaction() as connection:
        prepare_ballot(connection, track)
        chosen = ballots.update().where(ballots.c.track == track)
        connection.execute(chosen.values(choice=json.dumps(choice)))


def begin_sitting(track: Track, number: int, state: Mapping[str, Any], store: Store) -> Sitting:
    """Begin a visit that :func:`count_visit` has numbered."""
    id_ = secrets.token_hex(DIGITS // 2)
    begun = store.now().isoformat(timespec="seconds")
    row = {"id": id_, "track": track, "number": number, "step": 0, "begun": begun}
    with store.transaction() as connection:
        connection.execute(sittings.insert().values(**row, state=json.dumps(state)))
    return Sitting(id_, track, number, 0, state)


def count_visit(track: Track, store: Store) -> int:
    """Return the number of a new visit: every one has its own."""
    with store.transaction() as connection:
        number = int(prepare_ballot(connection, track).visits)
        one_more = ballots.update().where(ballots.c.track == track)
        connection.execute(one_more.values(visits=ballots.c.visits + 1))
    return number


def count_begun(track: Track, since: datetime, store: Store) -> int:
    """Return how many visits of a track have begun since then."""
    begun = since.isoformat(timespec="seconds")
    wanted = (sittings.c.track == track) & (sittings.c.begun >= begun)
    with store.connection() as connection:
        return int(
            connection.scalar(sa.select(sa.func.count()).select_from(sittings).where(wanted)) or 0
        )


def sign_sitting(sitting: Sitting, store: Store) -> str:
    """Return the word that a browser shows to go on with its visit."""
    return f"{sitting.id}.{_sign(_secret(sitting.track, store), sitting.id)}"


def find_sitting(track: Track, word: str, store: Store) -> Sitting:
    """Return the visit of a signed word.

    Raises:
        UnknownSitting: The word is forged, or there is no such visit.
    """
    id_, _, signature = word.partition(".")
    secret = _secret(track, store)
    if not secret or not hmac.compare_digest(_sign(secret, id_).encode(), signature.encode()):
        raise UnknownSitting("this visit is not known here: begin again")
    with store.connection() as connection:
        wanted = (sittings.c.id == id_) & (sittings.c.track == track)
        row = connection.execute(sa.select(sittings).where(wanted)).one_or_none()
    if row is None:
        raise UnknownSitting("this visit is not known here: begin again")
    return Sitting(id_, track, row.number, row.step, json.loads(row.state))


def make_ticket(sitting: Sitting, store: Store) -> str:
    """Return what an answer to the present step has to show; no other step or visit has it."""
    return _sign(_secret(sitting.track, store), f"{sitting.id} {sitting.step}")


def check_ticket(sitting: Sitting, ticket: str, store: Store) -> None:
    """Refuse a ticket that is none of the present step of this visit.

    Raises:
        StaleStep: It is none.
    """
    if not hmac.compare_digest(make_ticket(sitting, store).encode(), ticket.encode()):
        raise StaleStep("this was answered before, or was not shown to you: load the page again")


def take_step(
    sitting: Sitting,
    ticket: str,
    store: Store,
    *,
    state: Mapping[str, Any] | None = None,
    cast: Sequence[PreferenceVote | HumannessVote] = (),
) -> Sitting:
    """Go on by one step with the votes that it brings: all of it, or nothing.

    Raises:
        StaleStep: The ticket is none of this step, or the step was taken meanwhile.
    """
    check_ticket(sitting, ticket, store)
    new = sitting.state if state is None else state
    at = store.now().isoformat(timespec="microseconds")
    rows = [
        {"sitting": sitting.id, "step": sitting.step, "place": place, "at": at, **_to_row(vote)}
        for place, vote in enumerate(cast)
    ]
    here = (sittings.c.id == sitting.id) & (sittings.c.step == sitting.step)
    taken = sittings.update().where(here).values(step=sitting.step + 1, state=json.dumps(new))
    with store.transaction() as connection:
        if connection.execute(taken).rowcount != 1:
            raise StaleStep("this was answered before: load the page again")
        if rows:
            connection.execute(votes.insert(), rows)
    return Sitting(sitting.id, sitting.track, sitting.number, sitting.step + 1, new)


def _to_row(vote: PreferenceVote | HumannessVote) -> dict[str, str]:
    kind = "preference" if isinstance(vote, PreferenceVote) else "humanness"
    return {"kind": kind, "body": json.dumps(vote._asdict())}


def _secret(track: Track, store: Store) -> bytes:
    with store.connection() as connection:
        query = sa.select(ballots.c.secret).where(ballots.c.track == track)
        return bytes(connection.scalar(query) or b"")


def _sign(secret: bytes, words: str) -> str:
    return hmac.new(secret, words.encode(), hashlib.sha256).hexdigest()[:DIGITS]
