"""A difference between what a run says and what is so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Difference"]

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a run and its replay.

    Attributes:
        episode: The episode's number, or None if it concerns the run.
        field: What differs.
        stored: What the run says.
        found: What playing it again gives.
    """

    episode: int | None
    field: str
    stored: Any
    found: Any

    def __str__(self) -> str:
        where = "run" if self.episode is None else f"episode {self.episode}"
        return f"{where}: {self._what}"

    def describe(self, run: str) -> str:
        """Return the difference as a line that names the run as well."""
        episode = "" if self.episode is None else f", episode {self.episode}"
        return f"run {run}{episode}: {self._what}"

    @property
    def _what(self) -> str:
        return f"{self.field} is stored as {_shorten(self.stored)}, found {_shorten(self.found)}"


def _shorten(value: Any) -> str:
    """Return a value as messages show it: one line that fits a screen."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
