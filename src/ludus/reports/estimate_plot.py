"""Values with their intervals as a picture: one row each, the best on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING

from ludus.reports.sheet import Sheet
from ludus.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_estimates"]

ROW, AROUND = 0.34, 1.9  # inches


def draw_estimates(
    estimates: Mapping[str, Estimate],
    *,
    title: str,
    axis: str,
    notes: Sequence[str] = (),
    points: Mapping[str, Sequence[float]] | None = None,
    line: float | None = None,
    digits: int = 3,
    style: str = "light",
) -> Figure:
    """Return the picture of values with their intervals.

    Args:
        estimates: The values by name, from top to bottom.
        title: What stands above.
        axis: What the values are, and their unit.
        notes: What stands below.
        points: The observations behind each value, drawn beside it.
        line: Where to draw a line: no difference, or chance.
        digits: How many digits of a value are written behind the point.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    sheet = Sheet(style, AROUND + ROW * max(len(estimates), 3))
    panel, colour = sheet.panel, sheet.look.lines[0]
    if line is not None:
        panel.axvline(line, color=sheet.look.ink, lw=1.2, ls=(0, (2, 3)))
    for row, (name, estimate) in enumerate(estimates.items()):
        seen = (points or {}).get(name, ())
        if seen:
            panel.plot(seen, [row] * len(seen), "o", color=colour, alpha=0.35, ms=6, mec="none")
        if not isnan(estimate.low):
            panel.plot([estimate.low, estimate.high], [row, row], color=colour, lw=3, alpha=0.6)
        panel.plot([estimate.value], [row], "D", color=colour, ms=7)
        sheet.label_row(row, name, f"{estimate.value:.{digits}f}")
    panel.set_ylim(len(estimates) - 0.5, -0.5)
    panel.grid(visible=False, axis="y")
    panel.set_xlabel(axis, color=sheet.look.ink, fontsize=13)
    return sheet.finish(title, *notes)
