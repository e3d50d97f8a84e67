"""The folder of a policy's training.

- ``curve.jsonl``: one line for every stretch of learning and every evaluation of a seed
- ``policy.npz`` and ``best.npz``: the policy as it is, and the one that did best in an evaluation;
  of several seeds ``policy-0.npz`` and so on
- ``progress/``: see :mod:`ludus.learning.folder`
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludus.errors import OptionError, one_line
from ludus.foreign_files import TABLE_BYTES, read_text
from ludus.json_files import parse_json
from ludus.learning.folder import TrainingFolder, replace_file
from ludus.learning.platformer.settings import FAMILY, Course

__all__ = ["PolicyFolder", "read_curve"]

CURVE = "curve.jsonl"


class PolicyFolder(TrainingFolder):
    """The files of one training."""

    @classmethod
    def create(cls, path: str | Path, course: Course, made_with: Mapping[str, str]) -> PolicyFolder:
        """Return the folder of a new training.

        Raises:
            OptionError: There is a training in it already, or it cannot be made.
        """
        folder = cls(path)
        if folder.family is not None:
            raise OptionError(
                f"{str(path)!r} holds a training: go on with 'ludus train --resume {path}', "
                "or choose another --out"
            )
        folder.write_settings(FAMILY, course.to_dict(), made_with)
        (folder.path / CURVE).write_text("", encoding="utf-8")
        return folder

    def course(self) -> Course:
        """Return what is trained.

        Raises:
            OptionError: The folder holds no training.
        """
        if self.family != FAMILY:
            raise OptionError(f"{str(self.path)!r} holds no training to resume")
        return Course.from_dict(self.settings())

    def add_row(self, row: Mapping[str, Any]) -> None:
        """Write a line of the curve."""
        with (self.path / CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def truncate_curve(self, rows: int) -> None:
        """Drop the lines of the curve after the first ones: they will be written again."""
        lines = read_text(self.path / CURVE, TABLE_BYTES).splitlines(keepends=True)
        with replace_file(self.path / CURVE) as file:
            file.write_text("".join(lines[:rows]), encoding="utf-8")

    def policy_file(self, kind: str, number: int, seeds: int) -> Path:
        """Return the file of a seed's policy: ``policy`` or ``best``."""
        return self.path / (f"{kind}.npz" if seeds == 1 else f"{kind}-{number}.npz")


def read_curve(folder: str | Path) -> list[dict[str, Any]]:
    """Return the lines of a training's curve.

    Raises:
        OptionError: There is no curve in the folder.
    """
    try:
        rows = [
            parse_json(line)
            for line in read_text(Path(folder) / CURVE, TABLE_BYTES).split("\n")
            if line
        ]
    except (OSError, ValueError) as error:
        raise OptionError(f"{str(folder)!r} holds no learning curve: {one_line(error)}") from None
    if not all(isinstance(row, dict) for row in rows):
        raise OptionError(f"{str(folder)!r} holds no learning curve: a line is no object")
    return rows
