"""``rank_brains``: who learns the headline task best, of all brains that come with Ludus?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isnan, nan
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ludus.api.families.side_by_side import SideBySide
from ludus.api.result import Result
from ludus.benchmarks.nematode.intervals import jackknife_interval
from ludus.benchmarks.nematode.score_files import assess_own_length
from ludus.benchmarks.nematode.scoring import MIN_TRAININGS, Composite, score_trainings
from ludus.boards.estimates import format_estimate
from ludus.games.worm.training import EPISODES
from ludus.learning.extra import require_jax
from ludus.reports.estimate_plot import draw_estimates
from ludus.reports.tables import TableView
from ludus.stats import Estimate, estimate_letters

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ludus.games.worm.training import Session

__all__ = ["RankedBrain", "RankingResult", "rank_brains"]

LEVEL = 0.95


@dataclass(frozen=True)
class RankedBrain:
    """A brain's place.

    Attributes:
        brain: Its name.
        score: Its composite score, learning speed over the trainings' own length.
        interval: The same with its 95 % interval.
        parameters: How many numbers learn.
        cpu_seconds: Processor seconds of a training.
    """

    brain: str
    score: Composite
    interval: Estimate
    parameters: int
    cpu_seconds: float

    @classmethod
    def of_sessions(cls, brain: str, sessions: Sequence[Session]) -> RankedBrain:
        """Return what trainings come to."""
        trainings = [assess_own_length(session) for session in sessions]
        score = score_trainings(trainings)
        sums = [fsum(training.parts.values()) for training in trainings]
        ends = jackknife_interval(sums, [training.final_success for training in trainings])
        low, high = ends or (nan, nan)
        return cls(
            brain,
            score,
            Estimate(score.total, max(low, 0.0), min(high, 1.0), LEVEL, "jackknife", len(sums)),
            sessions[0].declaration.parameters,
            fmean(session.cpu_seconds for session in sessions),
        )


@dataclass(eq=False, repr=False)
class RankingResult(Result):
    """Brains in the order of their scores.

    Attributes:
        title: What was trained.
        brains: The brains, the best first.
        is_short: Whether a board would ask for more or longer trainings.
    """

    title: str
    brains: list[RankedBrain]
    is_short: bool

    @property
    def letters(self) -> dict[str, str]:
        """Letters by brain: those that share one cannot be told apart."""
        return estimate_letters({one.brain: one.interval for one in self.brains})

    @property
    def view(self) -> TableView:
        """The table."""
        letters = self.letters
        return TableView(
            title=self.title,
            headings=[
                *("#", "brain", "score", "group", "success", "effic.", "speed"),
                *("stability", "parameters", "CPU s"),
            ],
            rows=[
                [
                    str(place),
                    one.brain,
                    format_estimate(one.interval, 3),
                    letters[one.brain],
                    *(f"{value:.3f}" for value in one.score.values.values()),
                    f"{one.parameters:,}",
                    f"{one.cpu_seconds:.1f}",
                ]
                for place, one in enumerate(self.brains, start=1)
            ],
            left=(1, 3),
            keep=7,
            caption=f"{self._interval_words} Brains that share a letter cannot be told apart.",
            notes=[SHORT] if self.is_short else [],
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the brains as plain values."""
        letters = self.letters
        return [
            {
                "place": place,
                "brain": one.brain,
                "score": one.score.total,
                "low": one.interval.low,
                "high": one.interval.high,
                "group": letters[one.brain],
                **one.score.values,
                "trainings": one.score.trainings,
                "parameters": one.parameters,
                "cpu_seconds": one.cpu_seconds,
            }
            for place, one in enumerate(self.brains, start=1)
        ]

    def _draw(self, style: str) -> Figure:
        return draw_estimates(
            {one.brain: one.interval for one in self.brains},
            title=self.title,
            axis="composite score",
            notes=["diamond: score of all trainings", self._bar_words],
            style=style,
        )

    @property
    def _has_intervals(self) -> bool:
        return not all(isnan(one.interval.low) for one in self.brains)

    @property
    def _interval_words(self) -> str:
        if self._has_intervals:
            return "[ ] is the 95 % interval (jackknife)."
        return "So few trainings give no interval."

    @property
    def _bar_words(self) -> str:
        return "bar: its 95 % interval" if self._has_intervals else "too few for an interval"


SHORT = (
    f"A short look, no board: boards ask for {MIN_TRAININGS} trainings of {EPISODES} episodes, and "
    "learning speed is over the trainings' own length here."
)


def rank_brains(brains: Sequence[str] = (), plan: SideBySide | None = None) -> RankingResult:
    """Train brains in the same worlds and rank them by their composite scores.

    Args:
        brains: Who; all of the catalogue if empty.
        plan: On which task and how long; five trainings of the headline task if None.

    Raises:
        OptionError: An option is wrong, or the folder holds other trainings.
        AgentError: There is no such brain.
        MissingExtra: JAX is not installed.
    """
    require_jax()
    from ludus.learning.worm.catalogue import CATALOGUE

    plan = plan or SideBySide(out="runs/ranking")
    sessions = plan.train(brains or list(CATALOGUE))
    ranked = [RankedBrain.of_sessions(brain, mine) for brain, mine in sessions.items()]
    ranked.sort(key=lambda one: -one.score.total)
    return RankingResult(
        title=plan.title,
        brains=ranked,
        is_short=plan.trainings < MIN_TRAININGS or plan.episodes < EPISODES,
    )
