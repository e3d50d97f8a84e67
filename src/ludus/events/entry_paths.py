"""Which files an entry may hold: how many, how large, and under which paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from ludus.escaping import check_name
from ludus.foreign_files import ENTRY_BYTES, ENTRY_FILES, MB, UnreadableFile

__all__ = ["MOST_DEPTH", "check_amount", "check_path", "check_paths"]

MOST_PATH = 200
MOST_DEPTH = 8
"""The most folders that lie in each other."""
RESERVED = '<>:"|?*\\'
"""Signs that a name of a file cannot have on every system."""


def check_paths(files: Mapping[str, bytes]) -> None:
    """Refuse paths that could lead out of a folder, or mean another file elsewhere.

    Raises:
        UnreadableFile: One could, two are one on some systems, or there is too much.
    """
    seen: dict[str, str] = {}
    for path in files:
        check_path(path)
        if (other := seen.setdefault(path.casefold(), path)) != path:
            raise UnreadableFile(f"holds both {other[:60]!a} and {path[:60]!a}: rename one")
        for folder in PurePosixPath(path).parents:
            if str(folder) in files:
                raise UnreadableFile(f"holds {str(folder)[:60]!a} as a file and as a folder")
    check_amount(len(files), sum(map(len, files.values())))


def check_path(path: str) -> None:
    """Refuse a path that no entry may have.

    Raises:
        UnreadableFile: It leads out, is too long, or no system has such a name.
    """
    parts = path.split("/")
    bad = any(part in ("", ".", "..") or part.endswith((".", " ")) for part in parts)
    if bad or len(path) > MOST_PATH or len(parts) > MOST_DEPTH or set(path) & set(RESERVED):
        raise UnreadableFile(f"holds the path {path[:60]!a}, which no entry may have")
    try:
        check_name(path, "path")
    except ValueError as error:
        raise UnreadableFile(str(error)) from None


def check_amount(count: int, size: int) -> None:
    """Refuse more files or bytes than an entry may have.

    Raises:
        UnreadableFile: There are more.
    """
    if count > ENTRY_FILES:
        raise UnreadableFile(f"has {count:,} files; {ENTRY_FILES:,} are the most")
    if size > ENTRY_BYTES:
        raise UnreadableFile(f"has more than {ENTRY_BYTES // MB} MB, the most for an entry")
