"""Submitted brains that are code of the submitter's own, trained again in the sandbox."""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, pvariance
from typing import Any

from ludus.benchmarks.nematode.retraining import Retrainer
from ludus.benchmarks.nematode.score_files import assess_session
from ludus.benchmarks.nematode.submission import TrainingSubmission
from ludus.benchmarks.submitting import Rerun
from ludus.errors import LudusError
from ludus.games.worm.training import Session
from ludus.games.worm.training.code import CODE_FILE, digest_code
from ludus.games.worm.training.retrained import Retrained

__all__ = ["find_code_problems", "retrain_code"]

MOST_LOSS = 0.05
"""How much worse a brain may do in fresh worlds, whatever chance says."""
STANDARD_ERRORS = 4.0


def find_code_problems(submission: TrainingSubmission) -> Iterator[str]:
    """Yield where the code in a folder is not the one that the settings name."""
    if not submission.code:
        return
    claim: Any = submission.config["code"]
    file = submission.folder / CODE_FILE
    if digest_code(file) != claim.get("sha256"):
        yield f"{file}: is not the code that the sessions were trained with: its digest is another"


def retrain_code(
    submission: TrainingSubmission, task: str, numbers: Sequence[int], trainer: Retrainer
) -> list[Rerun]:
    """Train some trainings of a brain that is code again, and as many in worlds nobody knew.

    Trainings with the submitted seeds must give the same actions. Fresh seeds show a brain that
    knows the public worlds by heart: its score is much lower there.
    """
    if not submission.code:
        return [Rerun(note=f"no training was done again: the folder has no {CODE_FILE}")]
    common: dict[str, Any] = {
        "episodes": len(submission.sessions[0].successes),
        "config": submission.config,
        "code": submission.code,
    }

    def train(seed: int, chosen: Sequence[int]) -> list[Retrained]:
        return trainer.train(task, submission.brain, trainings=chosen, seed=seed, **common)

    try:
        again = train(submission.seed, numbers)
        changed = _find_changed(submission, numbers, again)
        if changed:
            twice = train(submission.seed, changed[:1])[0].session
            first = again[numbers.index(changed[0])].session
            return [_explain_change(submission, changed[0], first, twice)]
        fresh = train(secrets.randbits(62), range(len(numbers)))
    except LudusError as error:
        return [Rerun(note=f"no training was done again: {error}")]
    problem = _compare_scores(submission, [one.session for one in fresh])
    return (
        [Rerun(problem)] if problem else [Rerun(seconds=one.session.cpu_seconds) for one in again]
    )


def _find_changed(
    submission: TrainingSubmission, numbers: Sequence[int], again: Sequence[Retrained]
) -> list[int]:
    pairs = zip(numbers, again, strict=True)
    return [k for k, one in pairs if one.session.actions != submission.sessions[k].actions]


def _explain_change(
    submission: TrainingSubmission, number: int, first: Session, second: Session
) -> Rerun:
    """Return that a training is another one, or that the code never gives the same twice."""
    name = submission.sessions[number].name
    if first.actions != second.actions:
        return Rerun(note=f"no training was done again: {name} comes out differently every time")
    return Rerun(f"{name}: another training comes of its seed and code")


def _compare_scores(submission: TrainingSubmission, fresh: Sequence[Session]) -> str:
    """Return that a brain does much worse where nobody knew the worlds, or nothing."""
    known = [_score(session) for session in submission.sessions]
    unknown = [_score(session) for session in fresh]
    loss = fmean(known) - fmean(unknown)
    error = math.sqrt(pvariance(known) / len(known) + _spread(known, unknown) / len(unknown))
    if loss <= max(MOST_LOSS, STANDARD_ERRORS * error):
        return ""
    figures = f"{fmean(unknown):.3f} instead of {fmean(known):.3f}"
    return f"in fresh worlds its trainings score {figures}: it knows the public ones by heart"


def _spread(known: Sequence[float], unknown: Sequence[float]) -> float:
    """Return the variance of trainings, that of the larger sample if the small one has less."""
    return max(pvariance(known), pvariance(unknown))


def _score(session: Session) -> float:
    parts: Mapping[str, float] = assess_session(session).parts
    return sum(parts.values())
