"""The files of an entry, kept in the store as data: nothing of them is run or unpacked here.

Their digest is over all paths and contents. Whatever is read has it, or is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import sqlalchemy as sa

from ludus.errors import StoreError
from ludus.runs.connection_loss import retry_when_lost
from ludus.runs.schema import entry_files as table
from ludus.runs.store import Store

__all__ = ["digest_files", "entries_folder", "load_files", "store_files"]

BEGINNING = b"ludus entry 1\n"


def digest_files(files: Mapping[str, bytes]) -> str:
    """Return the digest of files by their paths: SHA-256 over paths, sizes and digests.

    Example:
        >>> digest_files({"agent.py": b"x = 1"})[:12]
        '2adc1f460967'
    """
    digest = hashlib.sha256(BEGINNING)
    for path, content in sorted(files.items()):
        inner = hashlib.sha256(content).hexdigest()
        digest.update(f"{path}\0{len(content)}\0{inner}\n".encode())
    return digest.hexdigest()


def entries_folder(store: Store) -> Path:
    """Return where the files of entries are copied to, for the sandbox to read."""
    return store.folder_beside("events")


@retry_when_lost
def store_files(files: Mapping[str, bytes], store: Store) -> str:
    """Keep files in a store and return their digest; files that are there already stay."""
    digest = digest_files(files)
    rows = [{"digest": digest, "path": path, "content": files[path]} for path in sorted(files)]
    there = sa.select(table.c.path).where(table.c.digest == digest).limit(1)
    with store.transaction() as connection:
        if rows and connection.scalar(there) is None:
            connection.execute(table.insert(), rows)
    return digest


@retry_when_lost
def load_files(digest: str, store: Store) -> dict[str, bytes]:
    """Return the files of this digest by their paths.

    Raises:
        StoreError: They are not there, or were changed.
    """
    query = sa.select(table.c.path, table.c.content).where(table.c.digest == digest)
    with store.connection() as connection:
        files = {path: bytes(content) for path, content in connection.execute(query)}
    if digest_files(files) != digest:
        state = "were changed" if files else "are gone"
        raise StoreError(f"the files of entry {digest[:12]} {state}: restore a copy of the store")
    return files
