"""What the functions of the front door return: results that show themselves."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.errors import OptionError
from ludus.escaping import escape_csv_row
from ludus.reports.notebook import Film, render_html
from ludus.reports.sheet import write_figure
from ludus.reports.tables import TableView, render_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Result", "write_rows"]


class Result(ABC):
    """A result that shows itself: a table in a terminal, a richer one in a notebook.

    ``str(result)`` is the table. :meth:`plot` draws it, :meth:`to_dicts` and :meth:`to_csv` hand
    out its figures.
    """

    @property
    @abstractmethod
    def view(self) -> TableView:
        """The table that people are shown."""

    @abstractmethod
    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the figures as plain values, one object a row."""

    @abstractmethod
    def _draw(self, style: str) -> Figure:
        """Return the picture."""

    def _films(self) -> Sequence[Film]:
        """Return what a notebook shows below the table."""
        return ()

    def __str__(self) -> str:
        return render_text(self.view)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return render_html(self.view, self._films())

    def plot(self, path: str | Path | None = None, *, style: str = "light") -> Figure | Path:
        """Draw the result.

        Args:
            path: The file to write, ``.png``, ``.svg`` or ``.pdf``; None for none.
            style: ``light`` or ``dark``.

        Returns:
            The file's path, or matplotlib's figure if no path was given.

        Raises:
            MissingExtra: matplotlib is not installed.
            OptionError: There is no such style, or the file cannot be written.
        """
        figure = self._draw(style)
        return figure if path is None else write_figure(path, figure)

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the figures as CSV, and write them to a file if a path is given.

        Nested values have names with a dot: ``headline.value``.

        Raises:
            OptionError: The file cannot be written.
        """
        text = write_rows(self.to_dicts())
        if path is not None:
            _write_text(Path(path), text)
        return text


def write_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return plain values as CSV, one line a row; nothing in a cell is a formula."""
    flat = [escape_csv_row(flatten(row)) for row in rows]
    columns = list(dict.fromkeys(name for row in flat for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return text.getvalue()


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested values in one level, lists as texts.

    Example:
        >>> flatten({"a": 1, "b": {"c": 2, "d": [3, 4]}})
        {'a': 1, 'b.c': 2, 'b.d': '3 4'}
    """
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{name}.")
        elif isinstance(value, list | tuple):
            flat[f"{prefix}{name}"] = " ".join(map(str, value))
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _write_text(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise OptionError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
