"""``ludus train nematode/…``: the worm's brains are trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.agents.worm.brains import KINDS
from ludus.cli.options import JsonOption, OnOption, WorkersOption
from ludus.cli.output import print_json
from ludus.cli.progress import training_progress
from ludus.cli.tables import show_table
from ludus.cli.training_options import (
    ResumeTrainingOption,
    SettingOption,
    TrainingFolderOption,
    parse_settings,
)

if TYPE_CHECKING:
    from ludus.learning.worm import Standing, Trainings

__all__ = ["show_progress", "train"]

INTERRUPTED = 130
LAST = 100

Task = Annotated[
    str | None, typer.Argument(metavar="BENCHMARK", help="nematode/TASK, or the task alone.")
]


def train(
    benchmark: Task = None,
    brain: Annotated[
        str, typer.Option("--brain", help="Who is trained: a name, or yours as file.py:Class.")
    ] = "mlp-ppo",
    trainings: Annotated[
        int, typer.Option("--trainings", help="How many brains are trained.")
    ] = 50,
    episodes: Annotated[
        int | None,
        typer.Option("--episodes", help="Episodes of a training.", show_default="the board's 500"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The first seed.")] = 0,
    rules: Annotated[str | None, typer.Option("--rules", help="corrected or reference.")] = None,
    setting: SettingOption = None,
    out: TrainingFolderOption = None,
    resume: ResumeTrainingOption = None,
    workers: WorkersOption = None,
    on: OnOption = "here",
    json: JsonOption = False,
) -> None:
    """Train a brain of the worm many times.

    Example: ludus train nematode/foraging-small --brain mlp-ppo --trainings 50
    """
    from ludus.learning import worm

    def work(on_progress: Any) -> Trainings:
        common: dict[str, Any] = {"workers": workers, "on": on, "on_progress": on_progress}
        if resume is not None:
            return worm.resume(resume, **common)
        return worm.train(
            benchmark or "",
            brain,
            trainings=trainings,
            episodes=episodes,
            seed=seed,
            rules=rules,
            folder=out,
            settings=parse_settings(setting or []),
            **common,
        )

    _run_training(work, json)


def _run_training(work: Callable[[Any], Trainings], json: bool) -> None:
    """Train with a progress bar and print what came of it."""
    try:
        with show_progress() as on_progress:
            done = work(on_progress)
    except KeyboardInterrupt:
        typer.echo("stopped; the same command, or --resume FOLDER, goes on", err=True)
        raise typer.Exit(INTERRUPTED) from None
    sessions = done.read()
    figures = [_figures(session) for session in sessions]
    means = {name: fmean(one[name] for one in figures) for name in figures[0]}
    if json:
        print_json({"folder": str(done.folder), "trainings": len(figures), **means})
        return
    _report(done, means)
    kind, task = sessions[0]["config"]["brain"]["kind"], sessions[0]["task"].split("@")[0]
    if done.brains and kind in KINDS:
        typer.echo(f"play one: ludus run worm/{task} {done.brains[0]}")


def show_progress() -> AbstractContextManager[Callable[[Standing], None] | None]:
    """Show how trainings stand on stderr, which only a terminal gets to see."""
    return training_progress(_describe)


def _describe(now: Standing) -> tuple[int, int, str]:
    """Return how trainings stand: what is done, what there is to do, and a line."""
    line = f"{now.episodes:,} of {now.total:,} episodes  success {now.success:.0%}"
    return now.episodes, now.total, line


def _figures(session: Mapping[str, Any]) -> dict[str, float]:
    wins = [int(flag) for flag in session["success"]]
    figures = {
        "success_rate": fmean(wins),
        "success_at_the_end": fmean(wins[-LAST:]),
        "distance_efficiency": fmean(session["distance_efficiency"]),
        "steps": fmean(session["steps"]),
        "parameters": session["parameters"],
        "environment_steps": session["environment_steps"],
        "cpu_seconds": session["cpu_seconds"],
    }
    if session["evaluation"]:
        figures["held_out_success_rate"] = session["evaluation"]["success_rate"]
        figures["held_out_by_chance"] = session["evaluation"]["sampled"]["success_rate"]
    return figures


def _report(done: Trainings, means: Mapping[str, float]) -> None:
    wording = {
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
    rows = [[words, form.format(means[n])] for n, (words, form) in wording.items() if n in means]
    title = f"{len(done.sessions)} trainings, means"
    show_table(title, ["figure", "mean"], rows, left=(0,), fold=(0,))
    typer.echo(f"\nfolder: {done.folder}")
