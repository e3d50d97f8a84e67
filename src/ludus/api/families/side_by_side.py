"""Brains trained side by side: in the same worlds, training by training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.benchmarks.nematode.headline import HEADLINE_TASK
from ludus.errors import OptionError
from ludus.learning.worm.standing import OnProgress, Standing

if TYPE_CHECKING:
    from ludus.games.worm.training import Session

__all__ = ["describe_trainings", "train_side_by_side"]


def train_side_by_side(
    brains: Sequence[str],
    *,
    task: str = HEADLINE_TASK,
    trainings: int,
    episodes: int,
    seed: int = 0,
    out: str | Path,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
) -> dict[str, list[Session]]:
    """Train brains in the same worlds and return their sessions by brain.

    Training *k* of every brain begins with the same worlds, so they can be compared in pairs. What
    a folder of an earlier call holds already is not trained again.

    Args:
        brains: Names of the catalogue, or ``file.py:Class``.
        task: The task's spec, such as ``foraging-small+klinotaxis``.
        trainings: How often each is trained.
        episodes: How many episodes a training has.
        seed: What the seeds of all trainings are made from.
        out: Where the trainings go, a folder for each brain.
        workers: How many processes; one for each core if None, this process if 0.
        on_progress: Called with how it goes.

    Raises:
        OptionError: A brain is named twice, an option is wrong, or a folder holds other trainings.
        AgentError: There is no such brain.
        MissingExtra: JAX is not installed.
    """
    from ludus.learning.worm import train

    twice = next((name for name in brains if list(brains).count(name) > 1), None)
    if twice:
        raise OptionError(f"{twice!r} is named twice: name each brain once")
    sessions: dict[str, list[Session]] = {}
    for number, brain in enumerate(brains):
        done = train(
            task,
            brain,
            trainings=trainings,
            episodes=episodes,
            seed=seed,
            folder=Path(out) / brain.rpartition(":")[2],
            evaluation=0,
            workers=workers,
            on_progress=_count_all(on_progress, number, len(brains)),
        )
        sessions[brain] = done.read()
    return sessions


def _count_all(on_progress: OnProgress | None, done: int, brains: int) -> OnProgress | None:
    """Return what reports a brain's trainings as part of those of all brains."""
    if on_progress is None:
        return None

    def report(now: Standing) -> None:
        on_progress(Standing(done * now.total + now.episodes, brains * now.total, now.success))

    return report


def describe_trainings(task: str, trainings: int, episodes: int, seed: int) -> str:
    """Return what was trained, in one line."""
    count = f"{trainings} training{'s' * (trainings != 1)}"
    return f"{task}: {count} of {episodes} episodes each, seed {seed}"
