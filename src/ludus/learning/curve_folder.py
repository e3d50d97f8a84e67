"""The folder of a training that writes a learning curve: one line of JSON for every stretch of it.

- ``curve.jsonl``: the lines; ``curve.csv``: their figures as a table
- ``progress/``: see :mod:`ludus.learning.folder`
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from ludus.errors import OptionError, one_line
from ludus.foreign_files import TABLE_BYTES, read_text
from ludus.json_files import parse_json
from ludus.learning.folder import TrainingFolder, replace_file

__all__ = ["CURVE", "CurveFolder", "read_curve"]

CURVE, TABLE = "curve.jsonl", "curve.csv"

Folder = TypeVar("Folder", bound="CurveFolder")


class CurveFolder(TrainingFolder):
    """The files of one training."""

    @classmethod
    def create(
        cls: type[Folder],
        path: str | Path,
        family: str,
        settings: Mapping[str, Any],
        made_with: Mapping[str, str],
    ) -> Folder:
        """Return the folder of a new training.

        Raises:
            OptionError: There is a training in it already, or it cannot be made.
        """
        folder = cls(path)
        if folder.family is not None:
            raise OptionError(
                f"{str(path)!r} holds a training: go on with 'ludus train --resume {path}', "
                "or choose another folder"
            )
        folder.write_settings(family, settings, made_with)
        (folder.path / CURVE).write_text("", encoding="utf-8")
        return folder

    def settings_of(self, family: str) -> dict[str, Any]:
        """Return what is trained, if it is trained for a family.

        Raises:
            OptionError: The folder holds no training for it.
        """
        if self.family != family:
            raise OptionError(f"{str(self.path)!r} holds no training to resume")
        return self.settings()

    def add_row(self, row: Mapping[str, Any]) -> None:
        """Write a line of the curve."""
        with (self.path / CURVE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def write_csv(self) -> None:
        """Write the curve as ``curve.csv`` too: a column for every figure that is one number."""
        rows = [_flatten(row) for row in read_curve(self.path)]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        with replace_file(self.path / TABLE) as path, path.open("w", encoding="utf-8") as file:
            table = csv.DictWriter(file, columns, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)

    def truncate_curve(self, rows: int) -> None:
        """Drop the lines of the curve after the first ones: they will be written again."""
        lines = read_text(self.path / CURVE, TABLE_BYTES).splitlines(keepends=True)
        with replace_file(self.path / CURVE) as file:
            file.write_text("".join(lines[:rows]), encoding="utf-8")


def _flatten(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the single figures of a row, those of its parts as ``part.figure``."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{name}.")
        elif not isinstance(value, list):
            flat[prefix + name] = value
    return flat


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
