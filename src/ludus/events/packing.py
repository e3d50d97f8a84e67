"""What is entered, read as data and within limits: a file, a folder or an archive.

Nothing of it is run, and nothing is unpacked to a disk here. Links, devices, paths that lead out
and archives that are more than they seem are refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ludus.agents.fingerprint import find_imported_files
from ludus.agents.registry import REGISTERED
from ludus.errors import AgentError, format_error
from ludus.events.archives import ARCHIVES, read_archive
from ludus.events.entry_paths import MOST_DEPTH, check_amount, check_paths
from ludus.foreign_files import ENTRY_BYTES, UnreadableFile, read_bytes, reason_of

__all__ = ["PackedAgent", "pack_agent", "pack_archive"]

LEFT_OUT = ("__pycache__",)


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
    if spec.partition("#")[0] in REGISTERED.get(family, {}):
        return PackedAgent(spec, {})
    return _pack(spec, lambda source: _read_files(Path(source), whole=folder))


def pack_archive(spec: str, archive: bytes) -> PackedAgent:
    """Return the agent that an archive holds, as data.

    Args:
        spec: ``file.py:Class`` or ``brain.npz``, by its path in the archive; the name of a folder
            that holds everything may be left out.
        archive: A zip archive, or a tar archive that may be packed with gzip.

    Raises:
        AgentError: The archive cannot be read within the limits, or has no such file.
    """
    return _pack(spec, lambda source: (source, _find_among(read_archive(archive), source)))


def _pack(spec: str, read: Callable[[str], tuple[str, dict[str, bytes]]]) -> PackedAgent:
    """Return an agent as data, of which a function reads path and files."""
    base, sign, variant = spec.partition("#")
    source, colon, attribute = base.rpartition(":") if ".py:" in base else (base, "", "")
    if not source.endswith((".py", ".npz")) or (source.endswith(".py") and not attribute):
        raise AgentError(
            f"{spec[:200]!r} cannot be entered: give file.py:Class, brain.npz, either of them in "
            "entry.zip/…, or the name of an agent of Ludus"
        )
    try:
        path, files = read(source)
        check_paths(files)
    except OSError as error:
        raise AgentError(f"{source[:200]!r} cannot be entered: {reason_of(error)}") from error
    except (UnreadableFile, SyntaxError, RecursionError) as error:
        reason = str(error) if isinstance(error, UnreadableFile) else format_error(error)
        raise AgentError(f"{source[:200]!r} cannot be entered: {reason}") from error
    return PackedAgent(f"{path}{colon}{attribute}{sign}{variant}", files)


def _read_files(source: Path, *, whole: bool) -> tuple[str, dict[str, bytes]]:
    """Return the path of the agent's file among its files, and those by their paths."""
    archive = next((one for one in source.parents if one.name.lower().endswith(ARCHIVES)), None)
    if archive is not None and archive.is_file():
        inner = source.relative_to(archive).as_posix()
        return inner, _find_among(read_archive(read_bytes(archive, ENTRY_BYTES)), inner)
    file = source.resolve()
    if not file.is_file():
        raise UnreadableFile("is no file")
    return file.name, _read_folder(file.parent) if whole else _read_code(file)


def _find_among(files: dict[str, bytes], path: str) -> dict[str, bytes]:
    """Return the files of an archive by the paths that its agent goes by.

    An archive of a folder has that folder's name before every path; it may be left out.
    """
    tops = {name.partition("/")[0] for name in files}
    if path not in files and len(tops) == 1:
        (top,) = tops
        files = {name.removeprefix(f"{top}/"): content for name, content in files.items()}
    if path not in files:
        held = ", ".join(sorted(files)[:5]) or "nothing"
        raise UnreadableFile(f"is not in the archive, which holds {held[:200]}")
    return files


def _read_code(file: Path) -> dict[str, bytes]:
    """Return a file, and those beside it that it imports."""
    if file.suffix != ".py":
        return {file.name: read_bytes(file, ENTRY_BYTES)}
    found = find_imported_files(file)
    check_amount(len(found), sum(path.stat().st_size for path in found))
    return {path.relative_to(file.parent).as_posix(): _read_plain(path) for path in found}


def _read_folder(root: Path) -> dict[str, bytes]:
    """Return the files of a folder, without what is hidden and what Python makes by itself."""
    files: dict[str, bytes] = {}
    size = 0
    for path in _walk(root, 1):
        files[path.relative_to(root).as_posix()] = content = _read_plain(path)
        size += len(content)
        check_amount(len(files), size)
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
