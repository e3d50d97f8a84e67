"""Trained worms in pictures: how they learned, what they score, how they turn.

- ``learning``: the success of each brain's trainings over their episodes
- ``parts``: what each score is made of
- ``klinokinesis``: how often worms turn, by how the smell just changed
- ``weathervane``: how much they curve, by where the smell comes from
- ``dish``: the way of the first brain's first training through its last dish
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludus.benchmarks.nematode.chemotaxis import Curve, Walk, klinokinesis, walk, weathervane
from ludus.benchmarks.nematode.score_files import assess_session
from ludus.benchmarks.nematode.scoring import BANDS, WEIGHTS, Composite, score_trainings
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.errors import OptionError
from ludus.games.worm import replay
from ludus.games.worm.pictures import write_picture as write_dish
from ludus.games.worm.training import Session, unpack_actions
from ludus.reports.sheet import Look, find_look, finish, new_canvas, write_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "draw_klinokinesis",
    "draw_learning",
    "draw_parts",
    "draw_weathervane",
    "plot_folders",
    "read_brains",
    "walks_of",
    "write_worm_plots",
]

MANY_EPISODES = 100
ROUND = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
WINDOW = 10
MOST = 6  # brains that can be told apart
TRAININGS, DISHES = 10, 5  # of which it is shown how worms turn
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

    The line is the mean over a brain's trainings, the band its 95 % interval.

    Args:
        brains: The trainings, of one to six brains.
        title: What stands above.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: There is no such style, no brain, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = _canvas(brains, style, 5.4)
    for row, (name, sessions) in enumerate(brains.items()):
        rates = _rolling(sessions)
        places = np.arange(WINDOW, WINDOW + rates.shape[1])
        colour = look.lines[row]
        mean, about = _mean_and_margin(rates)
        low, high = np.clip([mean - about, mean + about], 0, 1)
        panel.fill_between(places, low, high, color=colour, alpha=0.2, lw=0)
        count = f"{len(sessions)} trainings" if len(sessions) > 1 else "1 training"
        panel.plot(places, mean, color=colour, lw=2.4, label=f"{name} ({count})")
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
    _label(panel, look, "episodes", f"success in the last {WINDOW}")
    panel.legend(frameon=False, labelcolor=look.ink, fontsize=12, loc="lower right")
    note = "line: mean of the trainings · band: its 95 % interval · dots: 80 %, learned"
    return finish(figure, look, title or "Learning", note)


def draw_parts(brains: Brains, *, title: str = "", style: str = "light") -> Figure:
    """Return the picture of scores as bars of the four parts they are made of.

    Raises:
        OptionError: There is no such style, no brain, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = _canvas(brains, style, 2.6 + 0.62 * max(len(brains), 2))
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
    _label(panel, look, "score", "")
    panel.legend(
        frameon=False,
        labelcolor=look.ink,
        fontsize=12,
        ncols=4,
        loc="lower left",
        bbox_to_anchor=(-0.01, 1.0),
        handlelength=1.0,
    )
    note = "the mark: 95 % interval of the score over trainings · lines: Acceptable to Exceptional"
    return finish(figure, look, title or "What scores are made of", note)


def _draw_bar(panel: Axes, look: Look, row: int, score: Composite) -> None:
    left = 0.0
    for number, name in enumerate(WEIGHTS):
        part = score.parts[name]
        label = NAMES[name] if row == 0 else None
        colour = look.lines[number]
        panel.barh(row, part, left=left, height=0.62, color=colour, label=label)
        left += part
    margin = score.margin or 0.0
    ends = [score.total - margin, score.total + margin]
    panel.plot(ends, [row, row], color=look.ink, lw=2.2, solid_capstyle="butt")
    panel.annotate(
        f"{score.total:.3f}",
        (score.total + margin, row),
        (8, 0),
        textcoords="offset points",
        va="center",
        fontsize=13,
        color=look.ink,
    )


def draw_klinokinesis(
    curves: Mapping[str, Curve], *, title: str = "", style: str = "light"
) -> Figure:
    """Return the picture of how often worms turn, by how the smell just changed.

    Raises:
        OptionError: There is no such style, no curve, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = _canvas(curves, style, 5.0)
    _draw_curves(panel, look, curves, "{name}: {strength:.2f} × as often while it fades")
    panel.set_ylim(0, None)
    panel.yaxis.set_major_formatter("{x:.0%}")
    _label(panel, look, "change of the smell in the step before", "steps that turn")
    panel.axvline(0, color=look.ink, lw=1, ls=(0, (2, 3)))
    return finish(figure, look, title or "Klinokinesis", "bars: standard errors")


def draw_weathervane(
    curves: Mapping[str, Curve], *, title: str = "", style: str = "light"
) -> Figure:
    """Return the picture of how much worms curve, by where the smell comes from.

    Raises:
        OptionError: There is no such style, no curve, or too many.
        MissingExtra: matplotlib is not installed.
    """
    figure, panel, look = _canvas(curves, style, 5.0)
    _draw_curves(panel, look, curves, "{name}: slope {strength:.3f}")
    quarter = np.pi / 2
    names = ["behind", "right", "ahead", "left", "behind"]
    panel.set_xticks([-2 * quarter, -quarter, 0, quarter, 2 * quarter], names)
    panel.axhline(0, color=look.ink, lw=1, ls=(0, (2, 3)))
    _label(panel, look, "where the smell comes from", "mean turn (radians, left above 0)")
    return finish(figure, look, title or "Weathervane", "bars: standard errors")


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


def walks_of(sessions: Sequence[Session]) -> list[Walk]:
    """Return how the trained worm moved, in the last dishes of some trainings with actions."""
    walks = []
    for session in [candidate for candidate in sessions if candidate.actions][:TRAININGS]:
        actions = unpack_actions(session.actions or "")
        ends = np.cumsum(session.steps)
        for number in range(max(len(ends) - DISHES, 0), len(ends)):
            dish_actions = actions[int(ends[number]) - session.steps[number] : int(ends[number])]
            seed = int(session.first_seed or 0) + number
            walks.append(walk(str(session.task), seed, dish_actions))
    return walks


def write_worm_plots(
    folder: str | PathLike[str], brains: Brains, *, style: str = "light"
) -> list[Path]:
    """Write all pictures of trained brains into a folder, and return their places.

    How worms turn, and the dish, can be seen only in trainings that hold their actions.

    Raises:
        OptionError: There is no such style, or a file cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    figures = {
        "learning": draw_learning(brains, style=style),
        "parts": draw_parts(brains, style=style),
    }
    walks = {name: walks_of(sessions) for name, sessions in brains.items()}
    moving = {name: movements for name, movements in walks.items() if movements}
    if moving:
        turning = {name: klinokinesis(movements) for name, movements in moving.items()}
        curving = {name: weathervane(movements) for name, movements in moving.items()}
        figures["klinokinesis"] = draw_klinokinesis(turning, style=style)
        figures["weathervane"] = draw_weathervane(curving, style=style)
    files = write_figures(folder, figures)
    if moving:
        files.append(Path(folder) / "dish.png")
        _write_dish(files[-1], brains[next(iter(moving))][0], style)
    return files


def plot_folders(
    folders: Sequence[str | PathLike[str]], out: str | PathLike[str], *, style: str = "light"
) -> list[Path]:
    """Draw folders of trainings into a folder and return the pictures' paths.

    Raises:
        OptionError: A folder holds no trainings, or a picture cannot be written.
        MissingExtra: matplotlib is not installed.
    """
    return write_worm_plots(out, read_brains(folders), style=style)


def _write_dish(path: Path, session: Session, style: str) -> None:
    """Write the last dish of a training."""
    actions = unpack_actions(session.actions or "")
    seed = int(session.first_seed or 0) + len(session.successes) - 1
    world = replay(str(session.task), seed, actions[-session.steps[-1] :])
    write_dish(path, world, theme=style)


# ---- common


def _rolling(sessions: Sequence[Session]) -> NDArray[np.float64]:
    """Return the success over the last ten episodes, a row a training; nan after a short one."""
    longest = max(len(session.successes) for session in sessions)
    if longest < WINDOW:
        raise OptionError(f"trainings of {longest} episodes show no learning: {WINDOW} at least")
    rates = np.full((len(sessions), longest - WINDOW + 1), np.nan)
    for row, session in enumerate(sessions):
        sums = np.cumsum([0, *map(int, session.successes)])
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


def _draw_curves(panel: Axes, look: Look, curves: Mapping[str, Curve], label: str) -> None:
    for row, (name, curve) in enumerate(curves.items()):
        panel.errorbar(
            curve.positions,
            curve.values,
            curve.errors,
            color=look.lines[row],
            lw=2.4,
            marker="o",
            markersize=6,
            capsize=0,
            label=label.format(name=name, strength=curve.strength),
        )
    panel.legend(frameon=False, labelcolor=look.ink, fontsize=12)


def _canvas(curves: Mapping[str, Any], style: str, height: float) -> tuple[Figure, Axes, Look]:
    look = find_look(style)
    if not 1 <= len(curves) <= MOST:
        raise OptionError(f"{len(curves)} cannot be told apart in a picture: give 1 to {MOST}")
    return *new_canvas(look, height, 12), look


def _label(panel: Axes, look: Look, across: str, up: str) -> None:
    panel.set_xlabel(across, color=look.ink, fontsize=13)
    panel.set_ylabel(up, color=look.ink, fontsize=13)
