"""The code of a brain that is somebody's own: its copy in the folder of its trainings."""

from __future__ import annotations

import shutil
from pathlib import Path

from ludus.agents.locating import locate
from ludus.errors import AgentError
from ludus.games.worm.training.code import CODE_FILE, MOST_CODE, digest_code

__all__ = ["copy_code", "describe_code"]


def describe_code(spec: str) -> dict[str, str]:
    """Return the class of a brain that is code, and the digest of its file, as plain values.

    Raises:
        AgentError: There is no such file.
    """
    return {"class": spec.rpartition(":")[2], "sha256": digest_code(_find_file(spec))}


def copy_code(spec: str, folder: Path) -> None:
    """Copy the file of a brain into a folder, unless it is too large to be submitted.

    Raises:
        AgentError: There is no such file.
    """
    file = _find_file(spec)
    if file.stat().st_size <= MOST_CODE:
        shutil.copyfile(file, folder / CODE_FILE)


def _find_file(spec: str) -> Path:
    file = locate(spec).file
    if file is None:
        raise AgentError(f"brain {spec[:200]!r} has no file")
    return file
