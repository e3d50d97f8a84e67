"""The sheets that pictures of Diplomacy are drawn on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from ludus.reports.sheet import Sheet, escape_label, readable

__all__ = ["HATCHES", "DiplomacySheet", "fold_name"]

HATCHES = ("", "///", "xx", "...", "\\\\\\", "++")
"""Textures that tell bars apart without colour."""

NAME_WIDTH = 20
NAME_LINES = 3


def fold_name(name: str) -> str:
    r"""Return a name in lines that leave a chart its room; what is too long ends with dots.

    Example:
        >>> fold_name("a-model-of-many-parameters-and-words")
        'a-model-of-many-\nparameters-and-words'
    """
    lines = wrap(name, NAME_WIDTH) or [name]
    if len(lines) > NAME_LINES:
        lines = [*lines[: NAME_LINES - 1], f"{lines[NAME_LINES - 1][: NAME_WIDTH - 1]}…"]
    return "\n".join(lines)


class DiplomacySheet(Sheet):
    """A sheet with years, variants told apart by texture, and tables of colours."""

    def years(self, first: int, last: int) -> None:
        """Let the panel go from one year to another."""
        self.panel.set_xlim(first - 0.5, last + 0.5)
        self.panel.locator_params(axis="x", integer=True, min_n_ticks=1)

    def legend_of_bars(self, variants: Sequence[str]) -> None:
        """List the variants' colours and textures below the panel."""
        from matplotlib.patches import Patch

        handles = [
            Patch(
                facecolor=self.look.lines[kind % len(self.look.lines)],
                edgecolor=self.look.paper,
                hatch=HATCHES[kind % len(HATCHES)],
                label=escape_label(name),
            )
            for kind, name in enumerate(variants)
        ]
        where: Any = {"loc": "upper right", "bbox_to_anchor": (1, -0.16), "ncols": len(variants)}
        self.list_handles(handles, 2.0, **where)

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
        ramp, panel = self.ramp(diverging=diverging), self.panel
        low, high = limits
        cells = np.ma.masked_invalid(values)
        panel.pcolormesh(cells, cmap=ramp, vmin=low, vmax=high, ec=self.look.paper, lw=2)
        for (row, column), (large, small) in texts.items():
            shade = ramp((values[row, column] - low) / (high - low))
            where: Any = {"ha": "center", "va": "center", "color": readable(shade[:3])}
            lift = 0.14 if small else 0.0
            panel.text(column + 0.5, row + 0.5 - lift, large, fontsize=14, **where)
            panel.text(column + 0.5, row + 0.78, small, fontsize=10, **where)
        panel.set_ylim(len(rows), 0)
        ink: Any = {"color": self.look.ink, "fontsize": 13}
        panel.set_yticks(np.arange(len(rows)) + 0.5, [escape_label(name) for name in rows], **ink)
        panel.set_xticks(np.arange(len(columns)) + 0.5, [escape_label(n) for n in columns], **ink)
        panel.tick_params(axis="x", labeltop=True, labelbottom=False)
        panel.grid(visible=False)
