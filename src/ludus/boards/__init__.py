"""Boards: rankings of agents, with a ledger of every change."""

from __future__ import annotations

from ludus.boards.board import (
    Board,
    Decision,
    Row,
    accept,
    board,
    entries_of_run,
    remove,
    rescore,
    verify_entry,
)
from ludus.boards.entry import BoardEntry, check_acceptable
from ludus.boards.ledger import check_ledger, export_ledger, read_ledger
from ludus.boards.rebuild import rebuild

__all__ = [
    "Board",
    "BoardEntry",
    "Decision",
    "Row",
    "accept",
    "board",
    "check_acceptable",
    "check_ledger",
    "entries_of_run",
    "export_ledger",
    "read_ledger",
    "rebuild",
    "remove",
    "rescore",
    "verify_entry",
]
