"""What the reference wrote into its session files, beside what its rule gives here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ludus.benchmarks.nematode.reference import (
    Published,
    find_convergence,
    find_plateau,
    score_session,
)
from ludus.games.worm.training import Session

__all__ = ["compare_stored", "describe_stored"]

CLOSE = 1e-9
NAMES = {
    "composite_benchmark_score": "composite",
    "success_rate": "success_rate",
    "avg_distance_efficiency": "distance_efficiency",
    "convergence_run": "convergence_run",
    "learning_speed": "learning_speed",
    "learning_speed_episodes": "learning_speed_episodes",
    "stability": "stability",
    "post_convergence_success_rate": "post_success_rate",
    "post_convergence_variance": "post_variance",
    "post_convergence_distance_efficiency": "post_distance_efficiency",
}
"""What the reference calls its figures, and what they are called here."""


def compare_stored(session: Session) -> dict[str, tuple[Any, Any]] | None:
    """Return the figures of a file that its episodes do not give: stored and computed, by name.

    Of the reference's two ways to find the convergence, the one that agrees better counts. None if
    the file holds no figures.
    """
    if not any(name in session.stored for name in NAMES):
        return None
    found = (
        _differences(session, _score(session, detector))
        for detector in (find_convergence, find_plateau)
    )
    return min(found, key=len)


def describe_stored(sessions: Sequence[Session]) -> list[str]:
    """Return lines on how the stored figures of sessions agree with ours."""
    compared = [(session.name, compare_stored(session)) for session in sessions]
    known = [(name, changes) for name, changes in compared if changes is not None]
    if not known:
        return []
    same = sum(not changes for _, changes in known)
    lines = [f"  stored figures      {same} of {len(known)} sessions give what their files say"]
    lines += [
        f"  {name}: {figure} is stored as {_show(stored)}, its episodes give {_show(ours)}"
        for name, changes in known
        for figure, (stored, ours) in changes.items()
    ]
    return lines


def _score(session: Session, detector: Any) -> Published:
    return score_session(
        session.successes,
        session.efficiencies,
        session.survival or None,
        session.comfort or None,
        detector=detector,
    )


def _differences(session: Session, ours: Published) -> dict[str, tuple[Any, Any]]:
    pairs = {
        name: (session.stored[name], getattr(ours, figure))
        for name, figure in NAMES.items()
        if name in session.stored
    }
    return {name: pair for name, pair in pairs.items() if not _are_equal(*pair)}


def _are_equal(stored: Any, ours: Any) -> bool:
    numbers = all(isinstance(one, int | float) for one in (stored, ours))
    return math.isclose(stored, ours, abs_tol=CLOSE) if numbers else stored == ours


def _show(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else f"{value!r:.40}"
