"""What episodes that are being played leave behind, so that a killed run goes on where it was."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Checkpoint", "Inflight"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An episode up to a moment between two steps.

    Attributes:
        steps: How often the agent has been asked.
        seconds: How long it took.
        state: What its game's ``restore`` takes.
    """

    steps: int
    seconds: float
    state: bytes


class Inflight:
    """The checkpoints of one run, a file for each episode that is being played.

    A file is replaced as a whole, so that a kill leaves the old one or the new one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, number: int) -> Checkpoint | None:
        """Return an episode's checkpoint, or None if there is none to be read."""
        try:
            values = json.loads(self._file(number).read_bytes())
            state = base64.b64decode(values["state"], validate=True)
            return Checkpoint(int(values["steps"]), float(values["seconds"]), state)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, number: int, checkpoint: Checkpoint) -> None:
        """Put a checkpoint in the place of the episode's last one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        values = {
            "steps": checkpoint.steps,
            "seconds": checkpoint.seconds,
            "state": base64.b64encode(checkpoint.state).decode("ascii"),
        }
        partial = self.folder / f"{number}.{os.getpid()}.new"
        partial.write_text(json.dumps(values), encoding="ascii")
        partial.replace(self._file(number))

    def forget(self, numbers: Iterable[int]) -> None:
        """Remove episodes' checkpoints: they are kept elsewhere now."""
        if self.folder.exists():  # most games leave none
            for number in numbers:
                self._file(number).unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove the folder and, with the last run's, the one it lies in."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):
            self.folder.parent.rmdir()

    def _file(self, number: int) -> Path:
        return self.folder / f"{number}.json"
