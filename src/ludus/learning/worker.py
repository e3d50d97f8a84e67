"""A process that trains: ``python -m ludus.learning.worker FOLDER 0,1,2``.

It reports on its standard output, in lines of JSON, how its trainings go.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ludus.errors import LudusError, OptionError
from ludus.learning.brain_errors import describe_failure, write_error_log
from ludus.learning.folder import TrainingFolder

__all__ = ["main", "train_chunk", "train_elsewhere"]

REPORT_EVERY = 0.5

RUNNERS = {
    "mario-arena": "ludus.learning.platformer.training",
    "nematode": "ludus.learning.worm.trainings",
}
"""The module of each family whose ``run_trainings`` trains."""

Report = Callable[[int, Any], None]
"""Called with a training's number and how it stands, as plain values."""


def train_chunk(path: str | Path, numbers: Sequence[int], report: Report) -> None:
    """Bring some trainings of a folder to their end, in this process.

    Raises:
        OptionError: The folder holds no training of a family that is known.
    """
    family = TrainingFolder(path).family
    if family not in RUNNERS:
        raise OptionError(f"{str(path)!r} holds no training of {', '.join(RUNNERS)}")
    import_module(RUNNERS[family]).run_trainings(path, numbers, report)


def report_error(folder: str | Path, error: Exception) -> tuple[str, str]:
    """Return the kind of an error and its text; what somebody's brain raises is an AgentError.

    The traceback of the latter is kept in the folder.
    """
    if isinstance(error, LudusError):
        return type(error).__name__, str(error)
    write_error_log(Path(folder), error)
    return "AgentError", describe_failure(error)


def main(path: str, numbers: str) -> int:
    """Train, and return the exit code."""
    reports: dict[int, Any] = {}
    last = 0.0

    def report(number: int, standing: Any) -> None:
        nonlocal last
        reports[number] = standing
        if time.monotonic() - last > REPORT_EVERY:
            last = time.monotonic()
            _write({"reports": list(reports.items())})

    try:
        train_chunk(path, [int(number) for number in numbers.split(",")], report)
    except Exception as error:
        kind, text = report_error(path, error)
        _write({"error": text, "kind": kind})
        return 2
    _write({"reports": list(reports.items())})
    return 0


def _write(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def train_elsewhere(
    files: dict[str, bytes], numbers: list[int], environment: dict[str, str]
) -> tuple[dict[str, bytes | None], dict[int, Any], tuple[str, str] | None]:
    """Train in a folder of this machine's.

    Returns:
        The files that are new or others, None for those that are gone; the last report of each
        training; kind and text of an error, if there was one.
    """
    os.environ.update(environment)  # before JAX is imported
    reports: dict[int, Any] = {}
    fault = None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "progress").mkdir()
        for file, data in files.items():
            (folder / file).write_bytes(data)
        try:
            train_chunk(folder, numbers, reports.__setitem__)
        except Exception as error:
            fault = report_error(folder, error)
        after = read_files(folder)
    changed = {file: after.get(file) for file in files.keys() | after.keys()}
    changed = {file: data for file, data in changed.items() if data != files.get(file)}
    return changed, reports, fault


def read_files(folder: Path) -> dict[str, bytes]:
    """Return all files of a training's folder, by their path in it."""
    files = [*folder.glob("*"), *folder.glob("progress/*")]
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in files if file.is_file()
    }


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
