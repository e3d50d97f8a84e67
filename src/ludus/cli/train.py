"""``ludus train``: from a benchmark to a policy that plays it."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludus.cli.options import JsonOption, OnOption, WorkersOption, finite
from ludus.cli.output import print_json
from ludus.cli.progress import training_progress
from ludus.cli.tables import show_table
from ludus.cli.train_worm import FAMILY, is_worm_folder, resume_worm, train_worm
from ludus.errors import MissingExtra, OptionError

if TYPE_CHECKING:
    from ludus.learning.platformer.training import Outcome, Progress

__all__ = ["count", "train"]

INTERRUPTED = 130
FAMILIES = ("mario-arena", FAMILY)
UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*([km]?)", re.IGNORECASE)

Benchmark = Annotated[
    str | None,
    typer.Argument(
        metavar="BENCHMARK",
        help="mario-arena/1-1 … 8-4, mario-arena/1-1,1-2 or mario-arena/all; nematode/TASK.",
    ),
]


def train(
    benchmark: Benchmark = None,
    algorithm: Annotated[str, typer.Option("--algorithm", help="ppo or evolution.")] = "ppo",
    steps: Annotated[
        str, typer.Option("--steps", help="Decisions that each seed learns from, such as 5M.")
    ] = "1M",
    seed: Annotated[int, typer.Option("--seed", help="The first seed.")] = 0,
    seeds: Annotated[int, typer.Option("--seeds", help="How many learn side by side.")] = 1,
    observe: Annotated[
        str, typer.Option("--observe", help="What is seen: fields or pixels.")
    ] = "fields",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The folder.", show_default="runs/…"),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="DIR", help="Go on with the training in this folder."),
    ] = None,
    checkpoint_every: Annotated[
        str, typer.Option("--checkpoint-every", help="Decisions between two checkpoints.")
    ] = "100k",
    evaluate_every: Annotated[
        str, typer.Option("--evaluate-every", help="Decisions between two evaluations.")
    ] = "100k",
    evaluation_episodes: Annotated[
        int, typer.Option("--evaluation-episodes", help="Episodes on each level.")
    ] = 100,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting; can be given again."),
    ] = None,
    brain: Annotated[
        str, typer.Option("--brain", help="nematode: a name, or yours as file.py:Class.")
    ] = "mlp-ppo",
    trainings: Annotated[
        int, typer.Option("--trainings", help="nematode: how many brains are trained.")
    ] = 50,
    episodes: Annotated[
        int | None,
        typer.Option(
            "--episodes", help="nematode: episodes a training.", show_default="the board's 500"
        ),
    ] = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="nematode: corrected or reference.")
    ] = None,
    workers: WorkersOption = None,
    on: OnOption = "here",
    json: JsonOption = False,
) -> None:
    """Train a policy for a benchmark; what comes of it can be raced like any agent.

    Example: ludus train mario-arena/1-1 --seed 0 --out runs/first

    Example: ludus train nematode/foraging-small --brain mlp-ppo --trainings 50
    """
    from ludus import learning

    if (benchmark is None) == (resume is None):
        raise OptionError("name a benchmark, such as mario-arena/1-1, or a folder with --resume")
    if resume is not None and is_worm_folder(resume):
        resume_worm(resume, workers, on, json=json)
        return
    if benchmark and benchmark.partition("/")[0] == FAMILY:
        options: dict[str, Any] = {
            "trainings": trainings,
            "episodes": episodes,
            "seed": seed,
            "rules": rules,
        }
        options |= {"settings": _changes(change or []), "workers": workers, "on": on}
        train_worm(benchmark, brain, out, options, json=json)
        return
    folder = resume or out or learning.folder_of(benchmark or "", algorithm, observe, seed)
    try:
        with training_progress(_told) as hear:
            if resume is not None:
                outcome = learning.resume(resume, on_progress=hear)
            else:
                outcome = learning.train(
                    _trainable(benchmark or ""),
                    algorithm=algorithm,
                    steps=count("--steps", steps),
                    seed=seed,
                    seeds=seeds,
                    observe=observe,
                    out=folder,
                    evaluate_every=count("--evaluate-every", evaluate_every),
                    evaluation_episodes=evaluation_episodes,
                    checkpoint_every=count("--checkpoint-every", checkpoint_every),
                    settings=_changes(change or []),
                    on_progress=hear,
                )
    except KeyboardInterrupt:
        typer.echo(f"stopped; go on with: ludus train --resume {folder}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    pictures = _drawn(outcome.folder)
    if json:
        plain = asdict(outcome)
        files = {"folder": str(outcome.folder), "policies": [str(one) for one in outcome.policies]}
        print_json(finite({**plain, **files, "pictures": [str(one) for one in pictures]}))
        return
    _report(outcome, pictures)


def count(option: str, text: str) -> int:
    """Return the whole number that a text such as ``5M`` or ``500k`` stands for.

    Raises:
        OptionError: It stands for none.
    """
    found = NUMBER.fullmatch(text.strip().replace("_", "").replace(",", ""))
    if not found:
        raise OptionError(f"{option} {text!r} is no number: try 5M, 500k or 20000")
    return round(float(found[1]) * UNITS[found[2].lower()])


def _trainable(benchmark: str) -> str:
    family = benchmark.partition("/")[0]
    if family not in FAMILIES:
        raise OptionError(f"{benchmark!r} cannot be trained for: there is {', '.join(FAMILIES)}")
    return benchmark


def _changes(words: list[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise OptionError(f"--set {name + equals + value!r} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}


# ---- what a terminal sees


def _told(now: Progress) -> tuple[int, int, str]:
    """Return how a training stands: what is done, what there is to do, and a line."""
    evaluated = "–" if now.evaluation is None else f"{fmean(now.evaluation):.0%}"
    line = (
        f"{now.steps / 1e6:.1f} of {now.total / 1e6:.1f} M  {now.rate:,.0f}/s  "
        f"return {fmean(now.paid):.1f}  success {fmean(now.success):.0%}  "
        f"x {fmean(now.furthest):.0f}  evaluation {evaluated}"
    )
    return now.steps, now.total, line


def _drawn(folder: Path) -> list[Path]:
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
