"""Files of sessions: one, or a folder of them."""

from __future__ import annotations

from pathlib import Path

from ludus.errors import OptionError
from ludus.games.worm.training import Session, read_session

__all__ = ["SUBMISSION", "read_sessions", "session_files"]

SUBMISSION = "submission.json"
"""What a folder says of all its sessions; no session itself."""


def session_files(path: Path) -> list[Path]:
    """Return the files of sessions at a path: the file itself, or those in the folder, by name.

    Raises:
        OptionError: There are none.
    """
    if path.is_file():
        return [path]
    files = sorted(file for file in path.glob("*.json") if file.name != SUBMISSION)
    if not files:
        raise OptionError(f"there is no session (*.json) in {str(path)!r}")
    return files


def read_sessions(path: Path) -> tuple[list[Session], list[str]]:
    """Return the sessions at a path, and a line for each file that is none.

    Raises:
        OptionError: There are no files.
    """
    sessions: list[Session] = []
    faults: list[str] = []
    for file in session_files(path):
        try:
            sessions.append(read_session(file))
        except OptionError as error:
            faults.append(str(error))
    return sessions, faults
