"""Scores for trainings that somebody else ran, from their session files.

``document`` is the score of the benchmark's description: all sessions of a group are the trainings
of one brain. ``reference`` gives what the reference program published for each session, and
``reference-plateau`` what it would with its later convergence detector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludus.benchmarks.nematode.intervals import bootstrap_interval
from ludus.benchmarks.nematode.reference import find_convergence, find_plateau, score_session
from ludus.benchmarks.nematode.scoring import (
    FULL_TRAININGS,
    MIN_TRAININGS,
    WEIGHTS,
    Composite,
    Training,
    assess,
    score_trainings,
    success_rate,
)
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.benchmarks.score_files import ScoredFiles
from ludus.games.worm.training import Session

__all__ = ["RULES", "assess_session", "score_files"]

RULES = ("document", "reference", "reference-plateau")


def score_files(path: Path, rule: str) -> ScoredFiles:
    """Score a session, or a folder of them, by one of the rules.

    Raises:
        OptionError: There are no session files.
    """
    sessions, faults = read_sessions(path)
    if rule != "document":
        published = [_published_row(session, rule) for session in sessions]
        return ScoredFiles(published, faults, _format_sessions(published) if published else "")
    rows: list[dict[str, Any]] = []
    reports: list[str] = []
    for name, group in _groups(path, sessions).items():
        trainings = [assess_session(session) for session in group]
        composite = score_trainings(trainings)
        pairs = zip(group, trainings, strict=True)
        rows += [_training_row(session, training, composite) for session, training in pairs]
        rows.append(_submission_row(name, group, trainings, composite))
        reports.append(_format_submission(rows[-1]))
    return ScoredFiles(rows, faults, "\n\n".join(reports))


def assess_session(session: Session) -> Training:
    """Return what a session comes to as one training."""
    return assess(session.successes, session.efficiencies)


def _groups(path: Path, sessions: Sequence[Session]) -> dict[str, list[Session]]:
    """Return the sessions by what they say they belong to; otherwise they belong together."""
    groups: dict[str, list[Session]] = {}
    for session in sessions:
        groups.setdefault(session.group or path.stem, []).append(session)
    return groups


def _published_row(session: Session, rule: str) -> dict[str, Any]:
    detector = find_plateau if rule == "reference-plateau" else find_convergence
    composite = score_session(
        session.successes,
        session.efficiencies,
        session.survival or None,
        session.comfort or None,
        detector=detector,
    )
    return {
        "session": session.name,
        "brain": session.brain,
        "group": session.group,
        "episodes": len(session.successes),
        **asdict(composite),
    }


def _training_row(session: Session, training: Training, composite: Composite) -> dict[str, Any]:
    parts = {**training.parts, "stability": composite.parts["stability"]}
    return {
        "session": session.name,
        "brain": session.brain,
        "group": session.group,
        "episodes": training.episodes,
        "composite": sum(parts.values()),
        "success_rate": training.success_rate,
        "success_rate_late": success_rate(session.late),
        "distance_efficiency": training.distance_efficiency,
        "convergence_run": find_convergence(session.successes),
        "learning_speed": training.learning_speed,
        "learning_speed_episodes": training.episodes_to_success,
        "final_success": training.final_success,
        "stability": composite.values["stability"],
    }


def _submission_row(
    name: str, group: Sequence[Session], trainings: Sequence[Training], composite: Composite
) -> dict[str, Any]:
    sums = [sum(training.parts.values()) for training in trainings]
    interval = bootstrap_interval(sums, [training.final_success for training in trainings])
    return {
        "submission": name,
        "brain": ", ".join(sorted({session.brain for session in group if session.brain})),
        "trainings": composite.trainings,
        "composite": composite.total,
        "margin": composite.margin,
        "bootstrap": interval,
        "band": composite.band,
        "valid": composite.valid,
        **composite.values,
        "parts": dict(composite.parts),
        "success_rate_late": success_rate([flag for session in group for flag in session.late]),
    }


def _format_submission(row: dict[str, Any]) -> str:
    """Return a submission's score for people."""
    about = "" if row["margin"] is None else f" ± {row['margin']:.4f}"
    lines = [
        f"{row['submission']}: {row['brain'] or 'a brain without a name'}, {_count(row)}",
        f"  composite           {row['composite']:.4f}{about}: {row['band']}",
    ]
    if row["bootstrap"]:
        low, high = row["bootstrap"]
        lines.append(f"  95 % by bootstrap   {low:.4f} to {high:.4f}, stability included")
    for name, weight in WEIGHTS.items():
        words = name.replace("_", " ")
        product = f"{weight:.2f} × {row[name]:.4f} = {row['parts'][name]:.4f}"
        lines.append(f"  {words:<19} {product}")
    late = row["success_rate_late"]
    lines.append(f"  not in the score: {late:.4f} end with the target, or late with some food")
    if not row["valid"]:
        lines.append(
            f"  no valid entry: {row['trainings']} of {MIN_TRAININGS} trainings "
            f"({FULL_TRAININGS} are better)"
        )
    return "\n".join(lines)


def _count(row: dict[str, Any]) -> str:
    return "1 training" if row["trainings"] == 1 else f"{row['trainings']} trainings"


def _format_sessions(rows: Sequence[dict[str, Any]]) -> str:
    """Return the published figures of sessions for people, a line each."""
    head = "session               composite  success  converged  speed  stability  weights"
    lines = [head]
    for row in rows:
        at = "–" if row["convergence_run"] is None else row["convergence_run"]
        lines.append(
            f"{row['session']:<21} {row['composite']:>9.4f}  {row['success_rate']:>7.3f}  {at:>9}  "
            f"{row['learning_speed']:>5.3f}  {row['stability']:>9.3f}  {row['weights']}"
        )
    return "\n".join(lines)
