"""Whether anything was written to a store since the last look; asking costs next to nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from pathlib import Path
from threading import Lock
from weakref import finalize

import sqlalchemy as sa

from ludus.runs import Store

__all__ = ["StoreWatch"]

SNAPSHOT = sa.text("SELECT CAST(txid_current_snapshot() AS text)")
"""Which transactions of PostgreSQL are over; two equal ones see the same data."""


class StoreWatch:
    """Looks whether a store has changed, whoever has changed it.

    Args:
        store: The store; it stays open as long as it is watched.

    Attributes:
        is_instant: Whether a look waits for nobody: the store is on this machine.
    """

    def __init__(self, store: Store) -> None:
        url = sa.make_url(store.url)
        self.is_instant = url.drivername.startswith("sqlite")
        self._store = store
        self._file = Path(url.database) if self.is_instant and url.database else None
        self._connection: sqlite3.Connection | None = None
        self._lock = Lock()

    def look(self) -> Hashable:
        """Return a value that is another one as soon as anything was written."""
        if self.is_instant:
            return self._read_version()
        with self._store.connection() as connection:
            return str(connection.scalar(SNAPSHOT))

    def _read_version(self) -> Hashable:
        """Return SQLite's number of changes that others than this connection have made."""
        with self._lock:
            try:
                return int(self._open().execute("PRAGMA data_version").fetchone()[0])
            except (OSError, sqlite3.Error):
                return object()  # whatever cannot be watched may have changed

    def _open(self) -> sqlite3.Connection:
        """Return a connection of its own: to each, only the changes of others are told."""
        if self._connection is None:
            if self._file is None or not self._file.is_file():
                raise OSError("the store is no file")
            address = f"{self._file.absolute().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
            finalize(self, self._connection.close)
        return self._connection
