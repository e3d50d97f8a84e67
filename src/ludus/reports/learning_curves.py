"""Learning curves: how often policies completed their levels, the more they had learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.errors import OptionError
from ludus.learning.curve_folder import read_curve
from ludus.learning.folder import TrainingFolder
from ludus.reports.sheet import (
    DPI,
    FORMATS,
    Look,
    escape_label,
    figure_class,
    find_look,
    write_figure,
    write_figures,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ludus.stats import Estimate

__all__ = [
    "draw_curve",
    "draw_folders",
    "draw_generalisation",
    "draw_scores",
    "plot_folders",
    "plot_score_folders",
    "write_curve",
]

SIZE = (9.0, 4.2)  # inches
MOST_NAMED = 12
MOST_SEEDS = 10_000
MILLION = 1_000_000
DASHES = ("-", "--", ":")
"""Of lines whose colour others have, too."""


def write_curve(
    path: str | PathLike[str],
    folders: Sequence[str | PathLike[str]],
    *,
    style: str = "light",
    names: Sequence[str] | None = None,
) -> Path:
    """Draw the learning curves of trainings into a PNG file.

    Args:
        path: The file.
        folders: Those of the trainings.
        style: ``light`` or ``dark``.
        names: What the trainings are called; by their folders if None.

    Raises:
        OptionError: A folder has no curve, there is no such style, or the file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    return write_figure(path, draw_folders(folders, style=style, names=names))


def draw_folders(
    folders: Sequence[str | PathLike[str]],
    *,
    style: str = "light",
    names: Sequence[str] | None = None,
) -> Figure:
    """Return the learning curves of trainings as a figure.

    Raises:
        OptionError: A folder has no curve, or there is no such style.
        MissingExtra: matplotlib is not installed.
    """
    labels = names or [Path(folder).name for folder in folders]
    curves = {name: read_curve(str(folder)) for name, folder in zip(labels, folders, strict=True)}
    return draw_curve(curves, style=style, title=_describe(folders))


def plot_folders(
    folders: Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Draw the learning curves of trainings into one picture and return its files.

    Raises:
        OptionError: A folder has no curve, or the picture cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    figure = draw_folders(folders, style=style, names=[str(folder) for folder in folders])
    return write_figures(out, {"learning": figure}, formats)


def plot_score_folders(
    folders: Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Draw the curve of each training that is measured in scores, and return the files.

    Raises:
        OptionError: A folder has no curve, or a picture cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    figures = {
        f"learning-{number}" if number else "learning": draw_scores(folder, style=style)
        for number, folder in enumerate(folders)
    }
    return write_figures(out, figures, formats)


def _describe(folders: Sequence[str | PathLike[str]]) -> str:
    """Return what was trained, by what and with which seeds, as far as the folders agree."""
    settings = []
    for folder in folders:
        with suppress(OptionError):  # a curve alone has none
            settings.append(TrainingFolder(Path(folder)).settings())
    parts = [
        {str(own[name]) for own in settings if own.get(name)}
        for name in ("benchmark", "algorithm", "method")
    ]
    words = [", ".join(sorted(part)) for part in parts if part]
    seeds = {seed for own in settings for seed in _seeds(own)}
    return escape_label(" · ".join([*words, *([_name_seeds(seeds)] if seeds else [])]))


def _seeds(settings: Mapping[str, Any]) -> range:
    first, count = settings.get("seed", 0), settings.get("seeds", 1)
    known = type(first) is int and type(count) is int and 0 < count <= MOST_SEEDS
    return range(first, first + count) if known else range(0)


def _name_seeds(seeds: set[int]) -> str:
    """Return seeds in words.

    Example:
        >>> _name_seeds({0}), _name_seeds({0, 1, 2}), _name_seeds({3, 7})
        ('seed 0', 'seeds 0 to 2', 'seeds 3, 7')
    """
    least, most = min(seeds), max(seeds)
    if least == most:
        return f"seed {least}"
    if len(seeds) == most - least + 1:
        return f"seeds {least} to {most}"
    return f"seeds {', '.join(map(str, sorted(seeds)))}"


def draw_curve(
    curves: Mapping[str, Sequence[Mapping[str, Any]]], *, style: str = "light", title: str = ""
) -> Figure:
    """Return the picture: a line for practice and dots for evaluations, by training and seed.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    look = find_look(style)
    figure, panel = _paper(look)
    lines, (unit, words) = 0, _choose_unit(curves)
    for name, rows in curves.items():
        seeds = sorted({row["seed"] for row in rows})
        for seed in seeds:
            label = name if len(seeds) == 1 else f"{name}, seed {seed}"
            colour = look.lines[lines % len(look.lines)]
            dashes = DASHES[lines // len(look.lines) % len(DASHES)]
            own = [row for row in rows if row["seed"] == seed]
            _draw(panel, own, {"color": colour, "linestyle": dashes, "label": label}, unit)
            lines += 1
    panel.set_title(title, color=look.ink, fontsize=12, loc="left")
    panel.set_ylim(-2, 102)
    panel.set_xlim(left=0)
    panel.set_xlabel(f"decisions learned from ({words})", color=look.ink, fontsize=12)
    panel.set_ylabel("levels completed (%)", color=look.ink, fontsize=12)
    if 1 < lines <= MOST_NAMED:
        panel.legend(frameon=False, labelcolor=look.ink, fontsize=9)
    judged = any("evaluation" in row for rows in curves.values() for row in rows)
    words = "line: games of practice" + "; dots: evaluations under the protocol" * judged
    figure.text(0.01, 0.015, words, color=look.ink, fontsize=9, alpha=0.8)
    return figure


def draw_scores(folder: str | PathLike[str], *, style: str = "light") -> Figure:
    """Return the curve of a training that is measured in scores: rounds, and dots for evaluations.

    Raises:
        OptionError: The folder has no curve, or there is no such style.
        MissingExtra: matplotlib is not installed.
    """
    rows = read_curve(str(folder))
    look = find_look(style)
    figure, panel = _paper(look)
    for name, colour in (("best", look.lines[0]), ("score", look.lines[1 % len(look.lines)])):
        points = [(row["plays"], row[name]) for row in rows if name in row]
        panel.plot(*np.array(points).reshape(-1, 2).T, color=colour, linewidth=1.2)
    judged = [(row["plays"], row["evaluation"]["score"]) for row in rows if "evaluation" in row]
    panel.plot(*np.array(judged).reshape(-1, 2).T, "o", color=look.ink, markersize=5)
    panel.set_title(_describe([folder]), color=look.ink, fontsize=12, loc="left")
    panel.set_xlim(left=0)
    panel.set_xlabel("levels played to learn from", color=look.ink, fontsize=12)
    panel.set_ylabel("score of a level", color=look.ink, fontsize=12)
    words = "lines: best candidate and mean of a round; dots: evaluations on levels not trained on"
    figure.text(0.01, 0.015, words, color=look.ink, fontsize=9, alpha=0.8)
    return figure


def draw_generalisation(
    levels: Sequence[int],
    trained: Sequence[Estimate],
    unseen: Sequence[Estimate],
    *,
    style: str = "light",
    title: str = "",
) -> Figure:
    """Return success on training levels and on unseen ones, by the number of training levels.

    Args:
        levels: How many levels each policy was trained on.
        trained: The share of them that it completes, with its interval.
        unseen: The same of levels that it was not trained on.
        style: ``light`` or ``dark``.
        title: What is written above.

    Raises:
        OptionError: There is no such style.
        MissingExtra: matplotlib is not installed.
    """
    look = find_look(style)
    figure, panel = _paper(look)
    words = {"levels it was trained on": trained, "unseen levels": unseen}
    for colour, (label, shares) in zip(look.lines, words.items(), strict=False):
        values = np.array([(one.value, one.low, one.high) for one in shares]).T * 100
        margins = np.abs(values[1:] - values[0])
        panel.errorbar(levels, values[0], margins, fmt="o-", color=colour, label=label, capsize=3)
    panel.set_title(title, color=look.ink, fontsize=12, loc="left")
    panel.set_xscale("log")
    panel.set_xticks(levels, [f"{count:,}" for count in levels])
    panel.minorticks_off()
    panel.set_ylim(-2, 102)
    panel.set_xlabel("levels to train on", color=look.ink, fontsize=12)
    panel.set_ylabel("levels completed (%)", color=look.ink, fontsize=12)
    panel.legend(frameon=False, labelcolor=look.ink, fontsize=9)
    note = "bars: 95 % intervals of the games that were evaluated; one training each"
    figure.text(0.01, 0.015, note, color=look.ink, fontsize=9, alpha=0.8)
    return figure


def _paper(look: Look) -> tuple[Figure, Any]:
    figure = figure_class()(figsize=SIZE, dpi=DPI, facecolor=look.paper)
    panel = figure.add_axes((0.08, 0.2, 0.89, 0.71), facecolor=look.panel)
    panel.grid(visible=True, color=look.faint, linewidth=0.6)
    panel.tick_params(colors=look.ink, labelsize=10)
    for spine in panel.spines.values():
        spine.set_visible(False)
    return figure, panel


def _choose_unit(curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[float, str]:
    """Return the unit in which people read how many decisions there were."""
    most = max((row["steps"] for rows in curves.values() for row in rows), default=0)
    return (1e6, "millions") if most >= MILLION else (1e3, "thousands")


def _draw(
    panel: Any, rows: Sequence[Mapping[str, Any]], line: Mapping[str, str], unit: float
) -> None:
    practice = np.array([(r["steps"], r["success"]) for r in rows if "success" in r]).reshape(-1, 2)
    judged = [(r["steps"], r["evaluation"]["success"]) for r in rows if "evaluation" in r]
    dots = np.array(judged).reshape(-1, 2)
    panel.plot(practice[:, 0] / unit, 100 * practice[:, 1], lw=1.6, **line)
    panel.plot(dots[:, 0] / unit, 100 * dots[:, 1], "o", color=line["color"], markersize=5)
