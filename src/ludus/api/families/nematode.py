"""Training brains of the worm."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ludus.agents.worm.brains import KINDS
from ludus.api.training import TrainingResult
from ludus.reports.tables import TableView

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ludus.games.worm.training import Session
    from ludus.learning.worm import Trainings

__all__ = ["LAST", "train"]

LAST = 100
WORDING = {
    "success_rate": ("success in all episodes", "{:.1%}"),
    "success_at_the_end": (f"success in the last {LAST}", "{:.1%}"),
    "distance_efficiency": ("distance efficiency", "{:.3f}"),
    "steps": ("steps an episode", "{:.0f}"),
    "held_out_success_rate": ("unseen worlds, no exploration: success", "{:.1%}"),
    "held_out_by_chance": ("unseen worlds, actions by chance: success", "{:.1%}"),
    "parameters": ("parameters", "{:,.0f}"),
    "environment_steps": ("environment steps a training", "{:,.0f}"),
    "cpu_seconds": ("processor seconds a training", "{:.1f}"),
}
"""What tables call the figures, and how they write them."""


def train(
    benchmark: str | None = None,
    *,
    resume: str | Path | None = None,
    out: str | Path | None = None,
    **options: Any,
) -> TrainingResult:
    """Train a brain many times, or bring trainings to their end.

    Args:
        benchmark: ``nematode/TASK``, or the task.
        resume: The folder of trainings.
        out: The folder; ``runs/…`` if None.
        **options: As :func:`ludus.learning.worm.train` takes them.

    Raises:
        OptionError: An option is unknown or out of range.
        RunError: The folder holds no trainings.
        MissingExtra: JAX is not installed.
    """
    from ludus.learning import worm

    if resume is not None:
        trainings = worm.resume(resume, **options)
    else:
        trainings = worm.train(benchmark or "", folder=out, **options)
    return _make_result(trainings)


def _make_result(trainings: Trainings) -> TrainingResult:
    sessions = trainings.read()
    rows = [_figures(session) for session in sessions]
    means = {name: fmean(row[name] for row in rows) for name in rows[0]}
    task, config = str(sessions[0].task).split("@")[0], sessions[0].config or {}
    return TrainingResult(
        folder=trainings.folder,
        benchmark=f"worm/{task}",
        agents=[str(brain) for brain in trainings.brains]
        if config["brain"]["kind"] in KINDS
        else [],
        rows=rows,
        table=_view(trainings.folder, len(rows), means),
        draw=lambda style: _draw_learning(trainings.folder, style),
        outcome=means,
    )


def _figures(session: Session) -> dict[str, float]:
    figures = {
        "success_rate": fmean(session.successes),
        "success_at_the_end": fmean(session.successes[-LAST:]),
        "distance_efficiency": fmean(session.efficiencies),
        "steps": fmean(session.steps),
        "parameters": session.declaration.parameters,
        "environment_steps": sum(session.steps),
        "cpu_seconds": session.cpu_seconds,
    }
    if session.evaluation:
        figures["held_out_success_rate"] = session.evaluation["success_rate"]
        figures["held_out_by_chance"] = session.evaluation["sampled"]["success_rate"]
    return figures


def _view(folder: Path, trainings: int, means: Mapping[str, float]) -> TableView:
    return TableView(
        title=f"{trainings} trainings, means",
        headings=["figure", "mean"],
        rows=[
            [words, form.format(means[name])]
            for name, (words, form) in WORDING.items()
            if name in means
        ],
        left=(0,),
        fold=(0,),
        notes=[f"folder: {folder}"],
    )


def _draw_learning(folder: Path, style: str) -> Figure:
    from ludus.reports.worm_plots import draw_learning, read_brains

    return draw_learning(read_brains([folder]), style=style)
