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

__all__ = [
    "CurrentEntries",
    "CurrentEntry",
    "EntryKey",
    "current_entries",
    "entries_of_run",
    "find_board_key",
]

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


class CurrentEntries:
    """Who is on the boards of a rule, line after line of the ledger.

    Args:
        rule: The rule: a benchmark's id and version.
    """

    def __init__(self, rule: str) -> None:
        self._rule = rule
        self._current: dict[EntryKey, dict[str, Any]] = {}
        self._made: dict[EntryKey, CurrentEntry] = {}

    def apply(self, event: LedgerEvent) -> None:
        """Change who is on the boards as a line says; lines about anything else change nothing."""
        other = event.of_season or event.of_event or event.of_claim
        if not other and f"{event.benchmark}@{event.version}" == self._rule:
            with _naming_line(event):
                self._made.pop(_apply(event, self._current), None)

    def make(self, key: BoardKey | None = None) -> dict[EntryKey, CurrentEntry]:
        """Return who is there now, by board and agent; on one board alone if a key is given."""
        places = [place for place in self._current if key is None or place[0] == key]
        for place in places:
            if place not in self._made:
                self._made[place] = _make_current(**self._current[place])
        return {place: self._made[place] for place in places}


def current_entries(rule: str, events: Iterable[LedgerEvent]) -> dict[EntryKey, CurrentEntry]:
    """Return who is on the boards of a rule, by board and agent, after all these lines."""
    current = CurrentEntries(rule)
    for event in events:
        current.apply(event)
    return current.make()


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


def find_board_key(event: LedgerEvent) -> BoardKey | None:
    """Return the board that a line is about; None if it is about none, or broken."""
    try:
        body = event.body
        return BoardKey.of(int(body["seed"]), body.get("options", {}), body.get("season", ""))
    except (BoardError, KeyError, TypeError, ValueError):
        return None


def _apply(event: LedgerEvent, current: dict[EntryKey, dict[str, Any]]) -> EntryKey:
    """Change who is on the boards as a line says; return which of them."""
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
    return key


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
