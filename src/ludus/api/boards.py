"""``ludus.board``: the ranking of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.agents.registry import REGISTERED
from ludus.api.result import Result
from ludus.api.settings import open_store
from ludus.benchmarks.families import family_of
from ludus.benchmarks.family import import_attribute
from ludus.boards import Board, formats
from ludus.boards import board as find_board
from ludus.boards.columns import all_cells, count_of_first, headings, legend
from ludus.boards.formats import caption, title
from ludus.games.game import find_game
from ludus.reports.pictures import draw_bars
from ludus.reports.tables import Bar, TableView
from ludus.runs import Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["BoardResult", "board"]


@dataclass(eq=False, repr=False)
class BoardResult(Result):
    """The board of a benchmark.

    Attributes:
        board: The ranked entries.
    """

    board: Board

    @property
    def view(self) -> TableView:
        """The ranking."""
        rows = all_cells(self.board)
        return TableView(
            title=title(self.board),
            headings=headings(self.board),
            rows=rows,
            left=(1,),
            fold=(1,),
            keep=count_of_first(self.board),
            legend=legend(self.board),
            notes=[*([] if rows else [self._invitation()]), *caption(self.board)],
            bars=self._bars(),
            bar_column=self._score_place,
        )

    @property
    def _score_place(self) -> int:
        return headings(self.board).index(self.board.benchmark.headline)

    def _invitation(self) -> str:
        """Return what is said of an empty board, and who could play for it."""
        benchmark = self.board.benchmark
        players = REGISTERED.get(find_game(benchmark.game).agent_family, {})
        family = family_of(benchmark.id)
        shown = family.example.split()[1:2] if family else []
        agent = next(iter([*shown, *reversed(players)]), "AGENT")
        options = dict(self.board.key.options)
        if family and family.headline == benchmark.id and options == family.headline_options:
            return f"Nobody is on it yet. Try: ludus run {family.example} --accept"
        words = "".join(f" --{name} {value}" for name, value in options.items())
        return f"Nobody is on it yet. Try: ludus run {benchmark.id} {agent}{words} --accept"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the entries as plain values, one object each."""
        rows: list[dict[str, Any]] = formats.board_to_dict(self.board)["rows"]
        return rows

    def to_markdown(self) -> str:
        """Return the ranking as Markdown, as the leaderboard of its community if that has one."""
        benchmark = self.board.benchmark
        family = family_of(benchmark.id)
        if family and family.board_markdown and benchmark.categorise:
            return str(import_attribute(family.board_markdown)(self.board))
        return formats.to_markdown(self.board)

    def _bars(self) -> list[Bar]:
        estimates = [row.entry.summary.headline for row in self.board.rows]
        return [Bar(estimate.value, estimate.low, estimate.high) for estimate in estimates]

    def _draw(self, style: str) -> Figure:
        rows = all_cells(self.board)
        return draw_bars(
            title(self.board),
            [row[1] for row in rows],
            self._bars(),
            [row[self._score_place] for row in rows],
            self.board.benchmark.headline,
            caption="line: 95 % interval",
            style=style,
        )


def board(
    benchmark: str,
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    season: str = "",
    store: str | Store | None = None,
) -> BoardResult:
    """Return the ranking of a benchmark.

    Args:
        benchmark: The benchmark's id.
        seed: Which scenarios; those of most entries if None.
        options: Options of the benchmark that were set.
        season: A sealed season, instead of a public seed.
        store: Where the board is; the user's own store if None.

    Raises:
        BenchmarkError: There is no such benchmark.
        BoardError: The benchmark has no such season.
        OptionError: An option is not one of the benchmark's.

    Example:
        >>> import ludus
        >>> ludus.board("platformer/bundled", store="sqlite://").to_dicts()
        []
    """
    texts = {name: str(value) for name, value in (options or {}).items()}
    with open_store(store) as database:
        return BoardResult(find_board(benchmark, database, seed=seed, options=texts, season=season))
