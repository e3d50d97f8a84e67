"""The expressive range of level generators: which levels they make, and how often, in one picture.

Every generator makes many levels, every level is measured, and the picture shows where they lie:
leniency against linearity and density against pattern variation as maps of how many levels fall
into each cell, the four measures as histograms below. The measures are defined in
:mod:`ludus.games.platformer.levels.metrics`.

Example:
    >>> found = measure_ranges(["notch-2009"], 5, difficulty=3)
    >>> len(found["notch-2009"])
    5
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.platformer.generators import load
from ludus.games.platformer.levels.metrics import Description, describe
from ludus.reports.sheet import DPI, Look, dress, figure_class, find_look, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["check_drawable", "draw_ranges", "measure_ranges", "write_ranges"]

Ranges = Mapping[str, Sequence[Description]]
"""The levels of each generator."""

CELLS = 24
LIMIT = 6  # columns and colours that can be told apart
PANEL = 3.3  # inches

MEASURES = {
    "leniency": "leniency (points / 100 columns)",
    "linearity": "linearity",
    "density": "density (standing places / column)",
    "pattern_variation": "pattern variation",
}
MAPS = (("leniency", "linearity"), ("density", "pattern_variation"))


def measure_ranges(
    generators: Sequence[str],
    count: int = 500,
    *,
    on_level: Callable[[str, Description], None] | None = None,
    **options: object,
) -> dict[str, tuple[Description, ...]]:
    """Return the figures of the levels that generators make of the seeds from 0 on.

    Args:
        generators: Their names.
        count: Levels of each.
        on_level: Called with the generator's name and each level's figures.
        options: Options of the generators, the same for all.

    Raises:
        OptionError: There is nothing to make, or a generator or option is not known.
    """
    if count < 1:
        raise OptionError(f"{count} levels have no range; try 500")
    makers = {name: load(name) for name in generators}
    for maker in makers.values():
        maker.validate({**options, "seed": 0})
    ranges: dict[str, tuple[Description, ...]] = {}
    for name, maker in makers.items():
        levels = []
        for seed in range(count):
            levels.append(describe(maker(**{**options, "seed": seed})))
            if on_level is not None:
                on_level(name, levels[-1])
        ranges[name] = tuple(levels)
    return ranges


def draw_ranges(ranges: Ranges, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of generators' ranges, one column a generator.

    Args:
        ranges: What :func:`measure_ranges` returned, of one to six generators.
        title: What to write above it.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: There is no such style, no level, or too many generators.
        MissingExtra: matplotlib is not installed.
    """
    look, columns = _find_look(ranges, style), len(ranges)
    heights = (3.3, 3.6) if columns == 1 else (6.6, 3.6)
    figure: Figure = figure_class()(
        figsize=(1.1 + max(columns, 2) * PANEL, 1 + sum(heights)),
        dpi=DPI,
        facecolor=look.paper,
        layout="constrained",
    )
    if title:
        figure.suptitle(title, color=look.ink, fontsize=14)
    upper, lower = np.ravel(figure.subfigures(2, 1, squeeze=False, height_ratios=heights))
    for part in (upper, lower):
        part.set_facecolor(look.paper)
        part.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    panels = upper.subplots(*((1, 2) if columns == 1 else (2, columns)), squeeze=False)
    _draw_maps(panels.T if columns > 1 else panels, ranges, look)
    strips = np.ravel(lower.subplots(*((1, 4) if columns > 2 else (2, 2))))
    for panel, measure in zip(strips, MEASURES, strict=True):
        _draw_histogram(panel, ranges, measure, look)
        _dress(panel, measure.replace("_", " "), "", look)
    strips[0].set_ylabel("share of levels", color=look.ink, fontsize=12)
    caption = f"{look.more} cells hold more levels (logarithmic); a ring marks the medians"
    lower.supxlabel(caption, color=look.ink, fontsize=11, alpha=0.75)
    return figure


def write_ranges(
    path: str | PathLike[str], ranges: Ranges, *, title: str = "", style: str = "light"
) -> None:
    """Write the picture of generators' ranges to a file, PNG, SVG or PDF by its ending.

    Raises:
        OptionError: The picture cannot be drawn or written.
        MissingExtra: matplotlib is not installed.
    """
    write_figure(path, draw_ranges(ranges, title=title, style=style))


def check_drawable(generators: Collection[str]) -> None:
    """Refuse what could not be drawn, before it is measured.

    Raises:
        OptionError: There are too many generators.
        MissingExtra: matplotlib is not installed.
    """
    if not 1 <= len(generators) <= LIMIT:
        raise OptionError(f"{len(generators)} generators do not fit a picture: give 1 to {LIMIT}")
    figure_class()


def _find_look(ranges: Ranges, style: str) -> Look:
    """Return the colours to draw in, if everything can be drawn."""
    check_drawable(ranges)
    look = find_look(style)
    for name, levels in ranges.items():
        if not levels:
            raise OptionError(f"there are no levels of {name!r} to draw")
    return look


def _values(levels: Sequence[Description], measure: str) -> NDArray[np.float64]:
    return np.array([getattr(level, measure) for level in levels], np.float64)


def _limit(ranges: Ranges, measure: str) -> tuple[float, float]:
    """Return the range of a measure over all generators, never an empty one."""
    pooled = np.concatenate([_values(levels, measure) for levels in ranges.values()])
    low, high = float(pooled.min()), float(pooled.max())
    margin = (high - low) * 0.04 or 0.5
    return low - margin, high + margin


def _draw_maps(columns: NDArray[Any], ranges: Ranges, look: Look) -> None:
    """Draw each generator's two maps, in cells and shades that can be compared."""
    grids = {maps: {name: _count_levels(ranges, name, maps) for name in ranges} for maps in MAPS}
    for number, (name, panels) in enumerate(zip(ranges, columns, strict=True)):
        for panel, (across, up) in zip(panels, MAPS, strict=True):
            grid = grids[across, up]
            most = max(counts.max() for counts, _, _ in grid.values())
            _draw_map(panel, grid[name], most, look)
            _draw_ring(panel, [_values(ranges[name], measure) for measure in (across, up)], look)
            _dress(panel, MEASURES[across], "" if number else MEASURES[up], look)
        panels[0].set_title(
            f"{name} · {len(ranges[name])} levels",
            color=look.lines[number],
            fontsize=13,
            fontweight="bold",
            loc="left",
        )


Grid = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""How many levels lie in each cell, and the cells' edges."""


def _count_levels(ranges: Ranges, name: str, measures: tuple[str, str]) -> Grid:
    x, y = (_values(ranges[name], measure) for measure in measures)
    return np.histogram2d(x, y, CELLS, [_limit(ranges, measure) for measure in measures])


def _draw_map(panel: Axes, grid: Grid, most: float, look: Look) -> None:
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    counts, x_edges, y_edges = grid
    panel.pcolormesh(
        x_edges,
        y_edges,
        np.ma.masked_equal(counts.T, 0),
        cmap=LinearSegmentedColormap.from_list("ludus", look.ramp),
        norm=LogNorm(1, max(most, 2)),
        linewidth=0,
    )


def _draw_ring(panel: Axes, values: Sequence[NDArray[np.float64]], look: Look) -> None:
    x, y = (float(np.median(measured)) for measured in values)
    for colour, width in ((look.paper, 4.5), (look.ink, 2)):
        panel.plot(x, y, "o", markersize=9, fillstyle="none", color=colour, markeredgewidth=width)


def _draw_histogram(panel: Axes, ranges: Ranges, measure: str, look: Look) -> None:
    edges = np.linspace(*_limit(ranges, measure), CELLS + 1)
    for levels, colour in zip(ranges.values(), look.lines, strict=False):
        counts, _ = np.histogram(_values(levels, measure), edges)
        panel.stairs(counts / len(levels), edges, color=colour, fill=True, alpha=0.14)
        panel.stairs(counts / len(levels), edges, color=colour, linewidth=2.2)
    panel.set_xlim(edges[0], edges[-1])
    panel.set_ylim(bottom=0)
    panel.yaxis.set_major_formatter("{x:.0%}")


def _dress(panel: Axes, across: str, up: str, look: Look) -> None:
    dress(panel, look, 11, 0.8)
    panel.set_xlabel(across, color=look.ink, fontsize=12)
    panel.set_ylabel(up, color=look.ink, fontsize=12)
    panel.locator_params(nbins=5, steps=[1, 2, 5, 10])
