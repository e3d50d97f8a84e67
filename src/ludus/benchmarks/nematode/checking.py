"""Whether a submission is what it says, and what a board asks for: each problem one line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ludus.array_files import read_arrays
from ludus.benchmarks.nematode.chemotaxis import chance_index, level
from ludus.benchmarks.nematode.scoring import FINAL_EPISODES, MIN_TRAININGS, count_trainings
from ludus.benchmarks.nematode.submission import TrainingSubmission
from ludus.benchmarks.nematode.trainings import task_spec
from ludus.errors import OptionError, one_line
from ludus.games.worm import Ending
from ludus.games.worm.training import EPISODES, Session, training_seed, unpack_actions
from ludus.games.worm.training.replay import EpisodeResult, replay_training

__all__ = ["MOST_ALIKE", "check_replays", "check_submission", "compute_figures"]

MOST_WEIGHTS = 256 * 2**20
MOST_ALIKE = 5
CLOSE = 1e-9
TARGET = Ending.COMPLETED_ALL_FOOD.reason


def check_submission(submission: TrainingSubmission) -> list[str]:
    """Return what is wrong with a submission as far as its own files show.

    The metrics are computed from the sessions again; seeds, lengths and weights are looked at.
    :func:`check_replays` plays it again.
    """
    return [
        *_size_problems(submission),
        *_first_few(_seeds_problems(submission)),
        *_overlap_problems(submission),
        *_first_few(
            line for session in submission.sessions for line in _episodes_problems(session)
        ),
        *_copies_problems(submission),
        *_metrics_problems(submission),
        *_first_few(_weights_problems(submission.folder)),
    ]


def check_replays(
    submission: TrainingSubmission, on_training: Callable[[int], None] | None = None
) -> list[str]:
    """Play every training's actions on the world again and return where its session is not true.

    Args:
        submission: The submission.
        on_training: Called with the number of each training that was played again.
    """
    return list(_first_few(_replays_problems(submission, on_training), 2 * MOST_ALIKE))


def _first_few(lines: Iterable[str], most: int = MOST_ALIKE) -> Iterator[str]:
    """Yield the first problems of a kind, and how many more there are."""
    remaining = iter(lines)
    yield from islice(remaining, most)
    more = sum(1 for _ in remaining)
    if more:
        yield f"… and {more} more of this kind"


def _size_problems(submission: TrainingSubmission) -> Iterator[str]:
    count = len(submission.sessions)
    if count < MIN_TRAININGS:
        verb = "is" if count == 1 else "are"
        yield (
            f"{count_trainings(count)} {verb} too few for a board: {MIN_TRAININGS} make a valid "
            "entry"
        )
    odd = [session for session in submission.sessions if len(session.successes) != EPISODES]
    if odd:
        yield (
            f"{odd[0].name}: has {len(odd[0].successes)} episodes; trainings on a board have "
            f"{EPISODES}" + (f" (so do {len(odd) - 1} more)" if len(odd) > 1 else "")
        )


# ---- what it comes to


def compute_figures(submission: TrainingSubmission) -> dict[str, Any]:
    """Return a submission's score, what it cost, and how much it moves like a worm."""
    score = submission.score
    indices = [
        value for session in submission.sessions for value in session.chemotaxis[-FINAL_EPISODES:]
    ]
    index = sum(indices) / len(indices) if indices else 0.0
    return {
        "name": submission.name,
        "brain": submission.brain,
        "benchmark": submission.benchmark,
        "options": dict(submission.options),
        "seed": submission.seed,
        "trainings": score.trainings,
        "composite": score.total,
        "margin": score.margin,
        "band": score.band,
        "parts": dict(score.parts),
        **score.values,
        "chemotaxis": index,
        "chemotaxis_level": level(index),
        "chance": chance_index(task_spec(submission.task, **submission.options)),
        "environment_steps": sum(sum(session.steps) for session in submission.sessions),
        "cpu_seconds": sum(session.cpu_seconds for session in submission.sessions),
        "parameters": submission.declaration.parameters,
        "learning": submission.declaration.learning,
        "pretrained": submission.declaration.pretrained,
        "pretraining_steps": submission.declaration.pretraining_steps,
    }


# ---- seeds


def _seeds_problems(submission: TrainingSubmission) -> Iterator[str]:
    for number, session in enumerate(submission.sessions):
        due = training_seed(submission.task, submission.seed, number)
        if session.first_seed != due:
            yield (
                f"{session.name}: begins with seed {session.first_seed}; training {number} of "
                f"seed {submission.seed} begins with {due}"
            )


def _overlap_problems(submission: TrainingSubmission) -> Iterator[str]:
    """Yield the trainings that share dishes."""
    spans = sorted(
        (int(session.first_seed or 0), len(session.successes), session.name)
        for session in submission.sessions
    )
    for (first, length, name), (next_first, _, next_name) in pairwise(spans):
        if next_first < first + length:
            last = first + length - 1
            yield f"{name} and {next_name} share the seeds from {next_first} to {last}"


def _copies_problems(submission: TrainingSubmission) -> Iterator[str]:
    names: dict[str, str] = {}
    for session in submission.sessions:
        twin = names.setdefault(session.digest, session.name)
        if twin != session.name:
            yield f"{session.name}: is the same as {twin}, episode by episode"


# ---- what a session says


def _episodes_problems(session: Session) -> Iterator[str]:
    """Yield where the figures of a session contradict each other."""
    for number, success in enumerate(session.successes, start=1):
        if success != (session.reasons[number - 1] == TARGET):
            reason = session.reasons[number - 1]
            yield f"{session.name}: episode {number} ended with {reason!r}, success is {success}"
    high = max(session.efficiencies)
    if high > 1:
        yield f"{session.name}: holds a distance efficiency of {high}, which is above 1"
    steps = sum(session.steps)
    claim = session.environment_steps
    if claim not in (None, steps):
        yield f"{session.name}: says {claim} environment steps; its episodes have {steps}"


def _metrics_problems(submission: TrainingSubmission) -> Iterator[str]:
    """Yield where the note claims what the sessions do not give."""
    claimed = submission.note.get("metrics")
    if claimed is None:
        return
    score = submission.score
    truth: dict[str, Any] = {"composite": score.total, **score.values}
    for name, value in truth.items():
        claim = claimed.get(name) if isinstance(claimed, dict) else None
        if not isinstance(claim, int | float) or not math.isclose(claim, value, abs_tol=CLOSE):
            yield f"submission.json: {name} is said to be {claim!r}; the sessions give {value:.6f}"
    trainings = submission.note.get("trainings", score.trainings)
    if trainings != score.trainings:
        yield f"submission.json: {trainings!r} trainings are said; there are {score.trainings}"


# ---- weights


def _weights_problems(folder: Path) -> Iterator[str]:
    for file in sorted(folder.glob("*.npz")):
        try:
            if file.is_symlink():
                continue  # named among the files already
            for name, array in read_arrays(file, MOST_WEIGHTS).items():
                _check_finite(name, array)
        except (OSError, ValueError) as error:
            yield f"{file}: holds no weights: {one_line(error)}"


def _check_finite(name: str, array: Any) -> None:
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name!r} holds what is no number")


# ---- played again


def _replays_problems(
    submission: TrainingSubmission, on_training: Callable[[int], None] | None
) -> Iterator[str]:
    for number, session in enumerate(submission.sessions):
        yield from _replay_problems(submission, number, session)
        if on_training:
            on_training(number)


def _replay_problems(
    submission: TrainingSubmission, number: int, session: Session
) -> Iterator[str]:
    if session.actions is None:
        yield f"{session.name}: holds no actions, so that it cannot be played again"
        return
    try:
        outcomes = replay_training(submission.scenario(number), unpack_actions(session.actions))
    except OptionError as error:
        yield f"{session.name}: {error}"
        return
    if len(outcomes) != len(session.successes):
        count = f"{len(outcomes)} of {len(session.successes)}"
        yield f"{session.name}: its actions hold {count} episodes"
        return
    columns = (session.successes, session.steps, session.foods, session.reasons)
    for episode, (outcome, *claimed) in enumerate(zip(outcomes, *columns, strict=True), start=1):
        replayed = [outcome.success, outcome.steps, outcome.foods, outcome.reason]
        if replayed != claimed:
            yield (
                f"{session.name}: episode {episode} is said to be {claimed}, "
                f"played again {replayed}"
            )
        yield from _find_other_figures(session, episode, outcome)


FIGURES = {
    "efficiencies": ("efficiency", "the efficiency", CLOSE),
    "chemotaxis": ("chemotaxis", "the chemotaxis index", CLOSE),
    "rewards": ("total_reward", "the reward", 1e-5),
    "survival": ("survival", "the share of health left", CLOSE),
    "comfort": ("comfort", "the share of comfort", CLOSE),
    "oxygen_comfort": ("oxygen_comfort", "the share of good air", CLOSE),
}
"""Columns of a session, what an episode calls the same, its words, and how exactly it is kept."""


def _find_other_figures(session: Session, episode: int, outcome: EpisodeResult) -> Iterator[str]:
    """Yield the figures of an episode that are not those of its play."""
    for column, (name, words, close) in FIGURES.items():
        values, true = getattr(session, column), getattr(outcome, name)
        if values and (true is None or not math.isclose(values[episode - 1], true, abs_tol=close)):
            yield (
                f"{session.name}: {words} of episode {episode} is said to be "
                f"{values[episode - 1]}, played again {true}"
            )
