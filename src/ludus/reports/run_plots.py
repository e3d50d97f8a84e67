"""Runs in four pictures: who scores what, how often, since when, and who beats whom.

- ``scores``: every episode as a dot, each agent's mean with its interval
- ``profile``: the share of episodes that score above each value
- ``progress``: the running mean over the scenarios, in the order they were played
- ``wins``: the share of scenarios in which one agent beats another
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks import Benchmark, find_benchmark
from ludus.boards.estimates import format_estimate
from ludus.errors import RunError
from ludus.reports.sheet import FORMATS, Look, Sheet, escape_label, readable, write_figures
from ludus.runs.explain import scenario_name
from ludus.runs.ranking import Merit, find_bounds, merits_by_name
from ludus.runs.store import Run, ScoredEpisode, Store
from ludus.runs.totals import read_faults, read_totals
from ludus.stats import (
    Estimate,
    holm,
    mean_interval,
    paired_differences,
    performance_profile,
    sign_flip_test,
)
from ludus.stats.bounded import Bounds
from ludus.stats.pairing import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "PICTURES",
    "Results",
    "draw_profile",
    "draw_progress",
    "draw_scores",
    "draw_wins",
    "read_results",
    "results_of_run",
    "write_plots",
]

MOST = 12  # agents that can be told apart in a picture
LEVEL = 0.95
FEW = 5  # episodes below which no interval is drawn
LARGE = 10_000  # from this on, means have no decimals
DOTS = 400  # of one agent; of more episodes so many are shown
POINTS = 120  # of a curve
DRAWS = 20_000_000  # resampled numbers for all intervals of a profile

Key = tuple[str, Hashable]
"""A scenario: the name of its level and what tells it from others of that name."""


@dataclass(frozen=True, slots=True)
class Results:
    """What agents scored.

    Attributes:
        benchmark: What they played.
        scores: By agent, in the order of the table, the totals by scenario, in that of the plan.
        runs: The ids of the runs they come from.
        bounds: The least and the greatest total that an episode can have, if they are known.
    """

    benchmark: Benchmark
    scores: Mapping[str, Mapping[Key, float]]
    runs: tuple[str, ...]
    bounds: Bounds | None = None

    @property
    def best_totals(self) -> dict[str, NDArray[np.float64]]:
        """The totals of the best agents, as many as fit a picture."""
        best = list(self.scores.items())[:MOST]
        return {agent: np.array(list(totals.values()), np.float64) for agent, totals in best}


def read_results(ids: Sequence[str], store: Store) -> Results:
    """Return what the agents of runs scored; names that come again are followed by the run.

    Args:
        ids: The runs' ids, or their beginnings.
        store: Where the runs are.

    Raises:
        RunError: There is no such run, a run has no episode, or they are of several benchmarks.
        BenchmarkError: This Ludus has another version of the benchmark, or none.
    """
    runs = list({run.id: run for run in map(store.run, ids)}.values())
    if not runs:
        raise RunError("no run was named: try 'ludus runs' for those there are")
    _of_one_benchmark(runs)
    benchmark = find_benchmark(f"{runs[0].benchmark}@{runs[0].version}")
    scores: dict[str, dict[Key, float]] = {}
    faults: dict[str, int] = {}
    merits: dict[str, Merit] = {}
    for run in runs:
        merits_of_run = merits_by_name(benchmark, run.plan, store.episodes(run.id))
        for name, totals, count in _scores(run, store):
            label = name if name not in scores else f"{name} ({run.id})"
            scores[label], faults[label], merits[label] = totals, count, merits_of_run[name]
    return _order_results(benchmark, scores, faults, merits, runs)


def results_of_run(run: Run, benchmark: Benchmark, scored: Sequence[ScoredEpisode]) -> Results:
    """Return what the agents of one run scored, from its episodes.

    Raises:
        RunError: There are none.
    """
    if not scored:
        raise RunError(f"run {run.id} has no episodes yet: ludus resume {run.id}")
    keys = _keys(run)
    scores: dict[str, dict[Key, float]] = {}
    faults: Counter[str] = Counter()
    for scored_episode in scored:
        episode = scored_episode.episode
        name = run.plan.agents[episode.agent].name
        scores.setdefault(name, {})[keys[episode.scenario]] = float(scored_episode.score.total)
        faults[name] += episode.ending.faulty
    merits = merits_by_name(benchmark, run.plan, scored)
    return _order_results(benchmark, scores, faults, merits, [run])


def _order_results(
    benchmark: Benchmark,
    scores: Mapping[str, Mapping[Key, float]],
    faults: Mapping[str, int],
    merits: Mapping[str, Merit],
    runs: Sequence[Run],
) -> Results:
    """Return results in the order of the table; agents with faults are labelled so."""
    names = sorted(scores, key=lambda name: (merits[name], name))
    ordered = {_label(name, faults[name]): scores[name] for name in names}
    ids = tuple(run.id for run in runs)
    return Results(benchmark, ordered, ids, _shared_bounds(benchmark, ordered, runs))


def _shared_bounds(
    benchmark: Benchmark, scores: Mapping[str, Mapping[Key, float]], runs: Sequence[Run]
) -> Bounds | None:
    """Return the bounds of all totals; None if they are not known of every run."""
    totals = [total for by_scenario in scores.values() for total in by_scenario.values()]
    known = [find_bounds(benchmark, run.plan.options, totals) for run in runs]
    bounds = [one for one in known if one is not None]
    if len(bounds) < len(known):
        return None
    return min(low for low, _ in bounds), max(high for _, high in bounds)


def _label(name: str, faults: int) -> str:
    return f"{name} ({faults} {'fault' if faults == 1 else 'faults'})" if faults else name


def write_plots(
    folder: str | PathLike[str],
    results: Results,
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Write the four pictures into a folder, which is made if need be, and return their places.

    Raises:
        OptionError: There is no such style, or a file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    figures = {name: draw(results, style=style) for name, draw in PICTURES.items()}
    return write_figures(folder, figures, formats)


# ---- reading


def _of_one_benchmark(runs: Sequence[Run]) -> None:
    first = runs[0]
    for run in runs[1:]:
        if (run.benchmark, run.version) != (first.benchmark, first.version):
            raise RunError(
                f"runs of different benchmarks do not go together: {first.id} is of "
                f"{first.benchmark}@{first.version}, {run.id} of {run.benchmark}@{run.version}"
            )


def _scores(run: Run, store: Store) -> Iterator[tuple[str, dict[Key, float], int]]:
    """Yield each agent's name, totals and number of faults."""
    by_agent, faults = read_totals(run, store), read_faults(run, store)
    if not by_agent:
        raise RunError(f"run {run.id} has no episodes yet: ludus resume {run.id}")
    keys = _keys(run)
    for agent, totals in sorted(by_agent.items()):
        pairs = zip(totals.scenarios.tolist(), totals.values.tolist(), strict=True)
        name, count = run.plan.agents[agent].name, sum(faults.get(agent, {}).values())
        yield name, {keys[number]: total for number, total in pairs}, count


def _keys(run: Run) -> list[Key]:
    """Return what tells a plan's scenarios apart, the same in all runs that play the same."""
    seen: Counter[str] = Counter()
    keys: list[Key] = []
    for number, scenario in enumerate(run.plan.scenarios):
        content = json.dumps([run.plan.rules, run.plan.season, scenario], sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()
        seen[digest] += 1
        keys.append((scenario_name(run.plan, number), (digest, seen[digest])))
    return keys


# ---- drawing


def draw_scores(results: Results, *, style: str = "light") -> Figure:
    """Return the picture of every episode's score, and of the means with their intervals.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    canvas = _Canvas(results, style, _height(results, 0.52))
    panel, look = canvas.panel, canvas.look
    generator = np.random.default_rng(0)
    for row, (agent, values) in enumerate(canvas.totals.items()):
        colour, _ = canvas.line(row)
        dots = values if len(values) <= DOTS else generator.choice(values, DOTS, replace=False)
        offsets = generator.uniform(-0.26, 0.26, len(dots))
        panel.plot(dots, row + offsets, "o", color=colour, alpha=0.55, markersize=6, mew=0)
        mean = mean_interval(values, LEVEL, bounds=results.bounds)
        _draw_interval(panel, row, mean, look)
        digits = 0 if abs(mean.value) >= LARGE else 1
        figure = f"{mean.value:,.{digits}f}" if mean.too_few else format_estimate(mean, digits)
        canvas.label_row(row, _in_lines(agent), figure)
    panel.set_ylim(len(canvas.totals) - 0.45, -0.55)
    panel.grid(visible=False, axis="y")
    panel.set_xlabel(f"{results.benchmark.headline} of an episode", color=look.ink, fontsize=14)
    panel.xaxis.set_major_formatter(_in_words)
    few = min(map(len, canvas.totals.values())) < FEW
    left_out = f" (none for fewer than {FEW} episodes)" if few else ""
    return canvas.finish("Scores", f"dots: episodes; diamond: mean; bar: 95 % interval{left_out}")


def draw_profile(results: Results, *, style: str = "light") -> Figure:
    """Return the picture of the share of episodes above each score, with intervals.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    canvas = _Canvas(results, style, 6.0)
    panel = canvas.panel
    thresholds = _thresholds(list(canvas.totals.values()))
    most = max(map(len, canvas.totals.values())) * len(canvas.totals)
    resamples = int(np.clip(DRAWS // most, 200, 2000))
    for row, values in enumerate(canvas.totals.values()):
        colour, dash = canvas.line(row)
        profile = performance_profile({"all": values}, thresholds, LEVEL, resamples=resamples)
        if len(values) >= FEW:
            canvas.band(row, thresholds, profile.low, profile.high, step="post")
        # Nobody scores more than the best: the lines stop before they would all fall to nothing.
        shares = np.append(profile.value[:-1], profile.value[-2])
        panel.step(thresholds, shares, where="post", color=colour, ls=dash, lw=2.6)
    panel.set_xlim(thresholds[0], thresholds[-1])
    panel.xaxis.set_major_formatter(_in_words)
    _in_percent(panel)
    panel.set_xlabel(results.benchmark.headline, color=canvas.look.ink, fontsize=14)
    panel.set_ylabel("episodes that score more", color=canvas.look.ink, fontsize=14)
    canvas.legend()
    return canvas.finish("Performance profile", "higher is better")


def draw_progress(results: Results, *, style: str = "light") -> Figure:
    """Return the picture of the mean as it moves from scenario to scenario.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    canvas = _Canvas(results, style, 6.0)
    panel, look = canvas.panel, canvas.look
    longest = max(map(len, canvas.totals.values()))
    for row, values in enumerate(canvas.totals.values()):
        colour, dash = canvas.line(row)
        places = np.unique(np.linspace(1, len(values), POINTS).astype(int))
        means = [mean_interval(values[:count], LEVEL, bounds=results.bounds) for count in places]
        panel.plot(places, [mean.value for mean in means], color=colour, ls=dash, lw=2.6)
        panel.plot(places[-1], means[-1].value, "o", color=colour, markersize=7)
        sure = places >= FEW
        lows, highs = (np.array([getattr(m, end) for m in means]) for end in ("low", "high"))
        canvas.band(row, places[sure], lows[sure], highs[sure])
    panel.set_xlim(1, max(longest, 2) * 1.01)
    panel.set_ylim(*_range(list(canvas.totals.values())))
    panel.yaxis.set_major_formatter(_in_words)
    panel.locator_params(axis="x", integer=True)
    panel.set_xlabel("episodes, in the order of the plan", color=look.ink, fontsize=14)
    panel.set_ylabel(f"mean {results.benchmark.headline} so far", color=look.ink, fontsize=14)
    canvas.legend()
    return canvas.finish("Progress")


def draw_wins(results: Results, *, style: str = "light") -> Figure:
    """Return the picture of how often one agent scores more than another in the same scenario.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    count = min(len(results.scores), MOST)
    canvas = _Canvas(results, style, 2.6 + 0.55 * max(count, 3))
    panel, look, names = canvas.panel, canvas.look, list(canvas.totals)
    shares = _win_shares([results.scores[name] for name in names])
    separated = _find_separated({name: results.scores[name] for name in names})
    ramp = canvas.ramp()
    panel.pcolormesh(np.ma.masked_invalid(shares), cmap=ramp, vmin=0, vmax=1, ec=look.paper, lw=2)
    for row, column in np.ndindex(count, count):
        share = shares[row, column]
        if row == column:
            continue
        shade = ramp(share if np.isfinite(share) else 0.0)
        panel.text(
            column + 0.5,
            row + 0.5,
            f"{100 * share:.0f}" if np.isfinite(share) else "–",
            ha="center",
            va="center",
            fontsize=15 if count <= 8 else 12,
            fontweight="bold" if (names[row], names[column]) in separated else "normal",
            color=readable(shade[:3]) if np.isfinite(share) else look.ink,
        )
    panel.set_ylim(count, 0)
    panel.set_facecolor(look.paper)
    labels = [escape_label(_in_lines(name)) for name in names]
    panel.set_yticks(np.arange(count) + 0.5, labels, color=look.ink, fontsize=13)
    panel.set_xticks(np.arange(count) + 0.5, labels, color=look.ink, fontsize=13)
    _turn_labels(panel, labels)
    panel.grid(visible=False)
    return canvas.finish(
        "Who beats whom",
        "% of the scenarios both played in which the row scores more than the column",
        "bold: the two can be told apart (95 %, adjusted for all pairs)",
    )


PICTURES = {
    "scores": draw_scores,
    "profile": draw_profile,
    "progress": draw_progress,
    "wins": draw_wins,
}
"""What draws each picture, by the name of its file."""


class _Canvas(Sheet):
    """A sheet for the best agents of some results."""

    def __init__(self, results: Results, style: str, height: float) -> None:
        super().__init__(style, height)
        self.results = results
        self.totals = results.best_totals
        self.banded = False

    def band(self, row: int, places: Any, lows: Any, highs: Any, step: Any = None) -> None:
        """Draw an agent's intervals, unless there are so many agents that they would be mud."""
        if len(places) and len(self.totals) <= len(self.look.lines):
            colour, _ = self.line(row)
            self.panel.fill_between(places, lows, highs, color=colour, alpha=0.13, lw=0, step=step)
            self.banded = True

    def legend(self) -> None:
        """List the agents, in the order of the table, beside the panel."""
        self.list_lines(list(map(_in_lines, self.totals)), 1.8)

    def finish(self, title: str, *captions: str) -> Figure:
        """Write what stands above and below, and return the figure."""
        lines = list(captions)
        if self.banded:
            lines.append("bands: 95 % intervals")
        if len(self.results.scores) > len(self.totals):
            lines.append(f"the best {len(self.totals)} of {len(self.results.scores)} agents")
        return super().finish(f"{title} · {self.results.benchmark.rule}", *lines)


def _turn_labels(panel: Axes, labels: Sequence[str]) -> None:
    """Put the columns' labels above them, turned if that is the way they fit."""
    turn = 0 if len(labels) <= 3 else 35
    if len(labels) > 8 or (turn and any("\n" in label for label in labels)):
        turn = 90
    panel.tick_params(axis="x", labeltop=True, labelbottom=False)
    for label in panel.get_xticklabels():
        label.set_rotation(turn)
        label.set_horizontalalignment("left" if turn else "center")
        label.set_verticalalignment("center" if turn == 90 else "bottom")
        label.set_rotation_mode("anchor")


def _in_lines(agent: str) -> str:
    """Return an agent's name with the run on a line of its own."""
    return agent.replace(" (", "\n(")


def _height(results: Results, of_row: float) -> float:
    return 2.4 + of_row * max(min(len(results.scores), MOST), 2)


def _draw_interval(panel: Axes, row: int, mean: Estimate, look: Look) -> None:
    """Draw a mean and its interval, which can be seen on any dots."""
    for colour, more in ((look.paper, 3.0), (look.ink, 0.0)):
        if not mean.too_few:
            panel.plot([mean.low, mean.high], [row, row], color=colour, lw=3 + more)
        panel.plot(mean.value, row, "D", color=colour, markersize=8 + more)


def _range(columns: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """Return the range of all values with a margin, never an empty one."""
    low, high = min(map(np.min, columns)), max(map(np.max, columns))
    margin = (high - low) * 0.04 or 0.5
    return float(low - margin), float(high + margin)


def _thresholds(columns: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return where profiles step, or places close enough if there are very many."""
    low, _ = _range(columns)
    steps = np.unique(np.concatenate(columns))
    inner = steps if len(steps) <= POINTS else np.linspace(steps[0], steps[-1], POINTS)
    return np.array([low, *inner])


def _in_words(value: float, _place: float) -> str:
    """Return a number of an axis as people read it: 0.4 M, 20,000, 7.5."""
    return f"{value / 1e6:g} M" if abs(value) >= 1e5 else f"{value:,g}"


def _in_percent(panel: Axes) -> None:
    panel.set_ylim(-0.02, 1.02)
    panel.yaxis.set_major_formatter("{x:.0%}")


def _win_shares(scores: Sequence[Mapping[Key, float]]) -> NDArray[np.float64]:
    """Return how often each beats each other in what both played; nan where that is nothing."""
    shares = np.full((len(scores), len(scores)), np.nan)
    for row, scores_of_row in enumerate(scores):
        for column, other in enumerate(scores):
            both = [scores_of_row[key] > other[key] for key in scores_of_row if key in other]
            if row != column and both:
                shares[row, column] = np.mean(both)
    return shares


def _find_separated(scores: Mapping[str, Mapping[Key, float]]) -> set[tuple[str, str]]:
    """Return the pairs, the better first, whose difference is more than chance."""
    pairs, chances = [], []
    for first, second in combinations(scores, 2):
        common = scores[first].keys() & scores[second].keys()
        if not common:
            continue
        unit: Unit = "level" if len({name for name, _ in common}) > 1 else "episode"
        ours, other = ({key: scores[agent][key] for key in common} for agent in (first, second))
        differences = paired_differences(ours, other, unit)
        pairs.append((first, second) if differences.mean() > 0 else (second, first))
        chances.append(sign_flip_test(differences))
    return {pair for pair, p in zip(pairs, holm(chances), strict=True) if p <= 1 - LEVEL}
