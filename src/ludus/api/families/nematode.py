"""Training brains of the worm."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ludus.agents.worm.brains import KINDS
from ludus.api.training import TrainingResult
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.nematode.score_files import assess_own_length
from ludus.benchmarks.nematode.scoring import MIN_TRAININGS, WINDOW, Composite, score_trainings
from ludus.benchmarks.nematode.trainings import parse_task, task_spec
from ludus.errors import OptionError
from ludus.games.worm.training import EPISODES
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
    "cpu_seconds": ("CPU seconds a training", "{:.1f}"),
}
"""What tables call the figures, and how they write them."""


def train(
    benchmark: str | None = None,
    *,
    resume: str | Path | None = None,
    out: str | Path | None = None,
    sensing: str = "",
    world: str = "",
    **options: Any,
) -> TrainingResult:
    """Train a brain many times, or bring trainings to their end.

    Args:
        benchmark: ``nematode/TASK``, or the task.
        resume: The folder of trainings.
        out: The folder; ``runs/…`` if None.
        sensing: What the worm smells with; as the benchmark has it if empty.
        world: Which world, ``head`` or ``e25``; as the benchmark has it if empty.
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
        task = _find_task_spec(benchmark or "", {"sensing": sensing, "world": world})
        trainings = worm.train(task, folder=out, **options)
    return _make_result(trainings)


def _find_task_spec(benchmark: str, options: Mapping[str, str]) -> str:
    """Return the spec of a benchmark's task under the options that are set."""
    chosen = {name: value for name, value in options.items() if value}
    if not chosen:
        return benchmark
    task = benchmark.removeprefix("nematode/")
    return task_spec(task, **find_benchmark(f"nematode/{task}").non_default_options(chosen))


def _make_result(trainings: Trainings) -> TrainingResult:
    sessions = trainings.read()
    rows = [_figures(session) for session in sessions]
    means = {name: fmean(row[name] for row in rows) for name in rows[0]}
    score = score_trainings(map(assess_own_length, sessions))
    config = sessions[0].config or {}
    playable = config["brain"]["kind"] in KINDS
    return TrainingResult(
        folder=trainings.folder,
        benchmark=f"worm/{_split_task(sessions[0])[0]}",
        agents=[str(brain) for brain in trainings.brains] if playable else [],
        rows=rows,
        table=_view(trainings.folder, means, score),
        draw=lambda style: _draw_learning(trainings.folder, style),
        outcome={"composite": score.total, "band": score.band, **means},
        next_commands=list(_next_commands(trainings, sessions, playable=playable)),
    )


def _split_task(session: Session) -> tuple[str, dict[str, str] | None]:
    """Return the task's name, and the options of its benchmark; None if no benchmark has it."""
    try:
        return parse_task(str(session.task))
    except OptionError:
        return str(session.task).split("@")[0], None


def _next_commands(
    trainings: Trainings, sessions: Sequence[Session], *, playable: bool
) -> Iterator[tuple[str, str]]:
    """Yield what can be done with trainings: a few words and the command."""
    folder = shlex.quote(str(trainings.folder))
    if len(sessions[0].successes) >= WINDOW:
        yield "plot", f"ludus plot {folder} --out pictures"
    task, options = _split_task(sessions[0])
    if options is None:
        return
    words = "".join(f" --{name} {value}" for name, value in options.items())
    if playable and trainings.brains:
        yield "play one", f"ludus run worm/{task} {shlex.quote(str(trainings.brains[0]))}{words}"
    if len(sessions) >= MIN_TRAININGS and len(sessions[0].successes) == EPISODES:
        yield "enter the board", f"ludus submit {folder}"
    yield "see the board", f"ludus board nematode/{task}{words}"


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


def _view(folder: Path, means: Mapping[str, float], score: Composite) -> TableView:
    count = score.trainings
    figures = [
        [words, form.format(means[name])]
        for name, (words, form) in WORDING.items()
        if name in means
    ]
    return TableView(
        title="1 training" if count == 1 else f"{count} trainings, means",
        headings=["figure", "mean"],
        rows=[["composite score", f"{score.total:.4f}"], ["", score.band], *figures],
        left=(0,),
        fold=(0,),
        notes=[f"folder: {folder}"],
    )


def _draw_learning(folder: Path, style: str) -> Figure:
    from ludus.reports.worm_plots import draw_learning, read_brains

    return draw_learning(read_brains([folder]), style=style)
