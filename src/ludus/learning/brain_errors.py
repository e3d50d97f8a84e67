"""Where somebody's own code has failed: its file and line, and a log with the whole traceback."""

from __future__ import annotations

import traceback
from pathlib import Path
from sysconfig import get_path

import ludus
from ludus.errors import format_error

__all__ = ["ERROR_LOG", "describe_failure", "write_error_log"]

ERROR_LOG = "progress/error.log"
"""What a training's folder keeps of the last error of its brain."""

INSTALLED = ("site-packages", "dist-packages")
LUDUS = Path(ludus.__file__).resolve().parent
PYTHON = Path(get_path("stdlib")).resolve()


def describe_failure(error: BaseException) -> str:
    """Return an error as one line that ends with the last line of somebody's own file."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame)]
    if not frames:
        return format_error(error)
    last = frames[-1]
    return f"{format_error(error)} ({last.filename}, line {last.lineno}, in {last.name})"


def write_error_log(folder: Path, error: BaseException) -> Path:
    """Write an error with its traceback into a training's folder and return the file."""
    file = folder / ERROR_LOG
    file.parent.mkdir(exist_ok=True)
    file.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
    return file


def _is_own(frame: traceback.FrameSummary) -> bool:
    """Return whether a frame is neither of Ludus nor of Python nor of an installed package."""
    file = Path(frame.filename).resolve()
    if frame.filename.startswith("<") or any(word in file.parts for word in INSTALLED):
        return False
    return LUDUS not in file.parents and PYTHON not in file.parents
