"""Who is on the boards now: what follows from the lines of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludus.boards.entry import BoardEntry, BoardKey
from ludus.boards.ledger import LedgerEvent, LedgerEventKind, read_ledger
from ludus.errors import BoardError, one_line
from ludus.runs.proof import Proof
from ludus.runs.store import Store

__all__ = ["CurrentEntry", "EntryKey", "current_entries", "entries_of_run"]

EntryKey = tuple[BoardKey, str]
"""Which board, and the agent."""


@dataclass(frozen=True, slots=True)
class CurrentEntry:
    """An entry that is on a board now.

    Attributes:
        entry: The entry.
        accepted: When it came on the board, UTC.
        by: Who put it there.
        verified: When its run was found true since it came on the board, or None.
        proof: How well it is proven.
        rerun: How many of its episodes the agent itself has played again.
    """

    entry: BoardEntry
    accepted: str
    by: str
    verified: str | None = None
    proof: Proof = Proof.CLAIMED
    rerun: int = 0


def current_entries(rule: str, events: Iterable[LedgerEvent]) -> dict[EntryKey, CurrentEntry]:
    """Return who is on the boards of a rule, by board and agent, after all these lines."""
    current: dict[EntryKey, dict[str, Any]] = {}
    for event in events:
        other = event.of_season or event.of_event or event.of_claim
        if other or f"{event.benchmark}@{event.version}" != rule:
            continue
        with _naming_line(event):
            _apply(event, current)
    return {key: _make_current(**values) for key, values in current.items()}


@contextmanager
def _naming_line(event: LedgerEvent) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BoardError(
            f"line {event.number} of the ledger, {event.kind[:16]!r}, does not fit those "
            f"before it: {one_line(error)}"
        ) from error


def _make_current(event: LedgerEvent, entry: Mapping[str, Any], **values: Any) -> CurrentEntry:
    """Return a current entry; those that were superseded since are never made."""
    with _naming_line(event):
        return CurrentEntry(BoardEntry.from_dict(entry), **values)


def _apply(event: LedgerEvent, current: dict[EntryKey, dict[str, Any]]) -> None:
    """Change who is on the boards as a line says."""
    body = event.body
    board_key = BoardKey.of(int(body["seed"]), body.get("options", {}), body.get("season", ""))
    key = board_key, str(body["agent"])
    if event.kind == LedgerEventKind.ACCEPTED:
        current[key] = _accepted(event, body)
    elif event.kind == LedgerEventKind.RESCORED:
        entry = {"event": event, "entry": body["entry"]}
        current[key] |= {**entry, "verified": None, "proof": Proof.CLAIMED}
    elif event.kind == LedgerEventKind.VERIFIED:
        # a line of before proofs were told says that the run was replayed
        proof = Proof(body.get("proof", Proof.REPLAYED))
        rerun = int(body.get("rerun", 0))
        current[key] |= {"verified": event.at, "proof": proof, "rerun": rerun}
    else:
        del current[key]


def _accepted(event: LedgerEvent, body: Mapping[str, Any]) -> dict[str, Any]:
    # a line of before proofs were told says nothing of any check
    proof = Proof(body.get("proof", Proof.CLAIMED))
    accepted = {"accepted": event.at, "by": body["by"], "proof": proof}
    return {"event": event, "entry": body["entry"], **accepted}


def entries_of_run(run: str, store: Store) -> list[BoardEntry]:
    """Return the entries by which a run is on a board now."""
    stored = store.run(run)
    rule = f"{stored.benchmark}@{stored.version}"
    current = current_entries(rule, read_ledger(store, stored.benchmark))
    return [one.entry for one in current.values() if one.entry.run == stored.id]
