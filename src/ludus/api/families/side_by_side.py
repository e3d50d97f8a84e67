"""Brains trained side by side: in the same worlds, training by training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.benchmarks.nematode.headline import HEADLINE_TASK
from ludus.errors import OptionError
from ludus.learning.worm.standing import OnProgress, Standing

if TYPE_CHECKING:
    from ludus.games.worm.training import Session

__all__ = ["SideBySide"]


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """How brains are trained side by side.

    Training *k* of every brain begins with the same worlds, so they can be compared in pairs.

    Attributes:
        task: The task's spec, such as ``foraging-small+klinotaxis``.
        trainings: How often each brain is trained.
        episodes: How many episodes a training has.
        seed: What the seeds of all trainings are made from.
        out: Where the trainings go, a folder for each brain. What it holds is not trained again.
        workers: How many processes; one for each core if None, this process if 0.
        on_progress: Called with how it goes.
    """

    task: str = HEADLINE_TASK
    trainings: int = 5
    episodes: int = 100
    seed: int = 0
    out: str | Path = "runs/side-by-side"
    workers: int | None = None
    on_progress: OnProgress | None = None

    @property
    def title(self) -> str:
        """What is trained, in one line."""
        count = f"{self.trainings} training{'s' * (self.trainings != 1)}"
        return f"{self.task}: {count} of {self.episodes} episodes each, seed {self.seed}"

    def train(self, brains: Sequence[str]) -> dict[str, list[Session]]:
        """Train brains and return their sessions by brain.

        Args:
            brains: Names of the catalogue, or ``file.py:Class``.

        Raises:
            OptionError: A brain is named twice, an option is wrong, or a folder holds other
                trainings.
            AgentError: There is no such brain.
            MissingExtra: JAX is not installed.
        """
        twice = next((name for name in brains if list(brains).count(name) > 1), None)
        if twice:
            raise OptionError(f"{twice!r} is named twice: name each brain once")
        return {brain: self._train_brain(brain, brains) for brain in brains}

    def _train_brain(self, brain: str, brains: Sequence[str]) -> list[Session]:
        from ludus.learning.worm import train

        done = train(
            self.task,
            brain,
            trainings=self.trainings,
            episodes=self.episodes,
            seed=self.seed,
            folder=Path(self.out) / brain.rpartition(":")[2],
            evaluation=0,
            workers=self.workers,
            on_progress=self._count_all(brains.index(brain), len(brains)),
        )
        return done.read()

    def _count_all(self, done: int, brains: int) -> OnProgress | None:
        """Return what reports a brain's trainings as part of those of all brains."""
        on_progress = self.on_progress
        if on_progress is None:
            return None

        def report(now: Standing) -> None:
            on_progress(Standing(done * now.total + now.episodes, brains * now.total, now.success))

        return report
