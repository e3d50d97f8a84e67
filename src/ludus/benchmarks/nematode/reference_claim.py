"""A submission of the reference as a claim: who says what of which brain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus.benchmarks.claim import Claim
from ludus.benchmarks.nematode.score_files import assess_own_length
from ludus.benchmarks.nematode.scoring import Composite, score_trainings
from ludus.benchmarks.nematode.sessions import is_submission, read_sessions, read_values
from ludus.errors import OptionError, one_line
from ludus.games.worm.training import Session
from ludus.games.worm.training.reference_files import describe_task

__all__ = ["read_claim"]


def read_claim(file: Path) -> tuple[Claim, list[str]]:
    """Return what a submission of the reference claims, and a line for each session not read.

    The score is computed from its sessions, if all of them are there and agree in length.

    Raises:
        OptionError: The file is no submission.
    """
    try:
        values = read_values(file)
        if not is_submission(values):
            raise OptionError("is no submission: it has no 'submission_id' with 'sessions'")
    except OptionError as error:
        raise OptionError(f"{file}: {error}") from None
    sessions, faults = read_sessions(file)
    whole = not faults and len({len(session.successes) for session in sessions}) == 1
    score = score_trainings(map(assess_own_length, sessions)) if whole else None
    try:
        return _make_claim(values, sessions, score), faults
    except (KeyError, TypeError, ValueError) as error:
        raise OptionError(
            f"{file}: is no submission that can be shown: {one_line(error)}"
        ) from None


def _make_claim(
    values: Mapping[str, Any], sessions: Sequence[Session], score: Composite | None
) -> Claim:
    environment = values.get("environment")
    task = describe_task(environment if isinstance(environment, dict) else {})
    if task is None:
        raise ValueError("its environment has no 'grid_size'")
    listed = [one for one in values["sessions"] if isinstance(one, dict)]
    return Claim(
        benchmark=f"nematode/{task}",
        options=_find_options(sessions),
        agent=values["brain_type"],
        contributor=str(values.get("contributor") or "unnamed"),
        source=values["submission_id"],
        date=str(values.get("timestamp") or ""),
        value=score.total if score else None,
        margin=score.margin if score else None,
        published=_read_mean(values.get("metrics")),
        trainings=len(listed),
        length=max((int(one.get("num_runs") or 0) for one in listed), default=0),
        notes=str(values.get("notes") or ""),
    )


def _find_options(sessions: Sequence[Session]) -> dict[str, str]:
    """Return the world and the senses that come nearest: sessions without health are of 2025."""
    healthy = any(session.survival for session in sessions)
    senses = {str(session.task).partition("+")[2] for session in sessions} - {""}
    options = {} if healthy else {"world": "e25"}
    return options | ({"sensing": senses.pop()} if len(senses) == 1 else {})


def _read_mean(metrics: Any) -> float | None:
    composite = metrics.get("composite_score") if isinstance(metrics, dict) else None
    mean = composite.get("mean") if isinstance(composite, dict) else None
    return float(mean) if isinstance(mean, int | float) else None
