"""Pictures and bars as figures, for results that have no drawing of their own."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from math import isfinite
from typing import TYPE_CHECKING, Any

from ludus.reports.sheet import Look, Sheet, find_look, finish, new_canvas
from ludus.reports.tables import Bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_bars", "draw_picture"]


def draw_bars(
    title: str,
    names: Sequence[str],
    bars: Sequence[Bar],
    labels: Sequence[str],
    axis: str,
    *,
    caption: str = "",
    style: str = "light",
) -> Figure:
    """Return values as bars with their intervals, a row each.

    Args:
        title: What stands above.
        names: What stands to the left of each row.
        bars: The values.
        labels: What stands to the right of each row.
        axis: What the values are.
        caption: What stands below.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    sheet = Sheet(style, 2.4 + 0.52 * max(len(names), 2))
    for row, (name, bar, label) in enumerate(zip(names, bars, labels, strict=True)):
        colour, _ = sheet.line(row)
        sheet.panel.barh(row, bar.value, height=0.55, color=colour)
        if isfinite(bar.low) and isfinite(bar.high):
            sheet.panel.plot([bar.low, bar.high], [row, row], color=sheet.look.ink, lw=3)
        sheet.label_row(row, name, label)
    sheet.panel.set_ylim(max(len(names), 1) - 0.45, -0.55)
    sheet.panel.axvline(0, color=sheet.look.ink, lw=1)
    sheet.panel.grid(visible=False, axis="y")
    sheet.panel.set_xlabel(axis, color=sheet.look.ink, fontsize=14)
    return sheet.finish(title, *([caption] if caption else []))


def draw_picture(picture: bytes | Any, title: str, style: str) -> Figure:
    """Return a picture as a figure.

    Args:
        picture: A PNG file's bytes, or an array of pixels.
        title: What stands above.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    look: Look = find_look(style)
    pixels = _read_png(picture) if isinstance(picture, bytes) else picture
    height, width = pixels.shape[:2]
    figure, panel = new_canvas(look, max(9.0 * height / width, 1.2) + 0.8, 13)
    panel.imshow(pixels, interpolation="nearest")
    panel.set_axis_off()
    return finish(figure, look, title, "")


def _read_png(content: bytes) -> Any:
    from matplotlib.image import imread

    return imread(BytesIO(content), format="png")
