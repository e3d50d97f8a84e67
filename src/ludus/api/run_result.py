"""What came of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ludus.api.replays import Replay, replay_of
from ludus.api.result import Result
from ludus.benchmarks import Benchmark
from ludus.boards import Decision
from ludus.boards.groups import run_letters
from ludus.errors import OptionError, RunError
from ludus.reports.notebook import Film
from ludus.reports.sheet import write_figure
from ludus.reports.standings import run_values, standings_values, view_of_run
from ludus.reports.tables import TableView
from ludus.runs import Run, ScoredEpisode, Summary, summarise
from ludus.runs.exchange import episode_rows
from ludus.runs.stopping import ClearWinner

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

__all__ = ["Kind", "RunResult"]

STOPPED = (
    "Stopped early, so that these means lie a little too far apart: their intervals and groups are "
    "made for a number of episodes that was fixed before."
)

Kind = Literal["scores", "profile", "progress", "wins", "learning"]
LEARNING = "learning"


@dataclass(eq=False, repr=False)
class RunResult(Result):
    """A run, its episodes and its standings.

    Attributes:
        run: The run as it is stored.
        benchmark: What was played.
        episodes: All that was played, with the scores, in the order of the plan.
        seconds: How long it took to play what was missing.
        played_now: How many episodes that were.
        stop: What watched for a clear winner, if anything did.
        decisions: What became of the agents on the board, if they were put there.
    """

    run: Run
    benchmark: Benchmark
    episodes: tuple[ScoredEpisode, ...]
    seconds: float = 0.0
    played_now: int = 0
    stop: ClearWinner | None = None
    decisions: list[Decision] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The run's id in the store."""
        return self.run.id

    @property
    def leader(self) -> str:
        """The name of the agent that is ahead.

        Raises:
            RunError: Nothing is played yet.
        """
        if not self.summaries:
            raise RunError(f"run {self.id} has no episodes yet: ludus resume {self.id}")
        return self.summaries[0].agent

    @property
    def failed(self) -> bool:
        """Whether no episode came to its end."""
        return bool(self.episodes) and all(one.episode.ending.faulty for one in self.episodes)

    @cached_property
    def summaries(self) -> list[Summary]:
        """The agents' figures, the best first."""
        return summarise(self.benchmark, self.run.plan, self._counted)

    @property
    def _stopped(self) -> bool:
        return self.stop is not None and self.stop.winner is not None

    @property
    def _counted(self) -> Sequence[ScoredEpisode]:
        """The episodes that stand behind the standings."""
        return self.stop.select(self.episodes) if self.stop and self._stopped else self.episodes

    @cached_property
    def view(self) -> TableView:
        """The standings."""
        view = view_of_run(self.run, self.benchmark, self.summaries, self.episodes)
        return replace(view, notes=[*view.notes, STOPPED]) if self._stopped else view

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the standings as plain values, one object an agent."""
        letters = run_letters(self.benchmark, self.summaries, self.run.plan)
        return standings_values(self.benchmark, self.summaries, letters)

    def to_dict(self) -> dict[str, Any]:
        """Return the run with its standings as plain values."""
        return run_values(self.run, self.benchmark, self._counted)

    def episode_dicts(self) -> list[dict[str, Any]]:
        """Return the episodes as plain values: who, what, the score, its parts, all facts."""
        return episode_rows(self.run, self.episodes)

    def plot(
        self, path: str | Path | None = None, *, style: str = "light", kind: Kind = "scores"
    ) -> Figure | Path:
        """Draw the run.

        Args:
            path: The file to write, ``.png``, ``.svg`` or ``.pdf``; None for none.
            style: ``light`` or ``dark``.
            kind: ``scores``, ``profile``, ``progress``, ``wins``: who beats whom, or
                ``learning``: what training plays scored.

        Returns:
            The file's path, or matplotlib's figure if no path was given.

        Raises:
            MissingExtra: matplotlib is not installed.
            OptionError: There is no such kind or style, or the file cannot be written.
        """
        figure = self._draw(style, kind)
        return figure if path is None else write_figure(path, figure)

    def _draw(self, style: str, kind: str = "scores") -> Figure:
        from ludus.reports.run_plots import PICTURES, results_of_run

        if kind == LEARNING:
            return self._draw_learning(style)
        if kind not in PICTURES:
            raise OptionError(f"no picture {kind!r}; there are {', '.join([*PICTURES, LEARNING])}")
        results = results_of_run(self.run, self.benchmark, self.episodes)
        return PICTURES[kind](results, style=style)

    def _draw_learning(self, style: str) -> Figure:
        from ludus.reports.training_curves import curves_of_run, draw_training_curves

        curves = curves_of_run(self.run, self.episodes)
        if not curves:
            raise OptionError(f"no agent of run {self.id} has learned: there is no curve to draw")
        return draw_training_curves(curves, style=style)

    def replay(self, episode: int | None = None) -> Replay:
        """Replay an episode of the run.

        Args:
            episode: Its number; the leader's best episode if None.

        Raises:
            RunError: There is no such episode.
        """
        return replay_of(self.run, self._best() if episode is None else self._find(episode))

    def _best(self) -> ScoredEpisode:
        """Return the leader's best episode; of equally good ones the last."""
        names = [agent.name for agent in self.run.plan.agents]
        leader = names.index(self.leader)
        led = [scored for scored in reversed(self.episodes) if scored.episode.agent == leader]
        return max(led, key=lambda scored: scored.score.total)

    def _find(self, number: int) -> ScoredEpisode:
        for scored in self.episodes:
            if scored.episode.number == number:
                return scored
        raise RunError(f"run {self.id} has no episode {number}: it has 0 to {self.run.planned - 1}")

    def _films(self) -> Sequence[Film]:
        return self.replay().films if self.episodes else ()
