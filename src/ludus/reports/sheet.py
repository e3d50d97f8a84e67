"""The paper that pictures are drawn on: the colours of a style, a panel, what stands around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from os import PathLike
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ludus.distribution import install_command
from ludus.errors import MissingExtra, OptionError
from ludus.escaping import escape_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "DPI",
    "FORMATS",
    "STYLES",
    "WIDTH",
    "Look",
    "Sheet",
    "dress",
    "escape_label",
    "figure_class",
    "find_look",
    "finish",
    "new_canvas",
    "readable",
    "write_figure",
    "write_figures",
]

FORMATS = ("png", "pdf", "svg")
"""The formats that pictures are written in, the usual one first."""

DPI = 150
WIDTH = 9.0  # inches
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)))


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a style."""

    paper: str
    panel: str
    ink: str
    faint: str
    ramp: tuple[str, str, str]
    lines: tuple[str, ...]
    more: str


STYLES = {
    "light": Look(
        paper="#ffffff",
        panel="#f4f4f1",
        ink="#22221f",
        faint="#d4d3cd",
        ramp=("#bcd7f7", "#3a83d8", "#0c2f66"),
        lines=("#2a72c8", "#d9591c", "#1b8a5a", "#8a4fbf", "#b8860b", "#c2255c"),
        more="Darker",
    ),
    "dark": Look(
        paper="#16181c",
        panel="#20242a",
        ink="#eceae4",
        faint="#464b54",
        ramp=("#1d4a80", "#4f9cf0", "#e3f0ff"),
        lines=("#6aaef6", "#f28a50", "#4fc48d", "#bd94ec", "#e0b63f", "#f0719a"),
        more="Lighter",
    ),
}
"""The colours of the two styles."""


def find_look(style: str) -> Look:
    """Return the colours of a style.

    Raises:
        OptionError: There is no such style.
    """
    if style not in STYLES:
        raise OptionError(f"there is no style {style!r}; try one of {', '.join(STYLES)}")
    return STYLES[style]


def figure_class() -> Any:
    """Return matplotlib's ``Figure``, made to show itself in notebooks.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        message = f"matplotlib is not installed; plots need it: {install_command('plots')}"
        raise MissingExtra(message) from error
    return _make_notebook_figure(Figure)


@cache
def _make_notebook_figure(base: type) -> type:
    class NotebookFigure(base):  # type: ignore[misc]
        """A figure that a notebook shows without further ado."""

        def _repr_png_(self) -> bytes:
            picture = BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

    return NotebookFigure


def new_canvas(look: Look, height: float, label_size: float) -> tuple[Figure, Axes]:
    """Return a figure of the usual width and its only panel."""
    figure = figure_class()(
        figsize=(WIDTH, height), dpi=DPI, facecolor=look.paper, layout="constrained"
    )
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
    panel = figure.subplots()
    dress(panel, look, label_size, 0.9)
    return figure, panel


def dress(panel: Axes, look: Look, label_size: float, grid_width: float) -> None:
    """Give a panel its colours: a grid below everything, neither frame nor ticks."""
    panel.set_facecolor(look.panel)
    panel.tick_params(colors=look.ink, labelsize=label_size, length=0)
    panel.grid(color=look.faint, linewidth=grid_width)
    panel.set_axisbelow(True)
    for spine in panel.spines.values():
        spine.set_visible(False)


def finish(figure: Figure, look: Look, title: str, note: str, note_size: float = 11) -> Figure:
    """Write what stands above and below, and return the figure."""
    aside: Any = {"x": 0.02, "ha": "left", "color": look.ink}
    figure.suptitle(escape_lines(title), **aside, fontsize=16, fontweight="bold")
    figure.supxlabel(escape_lines(note), **aside, fontsize=note_size, alpha=0.8)
    return figure


class Sheet:
    """A figure of one panel in the colours of a style, with room for names beside it."""

    def __init__(self, style: str, height: float) -> None:
        self.look = find_look(style)
        self.figure, self.panel = new_canvas(self.look, height, 13)
        self.panel.locator_params(nbins=6, steps=[1, 2, 5, 10])

    def line(self, row: int) -> tuple[str, Any]:
        """Return a colour and dash that no other line has both of."""
        colours = self.look.lines
        return colours[row % len(colours)], DASHES[row // len(colours) % len(DASHES)]

    def label_row(self, row: int, name: str, figure: str) -> None:
        """Write a name to the left of a row and a figure to its right."""
        text_options: Any = {
            "va": "center",
            "fontsize": 13,
            "color": self.look.ink,
            "xycoords": ("axes fraction", "data"),
            "textcoords": "offset points",
            "annotation_clip": False,
        }
        self.panel.annotate(escape_label(name), (0, row), (-8, 0), ha="right", **text_options)
        self.panel.annotate(figure, (1, row), (8, 0), ha="left", **text_options)
        self.panel.set_yticks([])

    def list_lines(
        self,
        names: Sequence[str],
        handle_length: float = 2.0,
        strokes: Sequence[tuple[str, Any]] | None = None,
    ) -> None:
        """List lines beside the panel, with their colours and dashes if they have their own."""
        from matplotlib.lines import Line2D

        handles = []
        for row, name in enumerate(names):
            colour, dash = strokes[row] if strokes else self.line(row)
            handles.append(Line2D([], [], color=colour, ls=dash, lw=3, label=escape_label(name)))
        self.list_handles(handles, handle_length, loc="upper left", bbox_to_anchor=(1.01, 1.02))

    def list_handles(self, handles: Sequence[Any], handle_length: float, **where: Any) -> None:
        """Put a legend somewhere."""
        self.panel.legend(
            handles=handles,
            borderaxespad=0,
            frameon=False,
            labelcolor=self.look.ink,
            fontsize=13,
            handlelength=handle_length,
            **where,
        )

    def ramp(self, *, diverging: bool = False) -> Any:
        """Return the colours from nothing to much, or from one end over nothing to the other."""
        from matplotlib.colors import LinearSegmentedColormap

        look = self.look
        ends = (look.panel, *look.ramp[1:])
        if diverging:
            ends = (look.lines[1], look.panel, look.lines[0])
        return LinearSegmentedColormap.from_list("ludus", ends)

    def finish(self, title: str, *captions: str) -> Figure:
        """Write what stands above and below, in lines that fit, and return the figure."""
        note = fill(" · ".join(captions), 95)
        return finish(self.figure, self.look, fill(title, 60), note, 11.5)


def escape_lines(text: str) -> str:
    """Return lines as matplotlib shows them."""
    return "\n".join(map(escape_plot, text.split("\n")))


def escape_label(name: str) -> str:
    """Return a name as matplotlib shows it, in the lines that it was broken into."""
    text = escape_lines(name)
    return f" {text}" if text.startswith("_") else text  # or legends would leave it out


def readable(shade: Sequence[float]) -> str:
    """Return black or white, whichever stands out from a shade."""
    red, green, blue = shade
    return "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "#ffffff"


def write_figures(
    folder: str | PathLike[str],
    figures: Mapping[str, Figure],
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Write figures by name into a folder, which is made if need be, and return their places.

    Args:
        folder: The folder.
        figures: The figures by the names of their files.
        formats: The files' suffixes, such as ``png``, ``pdf`` and ``svg``; one file for each.

    Raises:
        OptionError: There is no such format, or a file cannot be written.
    """
    for name in formats:
        if name not in FORMATS:
            raise OptionError(f"there is no format {name!r}; try {', '.join(FORMATS)}")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"cannot write {str(folder)!r}: {error.strerror}") from error
    return [
        write_figure(Path(folder) / f"{name}.{suffix}", figure)
        for name, figure in figures.items()
        for suffix in formats
    ]


def write_figure(path: str | PathLike[str], figure: Figure) -> Path:
    """Write a figure to a file and return its path.

    Raises:
        OptionError: The file cannot be written, or matplotlib writes no files of its suffix.
    """
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"cannot write {str(path)!r}: {reason}") from error
    return Path(path)
