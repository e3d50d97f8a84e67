"""Learning curves of runs: what training plays scored, level by level, before the play that counts.

A referee measured them while it played. ``verify --again`` proves them, a replay does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.games.game import Facts
from ludus.reports.sheet import (
    DPI,
    FORMATS,
    WIDTH,
    dress,
    escape_label,
    figure_class,
    find_look,
    finish,
    write_figures,
)
from ludus.runs.explain import scenario_name
from ludus.runs.store import Run, ScoredEpisode, Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "TrainingCurve",
    "curves_of_run",
    "describe_training",
    "draw_training_curves",
    "read_training_curves",
    "write_training_curves",
]

COLUMNS = 2
MOST_AGENTS = 6  # that can be told apart in a panel
MOST_LEVELS = 12
MOST_PARTS = 100
BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class TrainingCurve:
    """What an agent's training plays on one level scored.

    Attributes:
        plays: How many there were.
        best: The best score of each part of the training.
        mean: The mean score of each part.
        score: What the play that counts scored.
    """

    plays: int
    best: tuple[float, ...]
    mean: tuple[float, ...]
    score: float

    @classmethod
    def from_facts(cls, facts: Facts, score: float) -> TrainingCurve | None:
        """Return the curve that facts tell of, or None if they tell of none."""
        plays = facts.get("training_plays")
        best, mean = _read(facts.get("curve_best")), _read(facts.get("curve_mean"))
        if not isinstance(plays, int) or plays < 1 or not best or len(best) != len(mean):
            return None
        return cls(plays, best, mean, score)

    @property
    def ends(self) -> list[float]:
        """The number of the last play of each part, or nearly so."""
        return [self.plays * (part + 1) / len(self.best) for part in range(len(self.best))]


Curves = Mapping[str, Mapping[str, TrainingCurve]]
"""Curves by level and agent."""


def read_training_curves(ids: Sequence[str], store: Store) -> dict[str, dict[str, TrainingCurve]]:
    """Return the curves of runs by level and agent; nothing if nobody learned in them.

    Args:
        ids: The runs' ids, or their beginnings.
        store: Where the runs are.

    Raises:
        RunError: There is no such run.
    """
    curves: dict[str, dict[str, TrainingCurve]] = {}
    for run in {run.id: run for run in map(store.run, ids)}.values():
        for level, by_agent in curves_of_run(run, store.episodes(run.id)).items():
            known = curves.setdefault(level, {})
            for name, curve in by_agent.items():
                known[f"{name} ({run.id})" if name in known else name] = curve
    return curves


def curves_of_run(run: Run, scored: Sequence[ScoredEpisode]) -> dict[str, dict[str, TrainingCurve]]:
    """Return the curves of one run by level and agent, from its episodes."""
    curves: dict[str, dict[str, TrainingCurve]] = {}
    for one in scored:
        curve = TrainingCurve.from_facts(one.episode.facts, float(one.score.total))
        if curve is not None:
            level = scenario_name(run.plan, one.episode.scenario)
            curves.setdefault(level, {})[run.plan.agents[one.episode.agent].name] = curve
    return curves


def write_training_curves(
    folder: str | PathLike[str],
    ids: Sequence[str],
    store: Store,
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Draw the learning curves of runs into ``learning.png``; nothing if nobody learned in them.

    Raises:
        RunError: There is no such run.
        OptionError: There is no such style, or the file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    curves = read_training_curves(ids, store)
    figures = {"learning": draw_training_curves(curves, style=style)} if curves else {}
    return write_figures(folder, figures, formats)


def draw_training_curves(curves: Curves, *, style: str = "light") -> Figure:
    """Return the picture: a panel for each level, in it a line for each agent.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    look = find_look(style)
    levels = list(curves.items())[:MOST_LEVELS]
    rows = math.ceil(len(levels) / COLUMNS)
    figure: Figure = figure_class()(
        figsize=(WIDTH, 1.6 + 2.5 * rows), dpi=DPI, facecolor=look.paper, layout="constrained"
    )
    panels = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    names = sorted({name for level in curves.values() for name in level})[:MOST_AGENTS]
    for panel, (level, by_agent) in zip(panels, levels, strict=False):
        dress(panel, look, 10, 0.7)
        panel.set_title(escape_label(level), color=look.ink, fontsize=12, loc="left")
        for colour, name in zip(look.lines, names, strict=False):
            if name in by_agent:
                _draw(panel, by_agent[name], colour, name)
        panel.set_xlim(left=0)
        panel.locator_params(nbins=5)
    for panel in panels[len(levels) :]:
        panel.set_visible(False)
    handles = {line.get_label(): line for panel in panels for line in panel.get_lines()[::2]}
    figure.legend(
        handles=[handles[escape_label(name)] for name in names if escape_label(name) in handles],
        loc="outside upper right", frameon=False, labelcolor=look.ink, fontsize=11, ncols=3,
    )  # fmt: skip
    note = "score over training plays: line: mean of each part; band: up to its best; "
    return finish(figure, look, "Learning curves", note + "dot: the play that counts")


def describe_training(facts: Facts) -> Iterator[str]:
    r"""Yield lines on what an agent learned from; none if the facts tell of no training.

    Example:
        >>> facts = {"training_plays": 4, "first_score": 10, "best_score": 40,
        ...          "curve_best": "10 20 40 40", "curve_mean": "10.0 20.0 40.0 30.0"}
        >>> print(*describe_training(facts), sep="\n")
        Learned from 4 training plays: the first scored 10, the best 40.
        Mean of each part: ▁▃█▆
    """
    if "training_plays" not in facts:
        return
    if not facts["training_plays"]:
        yield "Did not learn: there was no training play."
        return
    curve = TrainingCurve.from_facts(facts, 0.0)
    first, best = facts.get("first_score"), facts.get("best_score")
    if curve is not None and isinstance(first, int) and isinstance(best, int):
        yield (
            f"Learned from {curve.plays:,} training plays: the first scored {first:,}, "
            f"the best {best:,}."
        )
        yield f"Mean of each part: {_bars(curve.mean)}"


def _bars(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    steps = len(BARS) - 1
    return "".join(BARS[round(steps * (value - low) / ((high - low) or 1))] for value in values)


def _draw(panel: Any, curve: TrainingCurve, colour: str, name: str) -> None:
    panel.plot(curve.ends, curve.mean, color=colour, linewidth=1.8, label=escape_label(name))
    panel.fill_between(curve.ends, curve.mean, curve.best, color=colour, alpha=0.18, linewidth=0)
    panel.plot([curve.plays], [curve.score], "o", color=colour, markersize=7, clip_on=False)


def _read(value: Any) -> tuple[float, ...]:
    """Return the numbers of a fact, which may be anything; nothing if it holds no numbers."""
    words = value.split(" ", MOST_PARTS) if isinstance(value, str) else []
    try:
        numbers = tuple(map(float, words))
    except ValueError:
        return ()
    return numbers if all(map(math.isfinite, numbers)) else ()
