"""Boards: ranked agents, with a ledger of all that ever happened to them."""

from __future__ import annotations

from ludus.boards.board import (
    Board,
    Decision,
    Row,
    accept,
    board,
    on_board,
    remove,
    rescore,
    verify_entry,
)
from ludus.boards.entry import Entry, check_terms
from ludus.boards.ledger import check_ledger, export_ledger, ledger
from ludus.boards.rebuild import rebuild

__all__ = [
    "Board",
    "Decision",
    "Entry",
    "Row",
    "accept",
    "board",
    "check_ledger",
    "check_terms",
    "export_ledger",
    "ledger",
    "on_board",
    "rebuild",
    "remove",
    "rescore",
    "verify_entry",
]
