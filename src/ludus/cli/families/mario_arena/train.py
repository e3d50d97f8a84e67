"""``ludus train mario-arena/…``: from levels to a policy that plays them."""

from __future__ import annotations

from dataclasses import asdict
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus import api
from ludus.cli.options import JsonOption, finite, seed_option
from ludus.cli.output import print_json, print_view, say
from ludus.cli.training_options import (
    ResumeTrainingOption,
    SettingOption,
    TrainingFolderOption,
    parse_count,
    parse_settings,
    refuse_beside_resume,
)

if TYPE_CHECKING:
    from ludus.learning.platformer.training import Progress

__all__ = ["train"]

INTERRUPTED = 130

Tracks = Annotated[
    str | None,
    typer.Argument(
        metavar="BENCHMARK",
        help="mario-arena/1-1 … 8-4, mario-arena/1-1,1-2, mario-arena/all, mario-arena/unseen, "
        "or a generator: 'mario-arena/ludus?difficulty=3'.",
    ),
]


def train(
    context: typer.Context,
    benchmark: Tracks = None,
    algorithm: Annotated[str, typer.Option("--algorithm", help="ppo or evolution.")] = "ppo",
    steps: Annotated[
        str, typer.Option("--steps", help="Decisions that each seed learns from, such as 5M.")
    ] = "1M",
    seed: Annotated[int, seed_option("The first seed.")] = 0,
    seeds: Annotated[int, typer.Option("--seeds", help="How many learn side by side.")] = 1,
    levels: Annotated[
        int, typer.Option("--levels", help="Levels to train on, where they are generated.")
    ] = 1000,
    name: Annotated[
        str,
        typer.Option(
            "--name", help="What the policy is called, in files and tables.", show_default="best"
        ),
    ] = "",
    observe: Annotated[
        str, typer.Option("--observe", help="What is seen: fields, wide or pixels.")
    ] = "fields",
    start: Annotated[
        str,
        typer.Option(
            "--start", metavar="FILE", help="A policy to go on from.", show_default="none"
        ),
    ] = "",
    out: TrainingFolderOption = None,
    resume: ResumeTrainingOption = None,
    checkpoint_every: Annotated[
        str, typer.Option("--checkpoint-every", help="Decisions between two checkpoints.")
    ] = "100k",
    evaluate_every: Annotated[
        str, typer.Option("--evaluate-every", help="Decisions between two evaluations.")
    ] = "100k",
    evaluation_episodes: Annotated[
        int, typer.Option("--evaluation-episodes", help="Episodes on each level.")
    ] = 100,
    setting: SettingOption = None,
    json: JsonOption = False,
) -> None:
    """Train a policy for levels of the campaign, or for generated ones.

    Example: ludus train mario-arena/1-1 --seed 0 --name first
    """
    from ludus.cli.progress import show_training
    from ludus.learning import folder_of

    folder = resume or out or folder_of(benchmark or "", algorithm, observe, seed, name)
    options: dict[str, Any] = {}
    if resume is not None:
        refuse_beside_resume(context)
    else:
        options = {
            "algorithm": algorithm,
            "steps": parse_count("--steps", steps),
            "seed": seed,
            "seeds": seeds,
            "levels": levels,
            "name": name,
            "observe": observe,
            "start": start,
            "out": folder,
            "evaluate_every": parse_count("--evaluate-every", evaluate_every),
            "evaluation_episodes": evaluation_episodes,
            "checkpoint_every": parse_count("--checkpoint-every", checkpoint_every),
            "settings": parse_settings(setting or []),
        }
    try:
        with show_training(_describe) as on_progress:
            result = api.train(benchmark, resume=resume, on_progress=on_progress, **options)
    except KeyboardInterrupt:
        say(f"stopped; go on with: ludus train --resume {folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    pictures = sorted(map(str, result.folder.glob("curve-*.png")), reverse=True)
    if json:
        files = {"folder": str(result.folder), "policies": result.agents, "pictures": pictures}
        print_json(finite({**asdict(result.outcome), **files}))
        return
    print_view(result.view)
    for file in (*pictures, *result.folder.glob("curve.csv")):
        say(f"curve: {file}")
    best = [(one.success, one.furthest) for one in result.outcome.best]
    say(f"play it: ludus run {result.benchmark} {result.agents[best.index(max(best))]}")


# ---- what a terminal sees


def _describe(now: Progress) -> tuple[int, int, str]:
    """Return how a training stands: what is done, what there is to do, and a line."""
    evaluated = "–" if now.evaluation is None else f"{fmean(now.evaluation):.0%}"
    line = (
        f"{now.steps:,} of {now.total:,}  {now.rate:,.0f}/s  "
        f"return {fmean(now.returns):.1f}  success {fmean(now.success):.0%}  "
        f"x {fmean(now.furthest):,.0f}  evaluation {evaluated}"
    )
    return now.steps, now.total, line
