"""Ranking: from episodes to a table."""

from __future__ import annotations

from ludus.boards.standings import Standing, rank

__all__ = ["Standing", "rank"]
