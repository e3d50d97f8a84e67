"""Scores for trainings that somebody else ran, from their session files.

``document`` is the score of the benchmark's description: sessions that are alike in brain, task,
senses and length are the trainings of one brain, and learning speed is over that length. ``letter``
takes the description's words on success and efficiency as they stand.
``reference`` gives what the reference program published for each session, and
``reference-plateau`` what it would with its later convergence detector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

from ludus.benchmarks.nematode.intervals import bootstrap_interval
from ludus.benchmarks.nematode.letter import read_by_letter
from ludus.benchmarks.nematode.reference import find_convergence, find_plateau, score_session
from ludus.benchmarks.nematode.scoring import (
    FULL_TRAININGS,
    MIN_TRAININGS,
    WEIGHTS,
    Composite,
    Training,
    assess,
    count_trainings,
    format_margin,
    score_trainings,
    success_rate,
)
from ludus.benchmarks.nematode.sessions import read_sessions
from ludus.benchmarks.nematode.stored_figures import compare_stored, describe_stored
from ludus.benchmarks.score_files import ScoredFiles
from ludus.errors import LudusError
from ludus.games.worm.training import Session

__all__ = ["RULES", "assess_own_length", "assess_session", "score_files", "score_paths"]

RULES = ("document", "letter", "reference", "reference-plateau")


def score_files(path: Path, rule: str) -> ScoredFiles:
    """Score a session, a folder or tree of them, or a submission by one of the rules.

    Raises:
        OptionError: There are no session files.
    """
    return score_paths([path], rule)


def score_paths(paths: Sequence[Path], rule: str) -> ScoredFiles:
    """Score the sessions at some paths together.

    Raises:
        OptionError: There are no session files.
    """
    sessions, faults = read_sessions(*paths)
    if rule == "letter":
        sessions = list(_read_by_letter(sessions, faults))
    elif rule != "document":
        published = [_published_row(session, rule) for session in sessions]
        lines = [_format_sessions(published), *describe_stored(sessions)] if published else []
        return ScoredFiles(published, faults, "\n".join(lines))
    rows: list[dict[str, Any]] = []
    reports: list[str] = []
    for name, group in _group_alike(paths[0], sessions).items():
        trainings = [assess_own_length(session) for session in group]
        composite = score_trainings(trainings)
        pairs = zip(group, trainings, strict=True)
        rows += [_training_row(session, training, composite) for session, training in pairs]
        rows.append(_submission_row(name, group, trainings, composite))
        reports.append("\n".join([_format_submission(rows[-1]), *describe_stored(group)]))
    return ScoredFiles(rows, faults, "\n\n".join(reports))


def assess_session(session: Session) -> Training:
    """Return what a session comes to as one training."""
    return assess(session.successes, session.efficiencies)


def _read_by_letter(sessions: Sequence[Session], faults: list[str]) -> Iterator[Session]:
    """Yield the sessions that the letter can be applied to; name the others, a line a reason."""
    refused: dict[str, list[str]] = {}
    for session in sessions:
        try:
            yield read_by_letter(session)
        except LudusError as error:
            refused.setdefault(str(error), []).append(session.name)
    for reason, names in refused.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        faults.append(f"{names[0]}{more}: {reason}")


def assess_own_length(session: Session) -> Training:
    """Return what a session comes to, its learning speed measured against its own length."""
    episodes = len(session.successes)
    return assess(session.successes, session.efficiencies, max_episodes=episodes)


def _group_alike(path: Path, sessions: Sequence[Session]) -> dict[str, list[Session]]:
    """Return the sessions that are alike in group, brain, task with its senses, and length."""
    groups: dict[tuple[str, str, str, int], list[Session]] = {}
    for session in sessions:
        key = session.group, session.brain, session.task or "", len(session.successes)
        groups.setdefault(key, []).append(session)
    bases = {key: key[0] or key[2] or path.stem for key in groups}
    often = Counter(bases.values())
    return {
        base if often[base] == 1 else f"{base}, {key[1] or 'unnamed'}, {key[3]} episodes": group
        for (key, group), base in zip(groups.items(), bases.values(), strict=True)
    }


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
        "stored_differences": compare_stored(session),
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
        "stored_differences": compare_stored(session),
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
        "success_rate_late": fmean(success_rate(session.late) for session in group),
        "task": group[0].task,
        "episodes": len(group[0].successes),
    }


def _format_submission(row: dict[str, Any]) -> str:
    """Return a submission's score for people."""
    about = format_margin(row["margin"])
    count = count_trainings(row["trainings"])
    lines = [
        f"{row['submission']}: {row['brain'] or 'a brain without a name'}, {count}",
        f"  episodes            {row['episodes']} a training, which learning speed is over",
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
