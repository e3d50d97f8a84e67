"""Entries as files again: beside the store for the sandbox to read, or where they are published."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from ludus.agents.registry import REGISTERED
from ludus.errors import StoreError, one_line
from ludus.events.entry import EventEntry
from ludus.events.entry_paths import check_paths
from ludus.foreign_files import ENTRY_BYTES, UnreadableFile, read_bytes
from ludus.runs.entry_files import digest_files, entries_folder, load_files
from ludus.runs.store import Store

__all__ = ["find_spec", "hide_folder", "read_tree", "write_tree"]

_FOLDER_IN_TEXT = re.compile(r"[^\s'\"]*/[0-9a-f]{64}/")


def find_spec(entry: EventEntry, store: Store) -> str:
    """Return what loads an entry, with its files where they were copied to.

    They are compared with what the store holds, and written again if somebody has changed them.

    Raises:
        StoreError: The store's own files were changed, the spec names none of them, or they cannot
            be written.
    """
    files = {} if entry.from_ludus else load_files(entry.digest, store)
    _check_spec(entry, files)
    if entry.from_ludus:
        return entry.spec
    home = entries_folder(store)
    folder = home / entry.digest
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _digest_of(folder) != entry.digest:
            _replace(folder, files)
    except OSError as error:
        raise StoreError(f"cannot write {str(folder)!r}: {error.strerror or error}") from error
    return f"{folder}/{entry.spec}"


def _check_spec(entry: EventEntry, files: Mapping[str, bytes]) -> None:
    """Refuse a spec that leads elsewhere: somebody wrote it past the commands."""
    base = entry.spec.partition("#")[0]
    path = base.rpartition(":")[0] if ".py:" in base else base
    own = any(base in names for names in REGISTERED.values()) if entry.from_ludus else path in files
    if not own:
        raise StoreError(f"{entry.spec[:60]!a} is no agent among the files of {entry.entrant!r}")


def hide_folder(text: str) -> str:
    """Return a text without the organiser's folder in which entries lie.

    Example:
        >>> hide_folder(f"no file '/home/me/ludus.db.events/{'0' * 64}/agent.py'")
        "no file 'agent.py'"
    """
    return _FOLDER_IN_TEXT.sub("", text)


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder.

    Raises:
        OSError: They cannot be written.
        StoreError: A path leads out of the folder.
    """
    try:
        check_paths(files)
    except UnreadableFile as error:
        raise StoreError(f"the entry in {str(folder)!r} {error}") from error
    folder.mkdir(parents=True)
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o644)  # what only its owner may read is not shown to an agent


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their paths, without what Python makes by itself.

    Raises:
        OSError: One cannot be read.
        UnreadableFile: One is a link or a device, or too large.
    """
    files: dict[str, bytes] = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for path in (Path(root) / name for name in (*names, *folders)):
            if path.is_symlink():
                raise UnreadableFile(f"holds the link {path.name[:60]!a}")
        for path in (Path(root) / name for name in names):
            files[path.relative_to(folder).as_posix()] = read_bytes(path, ENTRY_BYTES)
    return files


def _digest_of(folder: Path) -> str:
    """Return the digest of a folder's files; nothing if there are none or they cannot be read."""
    try:
        return digest_files(read_tree(folder)) if folder.is_dir() else ""
    except (OSError, UnreadableFile) as error:
        return one_line(error)


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put files in the place of a folder, all of them at once."""
    new = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    write_tree(new, files)
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
    new.rename(folder)
