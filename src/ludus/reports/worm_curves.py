"""How worms turn, drawn: by the smell and by warmth, each beside the curve of chance."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.benchmarks.nematode.chemotaxis import Curve
from ludus.boards.estimates import format_estimate
from ludus.errors import OptionError
from ludus.reports.sheet import Look, escape_label, find_look, finish, new_canvas
from ludus.reports.worm_behaviour import AXES, Behaviours, describe_sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "MARKERS",
    "MOST",
    "break_title",
    "draw_klinokinesis",
    "draw_thermotaxis",
    "draw_weathervane",
    "label_axes",
    "list_above",
    "new_panel",
]

MOST = 6  # brains that can be told apart
MARKERS = "osD^vP"
"""What lines are told apart by, besides their colours."""
NO_BREAK = "\N{NO-BREAK SPACE}"
NOTE = "bars: standard errors · dashed: a walker by chance in the same dishes"


def draw_klinokinesis(behaviours: Behaviours, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of how often worms turn, by how the smell just changed.

    Raises:
        OptionError: There is no such style, no brain, or too many.
        MissingExtra: matplotlib is not installed.
    """
    title = title or _title("Klinokinesis", behaviours)
    return _draw_shares("klinokinesis", behaviours, title, style)


def draw_thermotaxis(behaviours: Behaviours, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of how much of their time worms spend how far from their temperature.

    Raises:
        OptionError: There is no such style, no brain, too many, or no temperature.
        MissingExtra: matplotlib is not installed.
    """
    if any("thermotaxis" not in one.curves for one in behaviours.values()):
        raise OptionError("the worms were on a dish without temperature: try a thermal task")
    title = title or _title("Thermotaxis", behaviours)
    return _draw_shares("thermotaxis", behaviours, title, style)


def _draw_shares(name: str, behaviours: Behaviours, title: str, style: str) -> Figure:
    figure, panel, look = _draw_curves(name, behaviours, style)
    panel.set_ylim(0, min(1.02, 1.1 * panel.dataLim.y1))
    panel.locator_params(axis="y", steps=[1, 2, 5, 10])
    panel.yaxis.set_major_formatter("{x:.0%}")
    panel.axvline(0, color=look.ink, lw=1, ls=(0, (2, 3)))
    return finish(figure, look, title, NOTE)


def break_title(text: str) -> str:
    """Return a title in lines that fit; none begins with the dot between its parts."""
    return fill(text.replace(" · ", f"{NO_BREAK}· "), 66).replace(NO_BREAK, " ")


def _title(words: str, behaviours: Behaviours) -> str:
    return break_title(f"{words} · {describe_sample(behaviours)}")


def draw_weathervane(behaviours: Behaviours, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of how much worms curve, by where the smell comes from.

    Raises:
        OptionError: There is no such style, no brain, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = _draw_curves("weathervane", behaviours, style)
    quarter = np.pi / 2
    names = ["-π\nbehind", "-π/2\nright", "0\nahead", "π/2\nleft", "π\nbehind"]
    panel.set_xticks([-2 * quarter, -quarter, 0, quarter, 2 * quarter], names)
    panel.axhline(0, color=look.ink, lw=1, ls=(0, (2, 3)))
    return finish(figure, look, title or _title("Weathervane", behaviours), NOTE)


def _draw_curves(name: str, behaviours: Behaviours, style: str) -> tuple[Figure, Axes, Look]:
    figure, panel, look = new_panel(behaviours, style, 5.0 + 0.26 * len(behaviours))
    for row, (brain, behaviour) in enumerate(behaviours.items()):
        (found,) = [one for one in behaviour.figures if one.of.name == name]
        value, chance = (format_estimate(one, 3) for one in (found.value, found.chance))
        label = f"{brain}: {value}, chance {chance}, n = {found.value.n}"
        colour = look.lines[row]
        _draw_curve(panel, behaviour.chance_curves[name], colour, "", ls="--", lw=1.4, alpha=0.75)
        _draw_curve(panel, behaviour.curves[name], colour, label, marker=MARKERS[row], lw=2.4)
    label_axes(panel, look, *AXES[name])
    list_above(panel, look)
    return figure, panel, look


def _draw_curve(panel: Axes, curve: Curve, colour: str, label: str, **line: Any) -> None:
    panel.errorbar(
        curve.positions,
        curve.values,
        curve.errors,
        color=colour,
        markersize=7,
        capsize=0,
        label=escape_label(label) if label else "_chance",
        **line,
    )


def new_panel(rows: Any, style: str, height: float) -> tuple[Figure, Axes, Look]:
    """Return a figure, its panel and the colours of a style.

    Raises:
        OptionError: There is no such style, nothing to draw, or too much to tell apart.
    """
    look = find_look(style)
    if not 1 <= len(rows) <= MOST:
        raise OptionError(f"{len(rows)} cannot be told apart in a picture: give 1 to {MOST}")
    return *new_canvas(look, height, 12), look


def list_above(panel: Axes, look: Look, **more: Any) -> None:
    """List what a panel shows above it, where it hides nothing."""
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (-0.01, 1.0)}
    panel.legend(frameon=False, labelcolor=look.ink, fontsize=12, **place, **more)


def label_axes(panel: Axes, look: Look, across: str, up: str) -> None:
    """Write what a panel shows across and up."""
    panel.set_xlabel(across, color=look.ink, fontsize=13)
    panel.set_ylabel(up, color=look.ink, fontsize=13)
