"""The folder of a training, the same for every family: plain files, each replaced at once.

- ``progress/settings.json``: the family, what is trained and how, and with which versions
- ``progress/0000.npz``: a checkpoint, arrays by name and notes in JSON; no pickle

What comes of a training lies beside ``progress/``. Folders of before they had one form are read
too: ``course.json`` with ``state.npz``, and ``progress/plan.json``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.array_files import read_arrays
from ludus.errors import OptionError, one_line
from ludus.json_files import NotJson, parse_json, read_json

__all__ = ["Checkpoint", "TrainingFolder", "no_checkpoint", "replace_file"]

SETTINGS, NOTES = "progress/settings.json", "notes"
OLDER_SETTINGS = {"course.json": "mario-arena", "progress/plan.json": "nematode"}
OLDER_CHECKPOINT, OLDER_NOTES = "state.npz", "diary"


class Checkpoint(NamedTuple):
    """How far a training had come: arrays by name, and plain notes."""

    arrays: dict[str, NDArray[Any]]
    notes: dict[str, Any]


class TrainingFolder:
    """The files of a training, or of several with the same settings.

    Args:
        path: Where they are.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def family(self) -> str | None:
        """The family of benchmarks that is trained for; None if the folder holds no training."""
        known = {SETTINGS: None, **OLDER_SETTINGS}
        file = next((name for name in known if (self.path / name).is_file()), None)
        if file is None:
            return None
        return known[file] or str(self._read(file).get("family"))

    def settings(self) -> dict[str, Any]:
        """Return what is trained, and how, as plain values.

        Raises:
            OptionError: The folder holds no training.
        """
        for name in (SETTINGS, *OLDER_SETTINGS):
            if (self.path / name).is_file():
                values = self._read(name)
                inner = values.get("settings" if name == SETTINGS else "course", values)
                if isinstance(inner, dict):
                    return inner
        raise OptionError(f"{str(self.path)!r} holds no training to resume")

    def _read(self, name: str) -> dict[str, Any]:
        file = self.path / name
        try:
            values = read_json(file)
        except NotJson as error:
            raise OptionError(f"{str(file)!r} {error}; there is no training to resume") from None
        if not isinstance(values, dict):
            raise OptionError(f"{str(file)!r} holds no training to resume")
        return values

    def made_with(self) -> dict[str, Any]:
        """Return what a training was begun with, as far as its folder says so."""
        values = self._read(SETTINGS) if (self.path / SETTINGS).is_file() else {}
        made_with = values.get("made_with")
        return made_with if isinstance(made_with, dict) else {}

    def write_settings(
        self, family: str, settings: Mapping[str, Any], made_with: Mapping[str, str]
    ) -> None:
        """Write down what is trained; the folder is made if there is none.

        Raises:
            OptionError: It cannot be written.
        """
        values = {"family": family, "settings": settings, "made_with": made_with}
        try:
            (self.path / SETTINGS).parent.mkdir(parents=True, exist_ok=True)
            with replace_file(self.path / SETTINGS) as file:
                file.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise OptionError(f"{str(self.path)!r} cannot be made: {error.strerror}") from None

    def checkpoint_file(self, number: int) -> Path:
        """Return the file of a checkpoint, whether it is there or not."""
        return self.path / f"progress/{number:04d}.npz"

    def write_checkpoint(
        self, number: int, arrays: Mapping[str, Any], notes: Mapping[str, Any]
    ) -> None:
        """Write down how far a training has come."""
        self.checkpoint_file(number).parent.mkdir(exist_ok=True)
        with replace_file(self.checkpoint_file(number)) as path, path.open("wb") as file:
            stored = {NOTES: np.array(json.dumps(notes)), **arrays}
            np.savez(file, allow_pickle=False, **stored)

    def read_checkpoint(self, number: int) -> Checkpoint | None:
        """Return how far a training had come, or None before its first checkpoint.

        Raises:
            OptionError: The file is no checkpoint.
        """
        older = self.path / OLDER_CHECKPOINT
        file = self.checkpoint_file(number)
        if number == 0 and not file.is_file() and older.is_file():
            file = older
        try:
            arrays = read_arrays(file)
            text = arrays.pop(NOTES) if NOTES in arrays else arrays.pop(OLDER_NOTES)
            notes = parse_json(str(text))
            if not isinstance(notes, dict):
                raise ValueError("its notes are no object of fields by name")
            return Checkpoint(arrays, notes)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError) as error:
            raise no_checkpoint(file, error) from None

    def remove_checkpoint(self, number: int) -> None:
        """Remove the checkpoint of a training that is over."""
        self.checkpoint_file(number).unlink(missing_ok=True)


def no_checkpoint(file: Path, error: Exception) -> OptionError:
    """Return the error for a file that is not the checkpoint it should be."""
    cause = f"{str(file)!r} is not a checkpoint ({one_line(error)})"
    return OptionError(f"{cause}: delete it, and the training begins anew")


@contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """Give a file to write to, and put it in the place of ``path``, all at once."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
