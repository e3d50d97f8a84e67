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
from typing import Any

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
        values = {
            "steps": checkpoint.steps,
            "seconds": checkpoint.seconds,
            "state": base64.b64encode(checkpoint.state).decode("ascii"),
        }
        self._replace(self._file(number), json.dumps(values))

    def read_memory(self, agent: int, scenario: int) -> Any:
        """Return what an agent remembered after a level in order; None if that is not there."""
        try:
            values = json.loads(self._memory_file(agent).read_bytes())
            return values["memory"] if values["scenario"] == scenario else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write_memory(self, agent: int, scenario: int, memory: Any) -> None:
        """Put what an agent remembers after a level in the place of what it remembered before.

        Raises:
            TypeError, ValueError: JSON cannot hold it.
        """
        text = json.dumps({"scenario": scenario, "memory": memory}, allow_nan=False)
        self._replace(self._memory_file(agent), text)

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

    def _replace(self, file: Path, text: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f"{file.stem}.{os.getpid()}.new")
        partial.write_text(text, encoding="ascii")
        partial.replace(file)

    def _memory_file(self, agent: int) -> Path:
        return self.folder / f"agent-{agent}.json"

    def _file(self, number: int) -> Path:
        return self.folder / f"{number}.json"
