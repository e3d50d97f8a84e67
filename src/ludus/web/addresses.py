"""Where pages lie: paths below the arena's own, of letters that every server and disk takes."""

from __future__ import annotations

import hashlib
import re

from ludus.boards.entry import BoardEntry, BoardKey

__all__ = ["board_path", "entry_path", "entry_word", "key_word", "replay_path", "run_path"]

DIGITS = 10
PLAIN = re.compile("[A-Za-z0-9_-]{1,40}")


def key_word(key: BoardKey) -> str:
    """Return the word for a board within its benchmark.

    Example:
        >>> key_word(BoardKey.of(7, {})), key_word(BoardKey.of(0, {}, "spring"))
        ('seed-7', 'season-spring')
    """
    plain = bool(PLAIN.fullmatch(key.season))
    season = f"season-{key.season if plain else _digest(key.season)}"
    first = season if key.season else f"seed-{key.seed}"
    return f"{first}-{_digest(repr(key.options))}" if key.options else first


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:DIGITS]


def board_path(benchmark: str, key: BoardKey | None = None, page: int = 1) -> str:
    """Return where a board is, or the board of a benchmark that most entries are on."""
    place = f"boards/{benchmark}/" + (f"{key_word(key)}/" if key else "")
    return place if page == 1 else f"{place}page/{page}/"


def entry_word(entry: BoardEntry) -> str:
    """Return the word for an entry on its board: its run, and a digest of the agent's name."""
    return f"{entry.run}-{_digest(entry.agent)}"


def entry_path(benchmark: str, entry: BoardEntry) -> str:
    """Return where the page of an entry is."""
    return f"{board_path(benchmark, entry.key)}entries/{entry_word(entry)}/"


def run_path(run: str) -> str:
    """Return where the page of a run is."""
    return f"runs/{run}/"


def replay_path(run: str, number: int) -> str:
    """Return where the page of an episode is."""
    return f"{run_path(run)}episodes/{number}/"
