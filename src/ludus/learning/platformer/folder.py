"""The folder of a training: its course, its curve, its last checkpoint and its policies.

- ``course.json``: what is trained, and how, and with which versions
- ``curve.jsonl``: one line for every stretch of learning and every evaluation of a seed
- ``state.npz``: all that is needed to go on; no pickle
- ``policy.npz`` and ``best.npz``: the policy as it is, and the one that did best in an evaluation;
  of several seeds ``policy-0.npz`` and so on

Files are written beside their place and moved there, so that a kill leaves the ones before.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.learning.platformer.settings import Course

__all__ = ["Folder", "read_curve"]

COURSE, CURVE, STATE = "course.json", "curve.jsonl", "state.npz"
NOTES = "notes"


class Folder:
    """The files of one training."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @classmethod
    def begin(cls, path: str | Path, course: Course, made_with: Mapping[str, str]) -> Folder:
        """Return the folder of a new training.

        Raises:
            OptionError: There is a training in it already, or it cannot be made.
        """
        made = cls(path)
        if (made.path / COURSE).exists():
            raise OptionError(
                f"{str(path)!r} holds a training: go on with 'ludus train --resume {path}', "
                "or choose another --out"
            )
        try:
            made.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OptionError(f"{str(path)!r} cannot be made: {error.strerror}") from None
        text = json.dumps({"course": course.to_dict(), "made_with": dict(made_with)}, indent=2)
        with replaced(made.path / COURSE) as place:
            place.write_text(text + "\n", encoding="utf-8")
        (made.path / CURVE).write_text("", encoding="utf-8")
        return made

    def course(self) -> Course:
        """Return what is trained.

        Raises:
            OptionError: The folder holds no training.
        """
        try:
            values = json.loads((self.path / COURSE).read_text(encoding="utf-8"))
            return Course.from_dict(values["course"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            if isinstance(error, OptionError):
                raise
            raise OptionError(f"{str(self.path)!r} holds no training to resume") from None

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a line of the curve."""
        with (self.path / CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def cut(self, rows: int) -> None:
        """Forget the lines of the curve after the first ones: they will be written again."""
        lines = (self.path / CURVE).read_text(encoding="utf-8").splitlines(keepends=True)
        with replaced(self.path / CURVE) as place:
            place.write_text("".join(lines[:rows]), encoding="utf-8")

    def keep(self, state: Mapping[str, NDArray[Any]], notes: Mapping[str, Any]) -> None:
        """Write a checkpoint: arrays by name, and plain notes."""
        with replaced(self.path / STATE) as place, place.open("wb") as file:
            named = {NOTES: np.array(json.dumps(notes)), **state}
            np.savez(file, allow_pickle=False, **named)

    def kept(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
        """Return the last checkpoint, or None before the first.

        Raises:
            OptionError: The file is no checkpoint.
        """
        try:
            with np.load(self.path / STATE, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            notes = json.loads(str(arrays.pop(NOTES)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            raise OptionError(f"{str(self.path / STATE)!r} is not a checkpoint") from None
        return arrays, notes

    def policy(self, kind: str, number: int, seeds: int) -> Path:
        """Return the file of a seed's policy: ``policy`` or ``best``."""
        return self.path / (f"{kind}.npz" if seeds == 1 else f"{kind}-{number}.npz")


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Give a place to write to, and move what was written there to a path, all at once."""
    place = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield place
        os.replace(place, path)
    finally:
        place.unlink(missing_ok=True)


def read_curve(folder: str | Path) -> list[dict[str, Any]]:
    """Return the lines of a training's curve.

    Raises:
        OptionError: There is no curve in the folder.
    """
    try:
        text = (Path(folder) / CURVE).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]
    except (OSError, ValueError):
        raise OptionError(f"{str(folder)!r} holds no learning curve") from None
