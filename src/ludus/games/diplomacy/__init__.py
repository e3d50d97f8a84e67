"""Diplomacy: seven powers on the standard map, with or without messages.

Example:
    >>> from ludus.games.diplomacy import Board
    >>> Board().phase
    'S1901M'
"""

from __future__ import annotations

from ludus.games.diplomacy.board import Board

__all__ = ["Board"]
