"""The options of commands that train brains side by side, written once."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from ludus.api.families.side_by_side import SideBySide
from ludus.benchmarks.nematode.headline import HEADLINE_NAME, HEADLINE_SENSING
from ludus.benchmarks.nematode.trainings import SENSING, task_spec
from ludus.cli.families.nematode.train import show_progress
from ludus.cli.options import WorkersOption, seed_option
from ludus.cli.output import check_folder
from ludus.errors import OptionError

__all__ = ["SeedOption", "TrainingsOption", "takes_plan"]

TaskArgument = Annotated[str, typer.Argument(metavar="[TASK]", help="What is learned.")]
SensingOption = Annotated[
    str, typer.Option("--sensing", help=f"What the worm smells with: {', '.join(SENSING)}.")
]
TrainingsOption = Annotated[
    int, typer.Option("--trainings", help="How often each brain is trained.")
]
EpisodesOption = Annotated[int, typer.Option("--episodes", help="Episodes of a training.")]
SeedOption = Annotated[int, seed_option("What all seeds are made from.")]
FolderOption = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Trainings, table and picture.")
]


def takes_plan(*, trainings: int, out: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return what gives a command the options of trainings side by side.

    The command is called with what they come to as its ``plan``, below a line of progress.

    Args:
        trainings: How often each brain is trained unless the user says otherwise.
        out: Where the trainings go unless the user says otherwise.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**options: Any) -> None:
            own = {name: options.pop(name) for name in list(options) if name in mine}
            with show_progress() as on_progress:
                command(SideBySide(**_check(options), on_progress=on_progress), **own)

        _, *others = signature(command, eval_str=True).parameters.values()
        mine = {parameter.name for parameter in others}
        run.__doc__, run.__name__ = command.__doc__, command.__name__
        run.__signature__ = Signature([*_list_options(trainings, out), *others])  # type: ignore[attr-defined]
        return run

    return decorate


def _list_options(trainings: int, out: str) -> list[Parameter]:
    defaults = {
        "task": (TaskArgument, HEADLINE_NAME),
        "sensing": (SensingOption, HEADLINE_SENSING),
        "trainings": (TrainingsOption, trainings),
        "episodes": (EpisodesOption, SideBySide.episodes),
        "seed": (SeedOption, SideBySide.seed),
        "out": (FolderOption, Path(out)),
        "workers": (WorkersOption, None),
    }
    return [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
        for name, (kind, default) in defaults.items()
    ]


def _check(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of trainings that options ask for.

    Raises:
        OptionError: One of them is wrong.
    """
    sensing, workers = options.pop("sensing"), options["workers"]
    if sensing not in SENSING:
        raise OptionError(f"no sensing {sensing!r}; there are {', '.join(SENSING)}")
    if workers is not None and workers < 1:
        raise OptionError(f"{workers} workers are too few: give 1 or more")
    check_folder(options["out"])
    task = task_spec(options.pop("task").removeprefix("nematode/"), sensing=sensing)
    return {"task": task, **options}
