"""The paper that pictures of Diplomacy are drawn on: one panel, in the colours of a style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.errors import MissingExtra, OptionError
from ludus.reports.expressive_range import STYLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["HATCHES", "Sheet", "shown"]

DPI = 150
WIDTH = 9.0  # inches
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)))
HATCHES = ("", "///", "xx", "...", "\\\\\\", "++")
"""Textures that tell bars apart without colour."""


class Sheet:
    """A figure of one panel in the colours of a style."""

    def __init__(self, style: str, height: float) -> None:
        if style not in STYLES:
            raise OptionError(f"there is no style {style!r}; try one of {', '.join(STYLES)}")
        self.look = STYLES[style]
        self.figure: Figure = _figure_class()(
            figsize=(WIDTH, height), dpi=DPI, facecolor=self.look.paper, layout="constrained"
        )
        self.figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
        self.panel: Axes = self.figure.subplots()
        self.panel.set_facecolor(self.look.panel)
        self.panel.tick_params(colors=self.look.ink, labelsize=13, length=0)
        self.panel.locator_params(nbins=6, steps=[1, 2, 5, 10])
        self.panel.grid(color=self.look.faint, linewidth=0.9)
        self.panel.set_axisbelow(True)
        for spine in self.panel.spines.values():
            spine.set_visible(False)

    def line(self, row: int) -> tuple[str, Any]:
        """Return a colour and dash that no other line has both of."""
        colours = self.look.lines
        return colours[row % len(colours)], DASHES[row // len(colours) % len(DASHES)]

    def years(self, first: int, last: int) -> None:
        """Let the panel go from one year to another."""
        self.panel.set_xlim(first - 0.5, last + 0.5)
        self.panel.locator_params(axis="x", integer=True)

    def label_row(self, row: int, name: str, figure: str) -> None:
        """Write a name to the left of a row and a figure to its right."""
        place: Any = {
            "va": "center",
            "fontsize": 13,
            "color": self.look.ink,
            "xycoords": ("axes fraction", "data"),
            "textcoords": "offset points",
            "annotation_clip": False,
        }
        self.panel.annotate(shown(name), (0, row), (-8, 0), ha="right", **place)
        self.panel.annotate(figure, (1, row), (8, 0), ha="left", **place)
        self.panel.set_yticks([])

    def legend(self, names: Sequence[str]) -> None:
        """List lines beside the panel."""
        from matplotlib.lines import Line2D

        handles = []
        for row, name in enumerate(names):
            colour, dash = self.line(row)
            handles.append(Line2D([], [], color=colour, ls=dash, lw=3, label=shown(name)))
        self._list(handles, loc="upper left", bbox_to_anchor=(1.01, 1.02))

    def legend_of_bars(self, variants: Sequence[str]) -> None:
        """List the variants' colours and textures below the panel."""
        from matplotlib.patches import Patch

        handles = [
            Patch(
                facecolor=self.look.lines[kind % len(self.look.lines)],
                edgecolor=self.look.paper,
                hatch=HATCHES[kind % len(HATCHES)],
                label=shown(name),
            )
            for kind, name in enumerate(variants)
        ]
        self._list(handles, loc="upper right", bbox_to_anchor=(1, -0.16), ncols=len(variants))

    def _list(self, handles: Sequence[Any], **where: Any) -> None:
        self.panel.legend(
            handles=handles,
            borderaxespad=0,
            frameon=False,
            labelcolor=self.look.ink,
            fontsize=13,
            handlelength=2.0,
            **where,
        )

    def heat_map(
        self,
        values: Any,
        rows: Sequence[str],
        columns: Sequence[str],
        texts: Mapping[tuple[int, int], tuple[str, str]],
        *,
        limits: tuple[float, float],
        diverging: bool = False,
    ) -> None:
        """Draw a table whose cells are coloured, each with a large and a small text."""
        ramp, panel = self._ramp(diverging), self.panel
        low, high = limits
        cells = np.ma.masked_invalid(values)
        panel.pcolormesh(cells, cmap=ramp, vmin=low, vmax=high, ec=self.look.paper, lw=2)
        for (row, column), (large, small) in texts.items():
            shade = ramp((values[row, column] - low) / (high - low))
            where: Any = {"ha": "center", "va": "center", "color": _readable(shade[:3])}
            lift = 0.14 if small else 0.0
            panel.text(column + 0.5, row + 0.5 - lift, large, fontsize=14, **where)
            panel.text(column + 0.5, row + 0.78, small, fontsize=10, **where)
        panel.set_ylim(len(rows), 0)
        ink: Any = {"color": self.look.ink, "fontsize": 13}
        panel.set_yticks(np.arange(len(rows)) + 0.5, [shown(name) for name in rows], **ink)
        panel.set_xticks(np.arange(len(columns)) + 0.5, [shown(n) for n in columns], **ink)
        panel.tick_params(axis="x", labeltop=True, labelbottom=False)
        panel.grid(visible=False)

    def _ramp(self, diverging: bool) -> Any:
        from matplotlib.colors import LinearSegmentedColormap

        look = self.look
        ends = (look.panel, *look.ramp[1:])
        if diverging:
            ends = (look.lines[1], look.panel, look.lines[0])
        return LinearSegmentedColormap.from_list("ludus", ends)

    def finish(self, title: str, caption: str) -> Figure:
        """Write what stands above and below, and return the figure."""
        aside: Any = {"x": 0.02, "ha": "left", "color": self.look.ink}
        self.figure.suptitle(fill(title, 60), **aside, fontsize=16, fontweight="bold")
        self.figure.supxlabel(fill(caption, 95), **aside, fontsize=11.5, alpha=0.8)
        return self.figure


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        message = 'matplotlib is not installed; plots need it: pip install "ludus[plots]"'
        raise MissingExtra(message) from error
    return Figure


def shown(name: str) -> str:
    """Return a name as matplotlib shows it."""
    text = name.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text  # or legends would leave it out


def _readable(shade: Sequence[float]) -> str:
    """Return black or white, whichever stands out from a shade."""
    red, green, blue = shade
    return "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "#ffffff"
