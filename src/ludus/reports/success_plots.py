"""Runs whose episodes succeed or fail: how often, how far, how fast, in the order of the table.

- ``success``: the share of episodes that were completed, with its interval
- ``reach``: how far every episode came; those that were completed are filled. That is the
  furthest x where all play one level, the levels completed in a game of several, else the score
- ``finish``: the steps of every completed episode, if any was completed

Scores of such benchmarks lie in two heaps, so a mean says little about either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.reports.sheet import FORMATS, Sheet, write_figures
from ludus.runs import Run, ScoredEpisode, Store, summarise
from ludus.stats import rate_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "Outcomes",
    "draw_finish",
    "draw_reach",
    "draw_success",
    "read_outcomes",
    "write_success_plots",
]

MOST = 12  # agents that fit a picture
COMPLETED, REACHED, STEPS = "completed", "max_x_pos", "steps"
LEVELS = "levels_completed"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How an agent's episodes ended.

    Attributes:
        agent: Its name.
        completed: Whether each episode was completed.
        reached: How far each came.
        steps: The decisions of each.
    """

    agent: str
    completed: tuple[bool, ...]
    reached: tuple[float, ...]
    steps: tuple[int, ...]

    @property
    def finishes(self) -> list[int]:
        """The decisions of each episode that was completed."""
        return [count for count, done in zip(self.steps, self.completed, strict=True) if done]


def read_outcomes(run: Run, store: Store) -> list[Outcomes]:
    """Return the outcomes of a run's agents, best first; none if its episodes do not tell."""
    benchmark = find_benchmark(f"{run.benchmark}@{run.version}")
    scored = list(store.episodes(run.id))
    told = [one for one in scored if {COMPLETED, REACHED, STEPS} <= one.episode.facts.keys()]
    if not told:
        return []
    names = [summary.agent for summary in summarise(benchmark, run.plan, scored)]
    by_agent: dict[str, list[ScoredEpisode]] = {name: [] for name in names}
    for one in told:
        by_agent[run.plan.agents[one.episode.agent].name].append(one)
    measure, _ = _choose_measure(run, benchmark)
    return [_outcomes(name, episodes, measure) for name, episodes in by_agent.items() if episodes]


def _outcomes(
    agent: str, scored: Sequence[ScoredEpisode], measure: Callable[[ScoredEpisode], float]
) -> Outcomes:
    return Outcomes(
        agent,
        tuple(bool(one.episode.facts[COMPLETED]) for one in scored),
        tuple(map(measure, scored)),
        tuple(_read(STEPS, one) for one in scored),
    )


def _choose_measure(run: Run, benchmark: Benchmark) -> tuple[Callable[[ScoredEpisode], float], str]:
    """Return what tells how far an episode of a run came, and its words."""
    played = {tuple(scenario.get("stages", ())) for scenario in run.plan.scenarios}
    if len(played) > 1:  # x of levels of different lengths says nothing
        return lambda one: float(one.score.total), f"{benchmark.headline} of an episode"
    if len(next(iter(played), ())) > 1:
        return partial(_read, LEVELS), "levels completed in an episode"
    return partial(_read, REACHED), "furthest x of an episode, in pixels"


def _read(fact: str, one: ScoredEpisode) -> int:
    return int(one.episode.facts.get(fact) or 0)


def draw_success(outcomes: Sequence[Outcomes], title: str, *, style: str = "light") -> Figure:
    """Return the picture of the share of completed episodes, with 95 % intervals."""
    sheet = Sheet(style, _height(outcomes))
    for row, one in enumerate(outcomes[:MOST]):
        share = rate_interval(sum(one.completed), len(one.completed))
        colour, _ = sheet.line(row)
        sheet.panel.plot([share.low, share.high], [row, row], color=colour, lw=4, alpha=0.6)
        sheet.panel.plot(share.value, row, "D", color=colour, markersize=9)
        speed = f", {median(one.finishes):,.0f} steps" if one.finishes else ""
        sheet.label_row(row, one.agent, f"{sum(one.completed)} of {len(one.completed)}{speed}")
    sheet.panel.set_xlim(-0.03, 1.03)
    sheet.panel.xaxis.set_major_formatter("{x:.0%}")
    return _finish(
        sheet, outcomes, f"Success · {title}", "episodes completed",
        "bar: 95 % interval; steps: median of those completed",
    )  # fmt: skip


def draw_reach(
    outcomes: Sequence[Outcomes], title: str, axis: str, *, style: str = "light"
) -> Figure:
    """Return the picture of how far every episode came."""
    return _draw_dots(
        outcomes, style, lambda one: one.reached, lambda one: one.completed,
        f"How far · {title}", axis,
        "filled: completed; hollow: not",
    )  # fmt: skip


def draw_finish(outcomes: Sequence[Outcomes], title: str, *, style: str = "light") -> Figure:
    """Return the picture of how many steps every completed episode took."""
    return _draw_dots(
        outcomes, style, lambda one: one.finishes, lambda one: [True] * len(one.finishes),
        f"How fast · {title}", "steps to the end of a completed episode",
        "dots: completed episodes",
    )  # fmt: skip


def _draw_dots(
    outcomes: Sequence[Outcomes],
    style: str,
    places: Callable[[Outcomes], Sequence[float]],
    filled: Callable[[Outcomes], Sequence[bool]],
    *words: str,
) -> Figure:
    """Return a picture with a dot for each episode; ``words`` are title, axis and caption."""
    sheet = Sheet(style, _height(outcomes))
    generator = np.random.default_rng(0)
    for row, one in enumerate(outcomes[:MOST]):
        colour, _ = sheet.line(row)
        for place, fill in zip(places(one), filled(one), strict=True):
            y = row + generator.uniform(-0.24, 0.24)
            inside = colour if fill else "none"
            sheet.panel.plot(place, y, "o", mfc=inside, mec=colour, alpha=0.75, markersize=7)
        middle = f"median {_in_short(median(places(one)))}" if places(one) else "never"
        sheet.label_row(row, one.agent, middle)
    sheet.panel.xaxis.set_major_formatter("{x:,.0f}")
    return _finish(sheet, outcomes, *words)


def _in_short(number: float) -> str:
    """Return a number with its half, if it has one.

    Example:
        >>> _in_short(2256), _in_short(18.5)
        ('2,256', '18.5')
    """
    return f"{number:,.1f}".removesuffix(".0")


def _height(outcomes: Sequence[Outcomes]) -> float:
    return 2.4 + 0.52 * max(min(len(outcomes), MOST), 2)


def _finish(
    sheet: Sheet, outcomes: Sequence[Outcomes], title: str, axis: str, caption: str
) -> Figure:
    shown = min(len(outcomes), MOST)
    sheet.panel.set_ylim(shown - 0.45, -0.55)
    sheet.panel.grid(visible=False, axis="y")
    sheet.panel.set_xlabel(axis, color=sheet.look.ink, fontsize=14)
    more = [f"the best {shown} of {len(outcomes)} agents"] if shown < len(outcomes) else []
    return sheet.finish(title, "in the order of the table", caption, *more)


def write_success_plots(
    folder: str | PathLike[str],
    ids: Sequence[str],
    store: Store,
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Write the pictures of each run whose episodes succeed or fail; return their places.

    Raises:
        OptionError: There is no such style, or a file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    figures = {}
    for number, run in enumerate(map(store.run, dict.fromkeys(ids))):
        outcomes, title = read_outcomes(run, store), f"{run.benchmark}@{run.version}"
        _, axis = _choose_measure(run, find_benchmark(title))
        behind = f"-{run.id}" if number else ""
        if outcomes:
            figures[f"success{behind}"] = draw_success(outcomes, title, style=style)
            figures[f"reach{behind}"] = draw_reach(outcomes, title, axis, style=style)
        if any(one.finishes for one in outcomes):
            figures[f"finish{behind}"] = draw_finish(outcomes, title, style=style)
    return write_figures(folder, figures, formats)
