"""Files of sessions: one, a folder or a tree of them, or those that a submission names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os.path import isfile  # unlike that of Path, it takes names that no file can have
from pathlib import Path, PurePosixPath
from typing import Any

from ludus.errors import OptionError
from ludus.games.worm.training import Session, session_from_dict
from ludus.games.worm.training.session import MOST_BYTES
from ludus.json_files import NotJson, read_json

__all__ = ["SUBMISSION", "is_submission", "read_sessions", "read_values", "session_files"]

SUBMISSION = "submission.json"
"""What a folder says of all its sessions; no session itself."""

PROGRESS = "progress"  # a trainer's own files
MOST_FILES = 20_000
POINTER = b"version https://git-lfs.github.com/spec/"
SESSION_FIELDS = ("success", "results", "per_run_results")
AGGREGATES = {
    "composite_benchmark_score": "composite",
    "success_rate": "success",
    "avg_distance_efficiency": "efficiency",
}


def session_files(path: Path) -> list[Path]:
    """Return the files that may be sessions at a path: itself, or those below it, by name.

    Raises:
        OptionError: There are none, or too many.
    """
    if path.is_file():
        return [path]
    files = [file for file in sorted(path.rglob("*.json")) if _may_be_session(path, file)]
    if not files:
        raise OptionError(f"there is no session (*.json) in {str(path)!r}")
    if len(files) > MOST_FILES:
        raise OptionError(f"{str(path)!r} holds {len(files):,} files: {MOST_FILES:,} are the most")
    return files


def read_sessions(*paths: Path) -> tuple[list[Session], list[str]]:
    """Return the sessions at some paths, each once, and a line for each file that is none.

    Raises:
        OptionError: There are no files.
    """
    reader = _Reader()
    for path in paths:
        for file in session_files(path):
            reader.read(file, chosen=path.is_file())
    if not reader.sessions and not reader.faults:
        raise OptionError(f"there is no session among the files in {str(paths[0])!r}")
    return reader.sessions, reader.faults


def _may_be_session(folder: Path, file: Path) -> bool:
    return file.name != SUBMISSION and PROGRESS not in file.relative_to(folder).parts


class _Reader:
    """Reads files one after the other and keeps what came of them."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []
        self.faults: list[str] = []
        self._read: set[Path] = set()
        self._kept: set[tuple[str, str]] = set()

    def read(self, file: Path, *, chosen: bool) -> None:
        """Read a session, or all that a submission names, unless they were read before.

        Args:
            file: The file.
            chosen: Whether somebody named this very file; other JSON in a tree is left alone.
        """
        place = file.resolve()
        if place in self._read:
            return
        self._read.add(place)
        try:
            values = read_values(file)
            if is_submission(values):
                self._read_submission(file, values)
            elif chosen or _looks_like_session(values):
                self._keep(session_from_dict(values, file.stem))
        except OptionError as error:
            self.faults.append(f"{file}: {error}")

    def _keep(self, session: Session) -> None:
        """Keep a session, unless it is a copy of one that was kept before."""
        key = session.name, session.digest
        if key not in self._kept:
            self._kept.add(key)
            self.sessions.append(session)

    def _read_submission(self, file: Path, values: Mapping[str, Any]) -> None:
        for name in _named_files(values["sessions"]):
            session = _locate(file, name)
            if session:
                self.read(session, chosen=True)
            else:
                self.faults.append(
                    f"{file}: its session {name[:200]!r} is not there: keep the tree of the "
                    "repository, or name the folder of the sessions instead"
                )


def read_values(file: Path) -> Any:
    """Return what a file holds, or say what to do about it.

    Raises:
        OptionError: It holds no session and no submission.
    """
    try:
        values = read_json(file, MOST_BYTES)
    except NotJson as error:
        raise OptionError(_describe_no_json(file, error)) from None
    if isinstance(values, dict) and _is_legacy(values):
        raise OptionError(_describe_legacy(values["results"]))
    return values


def _describe_no_json(file: Path, error: NotJson) -> str:
    try:
        with file.open("rb") as stream:
            start = stream.read(len(POINTER))
    except OSError:
        return str(error)
    if start == POINTER:
        return "is a pointer of Git LFS, not the session: run 'git lfs pull' in its repository"
    return f"{error}; if it was broken off while it was written, copy it again or leave it out"


def _looks_like_session(values: Any) -> bool:
    return isinstance(values, dict) and any(name in values for name in SESSION_FIELDS)


def _is_legacy(values: Mapping[str, Any]) -> bool:
    results = values.get("results")
    return isinstance(results, dict) and "per_run_results" not in {*values, *results}


def _describe_legacy(results: Mapping[str, Any]) -> str:
    shown = [
        f"{word} {results[name]:.4f}"
        for name, word in AGGREGATES.items()
        if isinstance(results.get(name), int | float)
    ]
    runs = f"{results.get('total_runs')!r:.20} runs"
    says = f" It says: {', '.join(shown)} in {runs}." if shown else ""
    return (
        "is of before sessions held their runs (per_run_results), so it cannot be scored again: "
        f"run it again with a later version.{says}"
    )


def is_submission(values: Any) -> bool:
    """Return whether plain values are a submission of the reference, which names its sessions."""
    return (
        isinstance(values, dict)
        and isinstance(values.get("sessions"), list)
        and "submission_id" in values
    )


def _named_files(sessions: Sequence[Any]) -> Iterator[str]:
    for number, session in enumerate(sessions, start=1):
        name = session.get("file_path") if isinstance(session, dict) else None
        if not isinstance(name, str):
            raise OptionError(f"its session {number} has no 'file_path'")
        yield name


def _locate(submission: Path, name: str) -> Path | None:
    """Return a file that a submission names from the root of its repository, if it is there."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return None
    roots = submission.resolve().parents
    return next((root / path for root in roots if isfile(root / path)), None)
