"""``ludus.api.paper_table``: a table of the paper, with the players of Ludus beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.api.playing import Watch, resume, run
from ludus.api.result import Result
from ludus.api.run_result import RunResult
from ludus.api.settings import open_store
from ludus.benchmarks.mario_ai.published import PAPER_TABLES, PaperTable
from ludus.errors import OptionError
from ludus.reports.paper_tables import TableRow, merge_rows, paper_view
from ludus.reports.tables import TableView
from ludus.runs import Store, make_plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PaperTableResult", "paper_table"]


@dataclass(eq=False, repr=False)
class PaperTableResult(Result):
    """A table of the paper beside a race of Ludus.

    Attributes:
        table: What was published.
        race: What was played.
        rows: The rows of both, the highest score first.
    """

    table: PaperTable
    race: RunResult
    rows: list[TableRow]

    @property
    def view(self) -> TableView:
        """The table."""
        return paper_view(self.table, self.rows, self._describe_race())

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as plain values."""
        return [row.to_dict() for row in self.rows]

    def _draw(self, style: str) -> Figure:
        return self.race._draw(style)

    def _describe_race(self) -> str:
        levels, usual = len(self.race.run.plan.scenarios), self.race.benchmark.episodes
        part = "" if levels >= usual else f", the first {levels} of {usual} levels"
        return f"Ludus: {self.table.benchmark}{part}, run {self.race.id}."


def paper_table(
    number: str,
    *,
    agents: Sequence[str] = (),
    episodes: int | None = None,
    options: dict[str, Any] | None = None,
    workers: int | None = None,
    store: str | Store | None = None,
    watch: Watch | None = None,
) -> PaperTableResult:
    """Play what stands beside a table of the paper, and return both in one table.

    What is in the store already is not played again, and a race that was stopped goes on.

    Args:
        number: The table: ``I`` to ``VI``.
        agents: Who plays; the table's own players if empty.
        episodes: How many levels each plays; all of the track if None.
        options: The track's options that are to be others.
        workers: How many processes play; one for each core if None.
        store: Where the race is stored; the user's own store if None.
        watch: Is told of the run and of each episode.

    Raises:
        OptionError: There is no such table, or an option is out of range.
    """
    if number.upper() not in PAPER_TABLES:
        raise OptionError(f"no table {number!r}; there are {', '.join(PAPER_TABLES)}")
    table = PAPER_TABLES[number.upper()]
    specs = list(agents or table.agents)
    plan = make_plan(table.benchmark, specs, episodes=episodes, options=options)
    with open_store(store) as database:
        stored = next(
            (
                known
                for known in database.runs(plan.benchmark)
                if known.plan.identity == plan.identity
            ),
            None,
        )
        if stored is None:
            race = run(
                table.benchmark,
                specs,
                episodes=episodes,
                options=options,
                workers=workers,
                store=database,
                watch=watch,
            )
        else:
            race = resume(stored.id, workers=workers, store=database, watch=watch)
    return PaperTableResult(table, race, merge_rows(table, race.benchmark, race.summaries))
