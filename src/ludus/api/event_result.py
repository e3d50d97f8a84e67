"""What came of an event."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result
from ludus.api.run_result import RunResult
from ludus.events import Event
from ludus.reports.event_tables import (
    level_rows,
    levels_view,
    result_rows,
    results_view,
    view_to_latex,
)
from ludus.reports.tables import TableView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["EventResult", "LevelSheet"]


@dataclass(eq=False, repr=False)
class EventResult(Result):
    """The results of an event, in the form of competition papers.

    Attributes:
        event: The event.
        played: The run that counts.
    """

    event: Event
    played: RunResult

    @cached_property
    def view(self) -> TableView:
        """The results, the best first."""
        return results_view(self.event, self.played.run, self.played.episodes)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the results as plain values, one object a competitor."""
        return result_rows(self.event, self.played.run, self.played.episodes)

    def to_dict(self) -> dict[str, Any]:
        """Return event, run and results as plain values."""
        return {
            "event": self.event.name,
            "digest": self.event.terms.digest,
            "run": self.played.id,
            "complete": self.played.run.complete,
            "results": self.to_dicts(),
        }

    def by_level(self) -> LevelSheet:
        """Return the same results level by level."""
        return LevelSheet(self.event, self.played)

    def to_latex(self) -> str:
        """Return the table for LaTeX."""
        return view_to_latex(self.view)

    def _draw(self, style: str) -> Figure:
        return self.played._draw(style)


@dataclass(eq=False, repr=False)
class LevelSheet(EventResult):
    """The results of an event level by level: every episode of everybody."""

    @cached_property
    def view(self) -> TableView:
        """The scores, a row a level and a column a competitor."""
        return levels_view(self.played.run, self.played.episodes)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return every episode as plain values: its level, who played it, how it went."""
        return level_rows(self.played.run, self.played.episodes)
