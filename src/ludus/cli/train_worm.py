"""The part of ``ludus train`` that trains the worm's brains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import typer

from ludus.agents.worm.brains import KINDS
from ludus.cli.output import print_json
from ludus.cli.progress import training_progress
from ludus.cli.tables import show_table

if TYPE_CHECKING:
    from ludus.learning.worm import Standing, Trainings

__all__ = ["FAMILY", "is_worm_folder", "resume_worm", "shown", "train_worm"]

FAMILY = "nematode"
INTERRUPTED = 130
LAST = 100


def is_worm_folder(folder: Path) -> bool:
    """Return whether a folder holds trainings of the worm."""
    return (folder / "progress" / "plan.json").is_file()


def train_worm(
    task: str, brain: str, folder: Path | None, options: Mapping[str, Any], *, json: bool
) -> None:
    """Train a brain and print what came of it."""
    from ludus.learning.worm import train

    _told(lambda hear: train(task, brain, folder=folder, on_progress=hear, **options), json)


def resume_worm(folder: Path, workers: int | None, on: str, *, json: bool) -> None:
    """Bring trainings to their end and print what came of them."""
    from ludus.learning.worm import resume

    _told(lambda hear: resume(folder, workers=workers, on=on, on_progress=hear), json)


def _told(work: Callable[[Any], Trainings], json: bool) -> None:
    try:
        with shown() as hear:
            done = work(hear)
    except KeyboardInterrupt:
        typer.echo("stopped; the same command, or --resume FOLDER, goes on", err=True)
        raise typer.Exit(INTERRUPTED) from None
    found = [_figures(one) for one in done.read()]
    mean = {name: fmean(one[name] for one in found) for name in found[0]}
    if json:
        print_json({"folder": str(done.folder), "trainings": len(found), **mean})
        return
    _report(done, mean)
    first = done.read()[0]
    kind, task = first["config"]["brain"]["kind"], first["task"].split("@")[0]
    if done.brains and kind in KINDS:
        typer.echo(f"play one: ludus run worm/{task} {done.brains[0]}")


def shown() -> AbstractContextManager[Callable[[Standing], None] | None]:
    """Show how trainings stand on stderr, which only a terminal gets to see."""
    return training_progress(_standing)


def _standing(now: Standing) -> tuple[int, int, str]:
    """Return how trainings stand: what is done, what there is to do, and a line."""
    line = f"{now.episodes:,} of {now.total:,} episodes  success {now.success:.0%}"
    return now.episodes, now.total, line


def _figures(told: Mapping[str, Any]) -> dict[str, float]:
    wins = [int(flag) for flag in told["success"]]
    figures = {
        "success_rate": fmean(wins),
        "success_at_the_end": fmean(wins[-LAST:]),
        "distance_efficiency": fmean(told["distance_efficiency"]),
        "steps": fmean(told["steps"]),
        "parameters": told["parameters"],
        "environment_steps": told["environment_steps"],
        "cpu_seconds": told["cpu_seconds"],
    }
    if told["evaluation"]:
        figures["held_out_success_rate"] = told["evaluation"]["success_rate"]
        figures["held_out_by_chance"] = told["evaluation"]["sampled"]["success_rate"]
    return figures


def _report(done: Trainings, mean: Mapping[str, float]) -> None:
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
    rows = [[words, form.format(mean[n])] for n, (words, form) in wording.items() if n in mean]
    title = f"{len(done.sessions)} trainings, means"
    show_table(title, ["figure", "mean"], rows, left=(0,), fold=(0,))
    typer.echo(f"\nfolder: {done.folder}")
