"""``ludus train nematode/…``: the worm's brains are trained."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import api
from ludus.benchmarks.nematode.trainings import SENSING
from ludus.cli.options import JsonOption, OnOption, WorkersOption, seed_option
from ludus.cli.output import print_json, print_table, say
from ludus.cli.progress import show_training
from ludus.cli.training_options import (
    ResumeTrainingOption,
    SettingOption,
    TrainingFolderOption,
    parse_settings,
    refuse_beside_resume,
)
from ludus.cli.trust import YesOption
from ludus.errors import OptionError
from ludus.escaping import escape_terminal
from ludus.learning.worm.journal import JOURNAL
from ludus.reports.tables import to_rich

if TYPE_CHECKING:
    from ludus.agents.locating import LocatedAgent
    from ludus.learning.worm import Standing

__all__ = ["show_progress", "train"]

INTERRUPTED = 130

Task = Annotated[
    str | None, typer.Argument(metavar="BENCHMARK", help="nematode/TASK, or the task alone.")
]


def train(
    context: typer.Context,
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
    seed: Annotated[int, seed_option("The first seed.")] = 0,
    sensing: Annotated[str, typer.Option("--sensing", help=f"One of {', '.join(SENSING)}.")] = "",
    world: Annotated[str, typer.Option("--world", help="head or e25.")] = "",
    rules: Annotated[str | None, typer.Option("--rules", help="corrected or reference.")] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="Task and brain of a configuration of the reference."
        ),
    ] = None,
    setting: SettingOption = None,
    out: TrainingFolderOption = None,
    resume: ResumeTrainingOption = None,
    yes: YesOption = False,
    workers: WorkersOption = None,
    on: OnOption = "here",
    json: JsonOption = False,
) -> None:
    """Train a brain of the worm many times.

    Example: ludus train nematode/foraging-small --brain mlp-ppo --trainings 50

    Example: ludus train --config configs/foraging/mlpppo_small_oracle.yml --trainings 12
    """
    if workers is not None and workers < 1:
        raise OptionError(f"{workers} workers are too few: give 1 or more")
    options: dict[str, Any] = {"workers": workers, "on": on}
    if resume is not None:
        refuse_beside_resume(context, "config", "yes", "workers", "on")
        options["consent"] = yes or _ask_user
    else:
        options |= {
            "brain": brain,
            "trainings": trainings,
            "episodes": episodes,
            "seed": seed,
            "rules": rules,
            "sensing": sensing,
            "world": world,
            "out": out,
            "settings": parse_settings(setting or []),
        }
    if config is not None:
        if benchmark or resume:
            raise OptionError(f"--config {config} names a task: leave {benchmark or resume} out")
        benchmark = _read_config(config, options)
    try:
        with show_progress() as on_progress:
            result = api.train(benchmark, resume=resume, on_progress=on_progress, **options)
    except KeyboardInterrupt:
        say("stopped; the same command, or --resume FOLDER, goes on", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if json:
        counts = {"folder": str(result.folder), "trainings": len(result.rows)}
        print_json({**counts, **result.outcome})
        return
    print_table(to_rich(result.view))
    for note in result.view.notes:
        say(f"\n{note}")
    say(f"log: {result.folder / JOURNAL}")
    for words, command in result.next_commands:
        say(f"{words}: {command}")


def _read_config(file: Path, options: dict[str, Any]) -> str:
    """Take brain, senses, settings and seed of a configuration; return its benchmark.

    What it asks for and is otherwise here is printed, a line each.
    """
    from ludus.learning.worm.reference_config import read_config

    asked = read_config(file)
    for line in asked.unsupported:
        say(f"not supported: {line}", err=True)
    options |= {"brain": asked.brain, "sensing": asked.sensing}
    options["settings"] = {**asked.settings, **options["settings"]}
    options["seed"] = options["seed"] or asked.seed or 0
    return f"nematode/{asked.task}"


def _ask_user(brain: str, located: LocatedAgent) -> bool:
    """Show the code that a folder names as its brain and ask; without a terminal the answer is no.

    The bar has the screen by then, so the question comes on stderr as well.
    """
    if not sys.stdin.isatty():
        return False
    shown = f"{escape_terminal(brain)} with fingerprint {located.fingerprint}"
    return typer.confirm(f"The folder trains code, {shown}. Run it?", err=True)


def show_progress() -> AbstractContextManager[Callable[[Standing], None] | None]:
    """Show how trainings stand on stderr, which only a terminal gets to see."""
    return show_training(_describe)


def _describe(now: Standing) -> tuple[int, int, str]:
    """Return how trainings stand: what is done, what there is to do, and a line."""
    return now.episodes, now.total, now.describe()
