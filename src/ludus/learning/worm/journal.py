"""The log of trainings: how they went, line by line, for whoever looks later or from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from ludus.errors import AgentError, LudusError
from ludus.learning.brain_errors import ERROR_LOG
from ludus.learning.worm.standing import OnProgress, Standing

__all__ = ["JOURNAL", "keep_journal"]

JOURNAL = "progress/training.log"
"""Where a folder of trainings keeps its log."""

SECONDS_A_LINE = 10.0


@contextmanager
def keep_journal(folder: Path, title: str, on_progress: OnProgress | None) -> Iterator[OnProgress]:
    """Write how trainings go into their folder's log; give what is called with how they stand.

    Args:
        folder: The folder of the trainings.
        title: The first line: what is trained.
        on_progress: Called with how it goes, too.

    Raises:
        AgentError: The brain has failed; the message names the file with its traceback.
    """
    (folder / ERROR_LOG).unlink(missing_ok=True)
    journal = _Journal(folder / JOURNAL)
    journal.write(title)

    def report(now: Standing) -> None:
        journal.report(now)
        if on_progress:
            on_progress(now)

    try:
        yield report
    except LudusError as error:
        journal.write(f"failed: {error}")
        if isinstance(error, AgentError) and (folder / ERROR_LOG).is_file():
            raise AgentError(f"{error}; its traceback: {folder / ERROR_LOG}") from None
        raise
    except BaseException as error:
        journal.write(f"stopped: {type(error).__name__}")
        raise
    journal.write("finished")


class _Journal:
    """A file that lines are added to."""

    def __init__(self, file: Path) -> None:
        self._file, self._last = file, monotonic()
        self._file.parent.mkdir(exist_ok=True)

    def write(self, line: str) -> None:
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{now} UTC  {line}\n")

    def report(self, now: Standing) -> None:
        """Write how trainings stand, every few seconds and when all episodes are played."""
        if monotonic() - self._last >= SECONDS_A_LINE or now.episodes == now.total:
            self._last = monotonic()
            self.write(now.describe())
