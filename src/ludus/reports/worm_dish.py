"""A dish as a figure to print: the worm's way with scale, legend, task and episode."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ludus.errors import OptionError
from ludus.games.worm import Task, replay
from ludus.games.worm.pictures import SIDE, frame
from ludus.games.worm.pictures.painter import MARGIN
from ludus.games.worm.pictures.themes import THEMES, DishTheme
from ludus.games.worm.training import Session, unpack_actions
from ludus.reports.sheet import WIDTH, Look, figure_class, find_look, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_dish"]

DPI = 150
HEIGHT = 7.4
SCALE_CELLS = 5
FULL = 255


def draw_dish(
    session: Session, episode: int = -1, *, name: str = "", style: str = "light"
) -> Figure:
    """Return the picture of a dish of a training, as its worm left it.

    Args:
        session: The training, with its actions.
        episode: Which of its episodes, from 0; the last if -1.
        name: What the brain is called; as the session says if empty.
        style: ``light`` or ``dark``.

    Raises:
        OptionError: The session has no actions or no such episode, or there is no such style.
        MissingExtra: matplotlib is not installed.
    """
    count = len(session.steps)
    if not session.actions or not -count <= episode < count:
        raise OptionError(f"{session.name} has no actions of an episode {episode}")
    number = episode % count
    start = sum(session.steps[:number])
    seed = int(session.first_seed or 0) + number
    actions = unpack_actions(session.actions)[start : start + session.steps[number]]
    world = replay(str(session.task), seed, actions)
    look = find_look(style)
    figure = figure_class()(
        figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor=look.paper, layout="constrained"
    )
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12)
    panel = figure.subplots()
    panel.imshow(frame(world, theme=style), interpolation="none")
    panel.set_axis_off()
    _draw_scale(panel, look, world.task)
    _list_signs(panel, look, THEMES[style], world.task)
    training = "" if session.training is None else f"training {session.training + 1}, "
    title = f"{session.task} · {name or session.brain} · {training}episode {number + 1} of {count}"
    figures = world.figures()
    note = (
        f"seed {seed} · {world.steps} steps · {figures['foods']:.0f} of {world.task.target} foods "
        f"· ended: {world.ending.reason.replace('_', ' ')}"
    )
    return finish(figure, look, fill(title, 62), note)


def _draw_scale(panel: Axes, look: Look, task: Task) -> None:
    """Draw a bar of five cells, or millimetres, above the dish."""
    length = SCALE_CELLS * SIDE / task.size
    unit = "cells" if task.substrate == "grid" else "mm"
    panel.plot([MARGIN, MARGIN + length], [-10, -10], color=look.ink, lw=3, solid_capstyle="butt")
    whole = f"{SCALE_CELLS} {unit} (the dish: {task.size:g} × {task.size:g})"
    panel.text(MARGIN + length + 8, -10, whole, va="center", fontsize=11, color=look.ink)
    panel.set_ylim(panel.get_ylim()[0], -24)


def _list_signs(panel: Axes, look: Look, theme: DishTheme, task: Task) -> None:
    """List what the colours and signs of the dish mean, beside it."""
    panel.legend(
        handles=list(_make_signs(theme, task)),
        frameon=False,
        labelcolor=look.ink,
        fontsize=12,
        loc="upper left",
        bbox_to_anchor=(1.0, 0.97),
        handlelength=1.6,
    )


def _make_signs(theme: DishTheme, task: Task) -> Iterator[Any]:
    yield _make_sign("worm", "o", theme.worm, theme.worm_edge)
    yield _make_sign("its way", "", theme.trail)
    yield _make_sign("food", "o", theme.food)
    yield _make_sign("smell of food", "s", theme.scent)
    if task.predators is not None:
        yield _make_sign("predator", "*", theme.predator)
    if task.temperature is not None:
        yield _make_sign("too warm", "s", theme.warm)
        yield _make_sign("too cold", "s", theme.cold)
    if task.oxygen is not None:
        yield _make_sign("bad air", "s", theme.air)
    yield _make_sign("eaten (dots below)", "o", theme.food)
    yield _make_sign("satiety (bar below)", "s", theme.satiety)
    if task.health:
        yield _make_sign("health (bar below)", "s", theme.health)


def _make_sign(label: str, marker: str, colour: Any, edge: Any = None) -> Any:
    from matplotlib.lines import Line2D

    shade = tuple(part / FULL for part in colour)
    rim = tuple(part / FULL for part in edge) if edge else shade
    if not marker:
        return Line2D([], [], color=shade, lw=3, label=label)
    line: dict[str, Any] = {"ls": "", "markersize": 11, "mfc": shade, "mec": rim}
    return Line2D([], [], marker=marker, label=label, **line)
