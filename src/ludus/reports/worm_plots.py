"""Trained worms in pictures: how they learned, what they score, how they turn.

- ``learning``: the success of each brain's trainings over their episodes, beside that of chance
- ``parts``: what each score is made of
- ``klinokinesis``: how often worms turn, by how the smell just changed
- ``weathervane``: how much they curve, by where the smell comes from
- ``thermotaxis``: how much time they spend how far from their temperature, where there is one
- ``dish``: the way of the first brain's first training through its last dish
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks.nematode.chance import play_chance_trainings
from ludus.benchmarks.nematode.score_files import assess_session
from ludus.benchmarks.nematode.scoring import (
    BANDS,
    WEIGHTS,
    Composite,
    count_trainings,
    score_trainings,
)
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.errors import OptionError
from ludus.games.worm.training import Session
from ludus.reports.sheet import FORMATS, Look, escape_label, finish, readable, write_figures
from ludus.reports.worm_behaviour import groups_of_sessions, measure_sessions
from ludus.reports.worm_curves import (
    break_title,
    draw_klinokinesis,
    draw_thermotaxis,
    draw_weathervane,
    label_axes,
    list_above,
    new_panel,
)
from ludus.reports.worm_dish import draw_dish

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "describe_brains",
    "draw_learning",
    "draw_parts",
    "plot_folders",
    "read_brains",
    "write_worm_plots",
]

MANY_EPISODES = 100
ROUND = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
WINDOW = 10
CHANCE_TRAININGS = 10
"""So many trainings are walked through by chance."""
MOST_SEEDS = 4  # that a title names
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (8, 2, 2, 2)), (0, (4, 4)), ":")
"""What lines are told apart by, besides their colours."""
CHANCE_DASHES = (0, (5, 2, 1, 2, 1, 2))
BAR = 0.62
ROOM = 0.06  # of a part whose figure fits into its bar
PARTS = ("#0072b2", "#e69f00", "#56b4e9", "#cc79a7")
"""Colours of the parts, which colour-blind readers can tell apart too (Okabe and Ito)."""
NAMES = {
    "success_rate": "success",
    "distance_efficiency": "efficiency",
    "learning_speed": "learning speed",
    "stability": "stability",
}

Brains = Mapping[str, Sequence[Session]]
"""The trainings of brains, by what the pictures call them."""


def draw_learning(brains: Brains, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of the success over the last ten episodes as trainings go on.

    The line is the mean over a brain's trainings, the band its 95 % interval. A line of dots and
    dashes is a walker by chance in the same dishes, where the trainings say which these were.

    Args:
        brains: The trainings, of one to six brains.
        title: What stands above.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: There is no such style, no brain, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = new_panel(brains, style, 5.4 + 0.15 * len(brains))
    for row, (name, sessions) in enumerate(brains.items()):
        label = f"{name} ({count_trainings(len(sessions))})"
        rates = _rolling([session.successes for session in sessions])
        _draw_rates(panel, rates, label, color=look.lines[row], lw=2.4, ls=DASHES[row])
    for label, rates in _chance_rates(brains):
        _draw_rates(panel, rates, label, color=look.ink, lw=1.4, ls=CHANCE_DASHES)
    panel.axhline(0.8, color=look.ink, lw=1, ls=(0, (2, 3)))
    panel.set_ylim(-0.02, 1.02)
    longest = panel.dataLim.x1
    if longest > MANY_EPISODES:  # most is learned in the first of them
        panel.set_xscale("log")
        panel.set_xticks([tick for tick in ROUND if tick <= longest], minor=False)
        panel.set_xticks([], minor=True)
        panel.xaxis.set_major_formatter("{x:.0f}")
    panel.set_xlim(WINDOW if longest > MANY_EPISODES else 0, longest)
    panel.yaxis.set_major_formatter("{x:.0%}")
    label_axes(panel, look, "episodes", f"success in the last {WINDOW} episodes (%)")
    list_above(panel, look, ncols=2, handlelength=3.0)
    note = "line: mean of the trainings · band: its 95 % interval · dots: 80 %, learned"
    return finish(figure, look, title or _title("Learning", brains), note)


def _draw_rates(panel: Axes, rates: NDArray[np.float64], label: str, **line: Any) -> None:
    """Draw the mean of trainings, in a band of its 95 % interval."""
    places = np.arange(WINDOW, WINDOW + rates.shape[1])
    mean, about = _mean_and_margin(rates)
    low, high = np.clip([mean - about, mean + about], 0, 1)
    panel.fill_between(places, low, high, color=line["color"], alpha=0.2, lw=0)
    panel.plot(places, mean, label=escape_label(label), **line)


def _chance_rates(brains: Brains) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield the success of a walker by chance on each task, in the dishes of its trainings."""
    everybody = [session for sessions in brains.values() for session in sessions]
    known = [one for one in everybody if one.task and one.first_seed is not None and one.actions]
    tasks = dict.fromkeys(str(one.task) for one in known)
    for task in tasks:
        played = [one for one in known if one.task == task]
        first = sorted({int(one.first_seed or 0) for one in played})[:CHANCE_TRAININGS]
        walked = play_chance_trainings(task, first, max(len(one.successes) for one in played))
        where = f" on {task}" if len(tasks) > 1 else ""
        yield f"chance: a random walker{where} ({count_trainings(len(first))})", _rolling(walked)


def draw_parts(brains: Brains, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of scores as bars of the four parts they are made of.

    Raises:
        OptionError: There is no such style, no brain, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = new_panel(brains, style, 2.6 + 0.62 * max(len(brains), 2))
    scores = {
        name: score_trainings(map(assess_session, sessions)) for name, sessions in brains.items()
    }
    ordered = sorted(scores, key=lambda name: -scores[name].total)
    for row, name in enumerate(ordered):
        _draw_bar(panel, look, row, scores[name])
    panel.set_yticks(range(len(ordered)), ordered, color=look.ink, fontsize=13)
    panel.set_ylim(len(ordered) - 0.5, -0.5)
    panel.set_xlim(0, 1)
    panel.set_xticks([0, *(lowest for lowest, _ in reversed(BANDS)), 1])
    panel.grid(visible=False, axis="y")
    label_axes(panel, look, "composite score (0 to 1)", "")
    list_above(panel, look, ncols=4, handlelength=1.0)
    note = (
        "line below: 95 % interval of the score over trainings · lines: Acceptable to Exceptional"
    )
    return finish(figure, look, title or _title("Score", brains), note)


def _draw_bar(panel: Axes, look: Look, row: int, score: Composite) -> None:
    from matplotlib.colors import to_rgb

    left = 0.0
    for number, name in enumerate(WEIGHTS):
        part = score.parts[name]
        label = NAMES[name] if row == 0 else None
        panel.barh(row, part, left=left, height=BAR, color=PARTS[number], label=label)
        if part >= ROOM:
            middle = left + part / 2
            ink = readable(to_rgb(PARTS[number]))
            panel.text(middle, row, f"{part:.3f}", ha="center", va="center", fontsize=11, color=ink)
        left += part
    margin = score.margin or 0.0
    ends = [score.total - margin, score.total + margin]
    below = row + BAR / 2 + 0.06  # on the bar it would strike out the figure of its last part
    panel.plot(ends, [below, below], color=look.ink, lw=2.2, solid_capstyle="butt")
    panel.annotate(
        f"{score.total:.3f}",
        (score.total, row),
        (8, 0),
        textcoords="offset points",
        va="center",
        fontsize=13,
        color=look.ink,
    )


# ---- from folders of trainings


def read_brains(folders: Sequence[str | PathLike[str]]) -> dict[str, list[Session]]:
    """Return the trainings in folders by the brains' names; those that come again get a number.

    Raises:
        OptionError: A folder holds no session, or a file that is none.
    """
    brains: dict[str, list[Session]] = {}
    for folder in map(Path, folders):
        sessions, faults = read_sessions(folder)
        if faults:
            raise OptionError(faults[0])
        name = sessions[0].brain or folder.name
        namesakes = sum(other.partition(" (")[0] == name for other in brains)
        brains[f"{name} ({namesakes + 1})" if namesakes else name] = sessions
    return brains


def write_worm_plots(
    folder: str | PathLike[str],
    brains: Brains,
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Write all pictures of trained brains into a folder, and return their places.

    How worms turn, and the dish, can be seen only in trainings that hold their actions.

    Raises:
        OptionError: There is no such style or format, or a file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    figures = {
        "learning": draw_learning(brains, style=style),
        "parts": draw_parts(brains, style=style),
    }
    moving = {name: sessions for name, sessions in brains.items() if groups_of_sessions(sessions)}
    if moving:
        measured = {name: measure_sessions(sessions) for name, sessions in moving.items()}
        figures["klinokinesis"] = draw_klinokinesis(measured, style=style)
        figures["weathervane"] = draw_weathervane(measured, style=style)
        if all("thermotaxis" in one.curves for one in measured.values()):
            figures["thermotaxis"] = draw_thermotaxis(measured, style=style)
        name, sessions = next(iter(moving.items()))
        seen = next(session for session in sessions if session.actions)
        figures["dish"] = draw_dish(seen, name=name, style=style)
    return write_figures(folder, figures, formats)


def plot_folders(
    folders: Sequence[str | PathLike[str]],
    out: str | PathLike[str],
    *,
    style: str = "light",
    formats: Sequence[str] = FORMATS[:1],
) -> list[Path]:
    """Draw folders of trainings into a folder and return the pictures' paths.

    Raises:
        OptionError: A folder holds no trainings, or a picture cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    return write_worm_plots(out, read_brains(folders), style=style, formats=formats)


# ---- common


def _rolling(trainings: Sequence[Sequence[bool]] | NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the success over the last ten episodes, a row a training; nan after a short one."""
    longest = max(len(successes) for successes in trainings)
    if longest < WINDOW:
        raise OptionError(f"trainings of {longest} episodes show no learning: {WINDOW} at least")
    rates = np.full((len(trainings), longest - WINDOW + 1), np.nan)
    for row, successes in enumerate(trainings):
        sums = np.cumsum([0, *map(int, successes)])
        shares = (sums[WINDOW:] - sums[:-WINDOW]) / WINDOW
        rates[row, : len(shares)] = shares
    return rates


def _mean_and_margin(rates: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of each column and 1.96 standard errors of it; 0 for a single training."""
    finite = np.isfinite(rates)
    counts = finite.sum(axis=0)
    mean = np.where(finite, rates, 0).sum(axis=0) / counts
    squares = np.where(finite, (rates - mean) ** 2, 0).sum(axis=0)
    return mean, 1.96 * np.sqrt(squares / np.maximum(counts - 1, 1) / counts)


def describe_brains(brains: Brains) -> str:
    """Return the task, the brains, how many trainings there are of each, and their seeds."""
    everybody = [session for sessions in brains.values() for session in sessions]
    tasks = dict.fromkeys(session.task or "unnamed task" for session in everybody)
    names = next(iter(brains)) if len(brains) == 1 else f"{len(brains)} brains"
    counts = sorted({len(sessions) for sessions in brains.values()})
    size = f"n = {counts[0]}" if len(counts) == 1 else f"n = {counts[0]} to {counts[-1]}"
    seeds = sorted({session.seed for session in everybody if session.seed is not None})
    shown = ", ".join(map(str, seeds[:MOST_SEEDS])) + (", …" if len(seeds) > MOST_SEEDS else "")
    known = f" · seed {shown}" if seeds else ""
    each = " each" if len(brains) > 1 else ""
    return f"{', '.join(tasks)} · {names} · {size} trainings{each}{known}"


def _title(words: str, brains: Brains) -> str:
    return break_title(f"{words} · {describe_brains(brains)}")
