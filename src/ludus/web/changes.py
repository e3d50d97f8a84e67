"""What happened to boards lately, in words, as their ledger has it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from ludus.boards.current import find_board_key
from ludus.boards.entry import BoardKey
from ludus.boards.ledger import LedgerEvent, LedgerEventKind, count_lines, read_ledger
from ludus.errors import BoardError
from ludus.runs import Store
from ludus.web.addresses import board_path

__all__ = ["Change", "list_board_changes", "list_changes"]

MOST_CHANGES = 8
MOST_OF_A_BOARD = 40
LOOKED_AT = 400
"""Lines of the ledger; older ones are in ``ludus board``."""

WORDS = {
    LedgerEventKind.ACCEPTED: "came on",
    LedgerEventKind.VERIFIED: "was verified on",
    LedgerEventKind.RESCORED: "was scored anew on",
    LedgerEventKind.REMOVED: "was taken off",
}
"""What happened, in words."""


class Change(NamedTuple):
    """A line of the ledger as pages tell it.

    Attributes:
        day: When.
        agent: To whom.
        what: What happened, in words.
        benchmark: On which benchmark.
        link: Where its board is.
        by: Who did it.
        why: The reason given, or empty.
    """

    day: str
    agent: str
    what: str
    benchmark: str
    link: str
    by: str
    why: str


def list_changes(store: Store) -> list[Change]:
    """Return what happened to all boards lately, the newest first."""
    lines = read_ledger(store, after=max(count_lines(store) - 4 * MOST_CHANGES, 0))
    return _describe_lines(reversed(lines), MOST_CHANGES)


def list_board_changes(benchmark: str, key: BoardKey, store: Store) -> list[Change]:
    """Return what happened to one board lately, the newest first."""
    lines = read_ledger(store, benchmark, after=max(count_lines(store) - LOOKED_AT, 0))
    own = (line for line in reversed(lines) if find_board_key(line) == key)
    return _describe_lines(own, MOST_OF_A_BOARD)


def _describe_lines(lines: Iterable[LedgerEvent], most: int) -> list[Change]:
    return list(islice((change for line in lines if (change := _describe(line))), most))


def _describe(line: LedgerEvent) -> Change | None:
    words = {str(kind): text for kind, text in WORDS.items()}
    try:
        body = line.body
    except BoardError:
        return None  # whoever looks at the board sees that the ledger is broken
    agent = body.get("agent")
    if line.kind not in words or not isinstance(agent, str):
        return None
    link = board_path(line.benchmark)
    return Change(
        line.at[:10],
        agent,
        words[line.kind],
        line.benchmark,
        link,
        str(body.get("by") or "?"),
        str(body.get("why") or ""),
    )
