"""``ludus train mario-ai/…``: from levels of a track to a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import api
from ludus.cli.options import JsonOption, StoreOption, WorkersOption, seed_option
from ludus.cli.output import print_json, print_table, say
from ludus.cli.progress import show_training
from ludus.cli.training_options import (
    ResumeTrainingOption,
    SettingOption,
    TrainingFolderOption,
    parse_settings,
    refuse_beside_resume,
)
from ludus.reports.tables import to_rich

if TYPE_CHECKING:
    from ludus.learning.mario_ai.training import Progress

__all__ = ["train"]

INTERRUPTED = 130

Track = Annotated[
    str | None,
    typer.Argument(metavar="BENCHMARK", help="A gameplay track of 2009 or 2010."),
]


def train(
    context: typer.Context,
    benchmark: Track = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="q-learning, neuro-evolution, genetic-programming, cuckoo-search, imitation, "
            "behaviour-tree or realm.",
        ),
    ] = "neuro-evolution",
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", help="Rounds of learning.", show_default="by method"),
    ] = None,
    levels: Annotated[
        int | None,
        typer.Option(
            "--levels", help="Levels that a candidate plays in a round.", show_default="by method"
        ),
    ] = None,
    seed: Annotated[int, seed_option("What all chance comes from.")] = 0,
    out: TrainingFolderOption = None,
    resume: ResumeTrainingOption = None,
    evaluate_every: Annotated[
        int, typer.Option("--evaluate-every", help="Rounds between two evaluations.")
    ] = 5,
    evaluation_levels: Annotated[
        int, typer.Option("--evaluation-levels", help="Levels of an evaluation.")
    ] = 20,
    setting: SettingOption = None,
    recorded: Annotated[
        str | None,
        typer.Option(
            "--recorded", metavar="RUN", help="Play that imitation begins with: a run, or a file."
        ),
    ] = None,
    store: StoreOption = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Train a player on levels like a track's, from seeds of 1,000,000 and more.

    Example: ludus train mario-ai/gameplay-2009-ice --method neuro-evolution --out runs/net
    """
    from ludus.learning.mario_ai import folder_of

    folder = resume or out or folder_of(benchmark or "", method, seed)
    options: dict[str, Any] = {"workers": workers}
    if resume is not None:
        refuse_beside_resume(context, "workers")
    else:
        options |= {
            "method": method,
            "rounds": rounds,
            "levels": levels,
            "seed": seed,
            "out": folder,
            "evaluate_every": evaluate_every,
            "evaluation_levels": evaluation_levels,
            "settings": parse_settings(setting or []),
            "recorded": recorded,
            "store": store,
        }
    try:
        with show_training(_describe) as on_progress:
            result = api.train(benchmark, resume=resume, on_progress=on_progress, **options)
    except KeyboardInterrupt:
        say(f"stopped; go on with: ludus train --resume {folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    pictures = sorted(map(str, result.folder.glob("curve-*.png")), reverse=True)
    if json:
        print_json({**result.rows[0], "pictures": pictures})
        return
    print_table(to_rich(result.view))
    for line in (*result.view.notes, *(f"curve: {picture}" for picture in pictures)):
        say(line)
    say(f"play it: ludus run {result.benchmark} {result.agents[0]}")


def _describe(now: Progress) -> tuple[int, int, str]:
    """Return how a training stands: what is done, what there is to do, and a line."""
    evaluated = "–" if now.best is None else f"{now.best.score:,.0f}"
    line = (
        f"round {now.rounds:,} of {now.total:,}  {now.plays:,} plays  "
        f"score {now.score:,.0f}  evaluation {evaluated}"
    )
    return now.rounds, now.total, line
