"""Boards: rankings of agents, with a ledger of every change."""

from __future__ import annotations

from ludus.boards.board import Board, Row, board
from ludus.boards.changes import Decision, accept, remove, rescore
from ludus.boards.current import entries_of_run
from ludus.boards.entry import BoardEntry, check_acceptable
from ludus.boards.head import LedgerHead, check_head, parse_head, read_head
from ludus.boards.ledger import check_ledger, read_ledger
from ludus.boards.ledger_files import export_ledger
from ludus.boards.organising import reveal_season, start_season
from ludus.boards.rebuild import rebuild
from ludus.boards.seasons import Season, read_seasons
from ludus.boards.verifying import verify_entry

__all__ = [
    "Board",
    "BoardEntry",
    "Decision",
    "LedgerHead",
    "Row",
    "Season",
    "accept",
    "board",
    "check_acceptable",
    "check_head",
    "check_ledger",
    "entries_of_run",
    "export_ledger",
    "parse_head",
    "read_head",
    "read_ledger",
    "read_seasons",
    "rebuild",
    "remove",
    "rescore",
    "reveal_season",
    "start_season",
    "verify_entry",
]
