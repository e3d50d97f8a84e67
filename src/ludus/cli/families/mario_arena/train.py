"""``ludus train mario-arena/…``: from levels to a policy that plays them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.cli.options import JsonOption, finite
from ludus.cli.output import print_json
from ludus.cli.progress import training_progress
from ludus.cli.tables import show_table
from ludus.cli.training_options import (
    ResumeTrainingOption,
    SettingOption,
    TrainingFolderOption,
    parse_count,
    parse_settings,
)
from ludus.errors import MissingExtra

if TYPE_CHECKING:
    from ludus.learning.platformer.training import Outcome, Progress

__all__ = ["train"]

INTERRUPTED = 130

Tracks = Annotated[
    str | None,
    typer.Argument(
        metavar="BENCHMARK",
        help="mario-arena/1-1 … 8-4, mario-arena/1-1,1-2 or mario-arena/all.",
    ),
]


def train(
    benchmark: Tracks = None,
    algorithm: Annotated[str, typer.Option("--algorithm", help="ppo or evolution.")] = "ppo",
    steps: Annotated[
        str, typer.Option("--steps", help="Decisions that each seed learns from, such as 5M.")
    ] = "1M",
    seed: Annotated[int, typer.Option("--seed", help="The first seed.")] = 0,
    seeds: Annotated[int, typer.Option("--seeds", help="How many learn side by side.")] = 1,
    observe: Annotated[
        str, typer.Option("--observe", help="What is seen: fields or pixels.")
    ] = "fields",
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
    """Train a policy for levels of the campaign.

    Example: ludus train mario-arena/1-1 --seed 0 --out runs/first
    """
    from ludus import learning

    folder = resume or out or learning.folder_of(benchmark or "", algorithm, observe, seed)
    try:
        with training_progress(_describe) as on_progress:
            if resume is not None:
                outcome = learning.resume(resume, on_progress=on_progress)
            else:
                outcome = learning.train(
                    benchmark or "",
                    algorithm=algorithm,
                    steps=parse_count("--steps", steps),
                    seed=seed,
                    seeds=seeds,
                    observe=observe,
                    out=folder,
                    evaluate_every=parse_count("--evaluate-every", evaluate_every),
                    evaluation_episodes=evaluation_episodes,
                    checkpoint_every=parse_count("--checkpoint-every", checkpoint_every),
                    settings=parse_settings(setting or []),
                    on_progress=on_progress,
                )
    except KeyboardInterrupt:
        typer.echo(f"stopped; go on with: ludus train --resume {folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    pictures = _draw_curves(outcome.folder)
    if json:
        values = asdict(outcome)
        files = {"folder": str(outcome.folder), "policies": [str(one) for one in outcome.policies]}
        print_json(finite({**values, **files, "pictures": [str(one) for one in pictures]}))
        return
    _report(outcome, pictures)


# ---- what a terminal sees


def _describe(now: Progress) -> tuple[int, int, str]:
    """Return how a training stands: what is done, what there is to do, and a line."""
    evaluated = "–" if now.evaluation is None else f"{fmean(now.evaluation):.0%}"
    line = (
        f"{now.steps / 1e6:.1f} of {now.total / 1e6:.1f} M  {now.rate:,.0f}/s  "
        f"return {fmean(now.paid):.1f}  success {fmean(now.success):.0%}  "
        f"x {fmean(now.furthest):.0f}  evaluation {evaluated}"
    )
    return now.steps, now.total, line


def _draw_curves(folder: Path) -> list[Path]:
    """Return the pictures of the learning curve, none without matplotlib."""
    from ludus.reports.learning_curves import write_curve

    try:
        return [
            write_curve(folder / f"curve-{style}.png", [folder], style=style)
            for style in ("light", "dark")
        ]
    except MissingExtra:
        return []


def _report(outcome: Outcome, pictures: list[Path]) -> None:
    def percent(share: float) -> str:
        return f"{100 * share:.0f} %"

    rows: list[list[Any]] = [
        [
            str(file),
            percent(last.success),
            percent(best.success),
            percent(greedy.success),
            f"{best.furthest:.0f}",
            f"{sum(share >= 0.5 for share in best.by_level)}/{len(best.by_level)}",
        ]
        for file, last, best, greedy in zip(
            outcome.policies, outcome.last, outcome.best, outcome.greedy, strict=True
        )
    ]
    headings = ["policy", "last", "best", "argmax", "furthest x", "levels"]
    caption = (
        "Success in evaluations: of the last policy, of the best one, and of that when it always "
        "takes what it prefers most. Levels: those it completes at least every other time."
    )
    show_table("Training", headings, rows, left=(0,), fold=(0,), caption=caption)
    seeds = len(outcome.policies)
    rate = outcome.steps * seeds / max(outcome.seconds, 1e-9)
    typer.echo(
        f"\n{outcome.steps:,} decisions × {seeds} in {outcome.seconds:.0f} s "
        f"({outcome.cpu_seconds:.0f} s of processor time, {rate:,.0f} decisions/s)."
    )
    for picture in pictures:
        typer.echo(f"curve: {picture}")
    typer.echo(f"play it: ludus run {outcome.benchmark} {outcome.policies[0]}")
