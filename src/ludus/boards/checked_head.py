"""How far this machine has checked a ledger: a file beside the store, so that it is done once.

The digest of a line stands for all lines before it. What was checked is therefore told by one
number and one digest. A line that is not there any more, or has another digest, makes the file
worthless, and all lines are checked again.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ludus.json_files import NotJson, read_json
from ludus.runs.store import Store

__all__ = ["CheckedHead", "read_checked_head", "write_checked_head"]


class CheckedHead(NamedTuple):
    """The last line that was found as it was written.

    Attributes:
        number: Its place, counted from 1.
        digest: Its digest.
    """

    number: int
    digest: str


def read_checked_head(store: Store) -> CheckedHead | None:
    """Return how far this machine has checked the ledger of a store; None if it has not."""
    if not store.shareable:
        return None
    with suppress(NotJson, TypeError, ValueError):
        number, digest = read_json(_file(store))
        if type(number) is int and isinstance(digest, str):
            return CheckedHead(number, digest)
    return None


def write_checked_head(store: Store, head: CheckedHead) -> None:
    """Remember how far a ledger was checked, if the file can be written."""
    if not store.shareable:
        return
    file = _file(store)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(head), encoding="ascii")
        new.replace(file)


def _file(store: Store) -> Path:
    name = hashlib.sha256(store.url.encode()).hexdigest()[:16]
    return store.folder_beside("checked") / f"{name}.json"
