"""What is entered, read as data and within limits: a file, a folder or an archive.

Nothing of it is run, and nothing is unpacked to a disk here. Links, devices, paths that lead out
and archives that are more than they seem are refused.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ludus.agents.fingerprint import find_imported_files
from ludus.agents.registry import REGISTERED
from ludus.errors import AgentError, format_error, one_line
from ludus.escaping import check_name
from ludus.foreign_files import (
    ARCHIVE_RATIO,
    ENTRY_BYTES,
    ENTRY_FILES,
    MB,
    UnreadableFile,
    open_binary,
    read_bytes,
    reason_of,
)

__all__ = ["PackedAgent", "check_paths", "pack_agent"]

MOST_PATH = 200
MOST_DEPTH = 8
ENCRYPTED = 1
ARCHIVE = ".zip"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LEFT_OUT = ("__pycache__",)
RESERVED = '<>:"|?*\\'
"""Signs that a name of a file cannot have on every system."""


class PackedAgent(NamedTuple):
    """An agent as data.

    Attributes:
        spec: What names it within its files, such as ``agent.py:Agent``, or an agent of Ludus.
        files: Its files by their paths; none for an agent of Ludus.
    """

    spec: str
    files: Mapping[str, bytes]


def pack_agent(spec: str, family: str, *, folder: bool = False) -> PackedAgent:
    """Return an agent as data.

    Args:
        spec: ``file.py:Class`` with the files beside it that it imports, a checkpoint
            ``brain.npz``, either of them in an archive as ``entry.zip/file.py:Class``, or the name
            of an agent that comes with Ludus.
        family: The family of agents that it must belong to.
        folder: Whether all that lies in the file's folder is entered, too.

    Raises:
        AgentError: It is none of these, or cannot be read within the limits.

    Example:
        >>> pack_agent("astar", "platformer")
        PackedAgent(spec='astar', files={})
    """
    base, sign, variant = spec.partition("#")
    if base in REGISTERED.get(family, {}):
        return PackedAgent(spec, {})
    source, colon, attribute = base.rpartition(":") if ".py:" in base else (base, "", "")
    if not source.endswith((".py", ".npz")) or (source.endswith(".py") and not attribute):
        raise AgentError(
            f"{spec[:200]!r} cannot be entered: give file.py:Class, brain.npz, either of them in "
            "entry.zip/…, or the name of an agent of Ludus"
        )
    try:
        path, files = _read_files(Path(source), whole=folder)
        check_paths(files)
    except OSError as error:
        raise AgentError(f"{source[:200]!r} cannot be entered: {reason_of(error)}") from error
    except (UnreadableFile, zipfile.BadZipFile, SyntaxError, RecursionError) as error:
        reason = str(error) if isinstance(error, UnreadableFile) else format_error(error)
        raise AgentError(f"{source[:200]!r} cannot be entered: {reason}") from error
    return PackedAgent(f"{path}{colon}{attribute}{sign}{variant}", files)


def check_paths(files: Mapping[str, bytes]) -> None:
    """Refuse paths that could lead out of a folder, or mean another file elsewhere.

    Raises:
        UnreadableFile: One could, two are one on some systems, or there is too much.
    """
    seen: dict[str, str] = {}
    for path in files:
        _check_path(path)
        if (other := seen.setdefault(path.casefold(), path)) != path:
            raise UnreadableFile(f"holds both {other[:60]!a} and {path[:60]!a}: rename one")
        for folder in PurePosixPath(path).parents:
            if str(folder) in files:
                raise UnreadableFile(f"holds {str(folder)[:60]!a} as a file and as a folder")
    _check_amount(len(files), sum(map(len, files.values())))


def _check_path(path: str) -> None:
    parts = path.split("/")
    bad = any(part in ("", ".", "..") or part.endswith((".", " ")) for part in parts)
    if bad or len(path) > MOST_PATH or len(parts) > MOST_DEPTH or set(path) & set(RESERVED):
        raise UnreadableFile(f"holds the path {path[:60]!a}, which no entry may have")
    try:
        check_name(path, "path")
    except ValueError as error:
        raise UnreadableFile(str(error)) from None


def _check_amount(count: int, size: int) -> None:
    if count > ENTRY_FILES:
        raise UnreadableFile(f"has {count:,} files; {ENTRY_FILES:,} are the most")
    if size > ENTRY_BYTES:
        raise UnreadableFile(f"has more than {ENTRY_BYTES // MB} MB, the most for an entry")


def _read_files(source: Path, *, whole: bool) -> tuple[str, dict[str, bytes]]:
    """Return the path of the agent's file among its files, and those by their paths."""
    archive = next((one for one in source.parents if one.suffix.lower() == ARCHIVE), None)
    if archive is not None and archive.is_file():
        inner = source.relative_to(archive).as_posix()
        files = _read_archive(archive)
        if inner not in files:
            held = ", ".join(sorted(files)[:5]) or "nothing"
            raise UnreadableFile(f"is not in the archive, which holds {held[:200]}")
        return inner, files
    file = source.resolve()
    if not file.is_file():
        raise UnreadableFile("is no file")
    return file.name, _read_folder(file.parent) if whole else _read_code(file)


def _read_code(file: Path) -> dict[str, bytes]:
    """Return a file, and those beside it that it imports."""
    if file.suffix != ".py":
        return {file.name: read_bytes(file, ENTRY_BYTES)}
    found = find_imported_files(file)
    _check_amount(len(found), sum(path.stat().st_size for path in found))
    return {path.relative_to(file.parent).as_posix(): _read_plain(path) for path in found}


def _read_folder(root: Path) -> dict[str, bytes]:
    """Return the files of a folder, without what is hidden and what Python makes by itself."""
    files: dict[str, bytes] = {}
    size = 0
    for path in _walk(root, 1):
        files[path.relative_to(root).as_posix()] = content = _read_plain(path)
        size += len(content)
        _check_amount(len(files), size)
    return files


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    if depth > MOST_DEPTH:
        raise UnreadableFile(f"has folders more than {MOST_DEPTH} deep")
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        if entry.name.startswith(".") or entry.name in LEFT_OUT:
            continue
        if entry.is_symlink():
            raise UnreadableFile(f"holds the link {entry.name[:60]!a}: copy what it leads to")
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), depth + 1)
        else:
            yield Path(entry.path)


def _read_plain(path: Path) -> bytes:
    """Return what a file holds that is neither link nor device."""
    if path.is_symlink():
        raise UnreadableFile(f"holds the link {path.name[:60]!a}: copy what it leads to")
    try:
        return read_bytes(path, ENTRY_BYTES)
    except UnreadableFile as error:
        raise UnreadableFile(f"holds {path.name[:60]!a}, which {error}") from error


def _read_archive(path: Path) -> dict[str, bytes]:
    """Return the files of an archive, whose list is checked before anything is unpacked."""
    with open_binary(path, ENTRY_BYTES) as file:
        packed = file.read()
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            _check_members(members, len(packed))
            return {one.filename: _read_member(archive, one) for one in members}
    except (UnreadableFile, zipfile.BadZipFile):
        raise
    except Exception as error:  # a damaged archive leads its reader anywhere
        raise UnreadableFile(f"is no archive: {one_line(error)}") from error


def _check_members(members: list[zipfile.ZipInfo], packed: int) -> None:
    unpacked = sum(one.file_size for one in members)
    _check_amount(len(members), unpacked)
    if unpacked > ARCHIVE_RATIO * packed:
        raise UnreadableFile(f"unpacks to {unpacked / packed:,.0f} times its size")
    names = [one.filename for one in members]
    for one in members:
        _check_path(one.filename)
        if names.count(one.filename) > 1:
            raise UnreadableFile(f"holds {one.filename[:60]!a} twice")
        if stat.S_IFMT(one.external_attr >> 16) not in (0, stat.S_IFREG):
            raise UnreadableFile(f"holds {one.filename[:60]!a}, which is a link or a device")
        if one.compress_type not in METHODS or one.flag_bits & ENCRYPTED:
            raise UnreadableFile(f"packs {one.filename[:60]!a} in a way that is not read")


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with archive.open(member) as file:
        content = file.read(member.file_size + 1)
    if len(content) != member.file_size:
        raise UnreadableFile(f"lies about the size of {member.filename[:60]!a}")
    return content
