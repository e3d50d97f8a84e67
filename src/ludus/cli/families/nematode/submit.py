"""``ludus submit nematode/…``: brains are trained, checked and put on a board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from ludus.api.settings import current_user, open_store
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.nematode.checking import compute_figures
from ludus.benchmarks.nematode.retraining import default_retrainer
from ludus.benchmarks.nematode.scoring import MIN_TRAININGS, WEIGHTS, count_trainings, format_margin
from ludus.benchmarks.nematode.submission import (
    check_brain_name,
    read_submission,
    write_note,
)
from ludus.benchmarks.nematode.submitting import SubmittedTrainings, read_trainings
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.boards.sampling import Sample
from ludus.boards.submitting import (
    SAMPLE,
    CheckedSubmission,
    SubmissionOutcome,
    check_submission,
)
from ludus.boards.submitting import submit as submit_to_board
from ludus.cli.families.nematode.train import show_progress
from ludus.cli.options import JsonOption, StoreOption, finite, seed_option
from ludus.cli.output import print_json, progress, say
from ludus.cli.play import describe_decision
from ludus.errors import OptionError

__all__ = ["submit"]

FAULTY = 1
FORGED = (1, 5, 10)
"""How many forged trainings the chance to find them is told of."""


def submit(
    target: Annotated[
        str,
        typer.Argument(metavar="BENCHMARK|FOLDER", help="What to train for, or what is trained."),
    ],
    brain: Annotated[
        str | None, typer.Option("--brain", help="Who is trained; 'ludus train --help' lists them.")
    ] = None,
    trainings: Annotated[int, typer.Option("--trainings", help="How many.")] = MIN_TRAININGS,
    seed: Annotated[int, seed_option("What the trainings are made from.")] = 0,
    sensing: Annotated[str, typer.Option("--sensing", help="What the worm smells with.")] = "",
    world: Annotated[str, typer.Option("--world", help="Which world: head or e25.")] = "",
    name: Annotated[
        str | None, typer.Option("--name", help="What boards call it.", show_default="the brain's")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="DIR", help="Where trainings go.", show_default="runs/…"),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check FOLDER and do no more.")] = False,
    retrain: Annotated[int, typer.Option("--retrain", help="How many to train again.")] = SAMPLE,
    notes: Annotated[str, typer.Option("--notes", help="A remark; it is published.")] = "",
    by: Annotated[str | None, typer.Option("--by", help="Who submits.", show_default="you")] = None,
    store_url: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Train a brain many times and put it on the board, or check and submit a folder of trainings.

    Ends with exit code 1 if something is wrong with the submission.

    Example: ludus submit nematode/foraging-small --brain mlp-ppo --trainings 50
    """
    who = by or current_user()
    trained = Path(target)
    if not trained.is_dir():
        if check:
            raise OptionError(f"there is no folder {target!r} to check")
        if name is not None:
            _check_free_name(name, brain)
        options = {"sensing": sensing, "world": world}
        non_empty = {option: value for option, value in options.items() if value}
        trained = _train(target, brain, trainings, seed, non_empty, folder)
        _note(trained, name, who, notes)
    _submit(trained, store_url, who, notes, retrain, name, only_check=check, json=json)


def _check_free_name(name: str, brain: str | None) -> None:
    """Refuse before a training what no board would take after it."""
    namesake = default_retrainer().find_namesake(check_brain_name(name))
    if namesake not in (None, brain):
        raise OptionError(f"--name {name!a} is taken for {namesake!r}, which is of Ludus")


def _train(
    benchmark: str,
    brain: str | None,
    trainings: int,
    seed: int,
    options: dict[str, str],
    folder: Path | None,
) -> Path:
    """Train a brain and return the folder of its trainings."""
    benchmark_record = find_benchmark(benchmark)
    task = benchmark_record.id.partition("/")[2]
    if brain is None:
        raise OptionError("no brain was named: try --brain mlp-ppo, or name a FOLDER of trainings")
    if trainings < MIN_TRAININGS:
        raise OptionError(
            f"{count_trainings(trainings)}: a board takes {MIN_TRAININGS} or more; to train fewer, "
            f"try ludus train {benchmark} --brain {brain} --trainings {max(trainings, 1)}"
        )
    spec = task_spec(task, **benchmark_record.non_default_options(options))
    where = folder or Path("runs") / f"{Path(brain).name.replace(':', '-')}-{task}-{seed}"
    from ludus.learning.worm import train

    with show_progress() as on_progress:
        train(spec, brain, trainings=trainings, seed=seed, folder=where, on_progress=on_progress)
    return where


def _note(folder: Path, name: str | None, by: str, notes: str) -> None:
    """Write what there is to say about a fresh submission into its folder."""
    submission, problems = read_submission(folder)
    if submission is None or problems:
        return  # the check that comes next tells why
    write_note(folder, submission, name=name, by=by, notes=notes)


def _submit(
    folder: Path,
    store_url: str | None,
    by: str,
    notes: str,
    retrain: int,
    name: str | None,
    *,
    only_check: bool,
    json: bool,
) -> None:
    read = read_trainings(folder, name=name)
    count = read.submission.count if read.submission else 0
    with open_store(store_url) as store, progress("checking", count) as advance:
        common: Any = {"rerun": retrain, "on_record": lambda _: advance()}
        if only_check:
            outcome = SubmissionOutcome(check_submission(read, store=store, **common))
        else:
            outcome = submit_to_board(read, store, by=by, why=notes, **common)
    if json:
        print_json(finite(_to_dict(outcome)))
    else:
        _print(outcome)
    if not outcome.checked.good:
        raise typer.Exit(FAULTY)


# ---- shown


def _figures(checked: CheckedSubmission) -> dict[str, Any] | None:
    submission = checked.submission
    return (
        compute_figures(submission.trainings)
        if isinstance(submission, SubmittedTrainings)
        else None
    )


def _to_dict(outcome: SubmissionOutcome) -> dict[str, Any]:
    checked = outcome.checked
    return {
        "good": checked.good,
        "problems": list(checked.problems),
        "notes": list(checked.notes),
        "replayed": checked.replayed,
        "retrained": checked.rerun,
        "chance_to_find": {str(k): checked.sample.chance_to_find(k) for k in FORGED}
        if checked.sample and checked.rerun
        else {},
        "submission": _figures(checked),
        "run": outcome.run.id if outcome.run else None,
        "board": outcome.decision._asdict() if outcome.decision else None,
    }


def _print(outcome: SubmissionOutcome) -> None:
    checked = outcome.checked
    if figures := _figures(checked):
        for line in _lines(figures, checked.rerun_seconds):
            say(line)
    for note in checked.notes:
        say(f"note: {note}")
    for problem in checked.problems:
        say(f"problem: {problem}")
    say(_outcome(checked))
    if outcome.decision:
        kept = f"Kept as run {outcome.run.id if outcome.run else ''}."
        say(f"{describe_decision(outcome.decision)} {kept}")


def _lines(figures: dict[str, Any], measured: Sequence[float]) -> list[str]:
    about = format_margin(figures["margin"])
    count = count_trainings(figures["trainings"])
    head = f"{figures['name']} on {figures['benchmark']}, {count}"
    lines = [
        f"{head}, seed {figures['seed']}",
        f"  score               {figures['composite']:.4f}{about}: {figures['band']}",
    ]
    for name, weight in WEIGHTS.items():
        value, part = figures[name], figures["parts"][name]
        lines.append(f"  {name.replace('_', ' '):<19} {weight:.2f} × {value:.4f} = {part:.4f}")
    chance = f"{figures['chemotaxis_level']}; a random walker has {figures['chance']:.3f}"
    lines.append(f"  chemotaxis          {figures['chemotaxis']:.3f} ({chance}), not in the score")
    steps, size = f"{figures['environment_steps']:,}", f"{figures['parameters']:,}"
    lines.append(f"  cost                {steps} steps, {size} parameters")
    lines.append(f"  CPU seconds         {_describe_seconds(figures, measured)}")
    return lines


def _describe_seconds(figures: dict[str, Any], measured: Sequence[float]) -> str:
    """Return the processor time as the folder claims it, and as it was measured here."""
    claimed = f"{figures['cpu_seconds']:,.0f} claimed"
    if not measured:
        return f"{claimed}, none measured here"
    count, whole = len(measured), fmean(measured) * figures["trainings"]
    here = f"{whole:,.0f} measured here in {count} of {figures['trainings']}"
    return f"{here}, compilation included; {claimed}"


def _outcome(checked: CheckedSubmission) -> str:
    if checked.problems:
        count = len(checked.problems)
        return f"Not fit for a board: {count} problem{'s' * (count != 1)}."
    played = count_trainings(checked.replayed)
    again = f", {checked.rerun} trained again" if checked.rerun else ""
    found = f"\n{_describe_sample(checked.sample)}" if checked.sample and checked.rerun else ""
    return f"Everything is as the folder says: {played} played again{again}.{found}"


def _describe_sample(sample: Sample) -> str:
    """Return what the trainings that were done again would have shown."""
    if len(sample.numbers) == sample.total:
        return "All of them were done again: none is forged."
    chances = ", ".join(f"{k} with {sample.chance_to_find(k):.0%}" for k in FORGED)
    whole = f"--retrain {sample.total} finds all."
    return (
        f"Done again: the {len(sample.best)} best and {len(sample.drawn)} drawn by chance. Forged "
        f"trainings among the others are found: {chances}; {whole}"
    )
