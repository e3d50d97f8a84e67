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
from ludus.benchmarks.nematode.reference import converged_at, plateau_at, score_session
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
        published = [_published(one, rule) for one in sessions]
        return ScoredFiles(published, faults, _listed(published) if published else "")
    rows: list[dict[str, Any]] = []
    reports: list[str] = []
    for name, own in _groups(path, sessions).items():
        trainings = [assess_session(one) for one in own]
        made = score_trainings(trainings)
        pairs = zip(own, trainings, strict=True)
        rows += [_training(session, training, made) for session, training in pairs]
        rows.append(_submission(name, own, trainings, made))
        reports.append(_told(rows[-1]))
    return ScoredFiles(rows, faults, "\n\n".join(reports))


def assess_session(session: Session) -> Training:
    """Return what a session comes to as one training."""
    return assess(session.successes, session.efficiencies)


def _groups(path: Path, sessions: Sequence[Session]) -> dict[str, list[Session]]:
    """Return the sessions by what they say they belong to; otherwise they belong together."""
    groups: dict[str, list[Session]] = {}
    for one in sessions:
        groups.setdefault(one.group or path.stem, []).append(one)
    return groups


def _published(session: Session, rule: str) -> dict[str, Any]:
    detector = plateau_at if rule == "reference-plateau" else converged_at
    made = score_session(
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
        **asdict(made),
    }


def _training(session: Session, training: Training, made: Composite) -> dict[str, Any]:
    parts = {**training.parts, "stability": made.parts["stability"]}
    return {
        "session": session.name,
        "brain": session.brain,
        "group": session.group,
        "episodes": training.episodes,
        "composite": sum(parts.values()),
        "success_rate": training.success_rate,
        "success_rate_late": success_rate(session.late),
        "distance_efficiency": training.distance_efficiency,
        "convergence_run": converged_at(session.successes),
        "learning_speed": training.learning_speed,
        "learning_speed_episodes": training.episodes_to_success,
        "final_success": training.final_success,
        "stability": made.values["stability"],
    }


def _submission(
    name: str, own: Sequence[Session], trainings: Sequence[Training], made: Composite
) -> dict[str, Any]:
    sums = [sum(one.parts.values()) for one in trainings]
    interval = bootstrap_interval(sums, [one.final_success for one in trainings])
    return {
        "submission": name,
        "brain": ", ".join(sorted({one.brain for one in own if one.brain})),
        "trainings": made.trainings,
        "composite": made.total,
        "margin": made.margin,
        "bootstrap": interval,
        "band": made.band,
        "valid": made.valid,
        **made.values,
        "parts": dict(made.parts),
        "success_rate_late": success_rate([flag for one in own for flag in one.late]),
    }


def _told(row: dict[str, Any]) -> str:
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
        shown = f"{weight:.2f} × {row[name]:.4f} = {row['parts'][name]:.4f}"
        lines.append(f"  {words:<19} {shown}")
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


def _listed(rows: Sequence[dict[str, Any]]) -> str:
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
