"""Boards at hand: read again only when the ledger has a new line about their benchmark.

A large board takes seconds to read, so whoever asks gets the last one until a thread has read the
new one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock, Thread

from ludus import api
from ludus.benchmarks import benchmarks
from ludus.boards import Board, Row
from ludus.boards.entry import BoardKey
from ludus.boards.ledger import count_lines, last_lines
from ludus.runs import Store
from ludus.web.addresses import entry_word, key_word
from ludus.web.problems import NotFound

__all__ = ["Shelf"]

MOST_BOARDS = 200
LARGE = 1_000
"""From so many entries on, nobody waits for a board."""


class Shelf:
    """The boards of a store.

    Args:
        store: Where the ledger is.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._boards: OrderedDict[tuple[str, BoardKey | None], tuple[int, Board]] = OrderedDict()
        self._lines: dict[str, int] = {}
        self._newest = 0
        self.reads = 0
        """How often a board was read: pages of large ones may be made before a thread has."""
        self._lock = Lock()
        self._reading: set[tuple[str, BoardKey | None]] = set()

    def board(self, benchmark: str, key: BoardKey | None = None) -> Board:
        """Return a board; that of the most entries if no key is given.

        Raises:
            BenchmarkError: There is no such benchmark.
        """
        line = self._find_lines().get(benchmark, 0)
        with self._lock:
            known = self._boards.get((benchmark, key))
        if known and known[0] == line:
            return known[1]
        if known and len(known[1].rows) >= LARGE:
            self._refresh(benchmark, key, line)
            return known[1]
        return self._keep(benchmark, key, line)

    def _refresh(self, benchmark: str, key: BoardKey | None, line: int) -> None:
        """Read a board in a thread of its own, unless one does."""
        with self._lock:
            if (benchmark, key) in self._reading:
                return
            self._reading.add((benchmark, key))

        def read() -> None:
            try:
                self._keep(benchmark, key, line)
            finally:
                with self._lock:
                    self._reading.discard((benchmark, key))

        Thread(target=read, name=f"board of {benchmark}", daemon=True).start()

    def _keep(self, benchmark: str, key: BoardKey | None, line: int) -> Board:
        """Read a board and keep it at hand."""
        found = self._read(benchmark, key)
        with self._lock:
            self.reads += 1
            for place in {key, found.key}:
                self._boards[benchmark, place] = line, found
            while len(self._boards) > MOST_BOARDS:
                self._boards.popitem(last=False)
        return found

    def _find_lines(self) -> dict[str, int]:
        """Return the last line about every benchmark; asked for only if there is a new one."""
        newest = count_lines(self._store)
        with self._lock:
            if newest == self._newest:
                return self._lines
        lines = last_lines(self._store)
        with self._lock:
            self._newest, self._lines = newest, lines
        return lines

    def _read(self, benchmark: str, key: BoardKey | None) -> Board:
        if key is None:
            return api.board(benchmark, store=self._store).board
        if key.season:
            return api.board(benchmark, season=key.season, store=self._store).board
        options = dict(key.options)
        return api.board(benchmark, seed=key.seed, options=options, store=self._store).board

    def keys(self, benchmark: str) -> list[BoardKey]:
        """Return the keys of a benchmark's boards that have entries, the largest board first."""
        largest = self.board(benchmark)
        return [largest.key, *largest.elsewhere] if largest.rows else [*largest.elsewhere]

    def find(self, benchmark: str, word: str) -> Board:
        """Return the board of a word in an address.

        Raises:
            NotFound: There is none.
        """
        for key in self.keys(benchmark):
            if key_word(key) == word:
                return self.board(benchmark, key)
        raise NotFound(f"{benchmark} has no board {word!r:.60} with entries")

    def find_row(self, board: Board, word: str) -> Row:
        """Return the row of a word in an address.

        Raises:
            NotFound: There is none.
        """
        for row in board.rows:
            if entry_word(row.entry) == word:
                return row
        raise NotFound(f"nobody on this board has the address {word!r:.60}")

    def played(self) -> Iterator[Board]:
        """Yield the largest board of every benchmark that has one, in the benchmarks' order."""
        lines = self._find_lines()
        for benchmark in benchmarks():
            if benchmark in lines:
                found = self.board(benchmark)
                if found.rows:
                    yield found
