"""``ludus nematode behaviour``: how trained worms move, beside chance and real worms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.api.result import Result, write_rows
from ludus.api.settings import open_store
from ludus.benchmarks.nematode.behaviour import Behaviour
from ludus.reports.tables import TableView
from ludus.reports.worm_behaviour import (
    Behaviours,
    behaviour_rows,
    behaviour_view,
    curve_rows,
    measure_run,
    measure_sessions,
)
from ludus.runs import Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BehaviourResult", "behaviour"]


@dataclass(eq=False, repr=False)
class BehaviourResult(Result):
    """How brains move on a task.

    Attributes:
        behaviours: The figures and curves by the brains' names.
    """

    behaviours: Behaviours

    @property
    def view(self) -> TableView:
        """The figures."""
        return behaviour_view(self.behaviours)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the figures as plain values, one object a figure."""
        return behaviour_rows(self.behaviours)

    def curves_to_dicts(self) -> list[dict[str, Any]]:
        """Return the points of the curves as plain values, those of chance too."""
        return curve_rows(self.behaviours)

    def curves_to_csv(self) -> str:
        """Return the points of the curves as CSV."""
        return write_rows(self.curves_to_dicts())

    def _draw(self, style: str) -> Figure:
        from ludus.reports.worm_curves import draw_klinokinesis

        return draw_klinokinesis(self.behaviours, style=style)


def behaviour(
    *sources: str | Path,
    agent: str = "",
    store: str | Store | None = None,
    on_source: Callable[[], None] = lambda: None,
) -> BehaviourResult:
    """Measure how trained worms move: chemotaxis, klinokinesis, weathervane and thermotaxis.

    Args:
        *sources: Folders of trainings, or ids of runs.
        agent: One agent of the runs; all if empty.
        store: Where runs are; the user's own store if None.
        on_source: Called after each source.

    Raises:
        OptionError: A source is not of worms, or holds no actions.
        RunError: There is no such run.
    """
    measured: dict[str, Behaviour] = {}
    folders = [source for source in sources if Path(source).is_dir()]
    if folders:
        measured |= _measure_folders(folders, on_source)
    ids = [str(source) for source in sources if source not in folders]
    if ids:
        with open_store(store) as database:
            for one in ids:
                measured |= measure_run(database.run(one), database, agent)
                on_source()
    return BehaviourResult(measured)


def _measure_folders(
    folders: Sequence[str | Path], on_source: Callable[[], None]
) -> dict[str, Behaviour]:
    from ludus.reports.worm_plots import read_brains

    measured = {}
    for name, sessions in read_brains(folders).items():
        measured[name] = measure_sessions(sessions)
        on_source()
    return measured
