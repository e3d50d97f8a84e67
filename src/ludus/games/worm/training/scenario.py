"""Which dishes a training goes through."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludus.errors import OptionError
from ludus.field_kinds import check_kinds
from ludus.games.worm.frozen_tasks import find_recorded_task
from ludus.games.worm.scenario import Scenario
from ludus.games.worm.task import Task

__all__ = ["EPISODES", "TrainingScenario", "training_seed"]

EPISODES = 500
"""How many episodes a training has on a board."""

SEEDS = 2**32
WIDE_SEEDS = 2**64  # those of sealed seasons, too many to try
MOST_EPISODES = 2**19


@dataclass(frozen=True, slots=True)
class TrainingScenario:
    """A training: so many dishes of a task, the first of this seed, each next of the next.

    Attributes:
        name: What tables call it.
        task: The world and what is asked of the worm.
        seed: The seed of the first dish.
        episodes: How many dishes.
    """

    name: str
    task: Task
    seed: int
    episodes: int = EPISODES

    def __post_init__(self) -> None:
        if not 1 <= self.episodes <= MOST_EPISODES:
            raise OptionError(f"a training of {self.episodes} episodes is none: try {EPISODES}")
        if not 0 <= self.seed < WIDE_SEEDS:
            raise OptionError(f"seed {self.seed} is not between 0 and {WIDE_SEEDS - 1}")
        if self.task.substrate != "grid":
            raise OptionError(f"{self.task.id} is no grid: trainings are played on grids only")

    def dish(self, number: int) -> Scenario:
        """Return one of its dishes, counted from 0."""
        seeds = SEEDS if self.seed < SEEDS else WIDE_SEEDS
        return Scenario(f"{self.name}, dish {number + 1}", self.task, (self.seed + number) % seeds)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrainingScenario:
        """Return the training that plain values describe.

        Raises:
            OptionError: They describe none.
        """
        try:
            check_kinds(cls, values)
            task = find_recorded_task(values["task"])
            return cls(values["name"], task, int(values["seed"]), int(values["episodes"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, OptionError):
                raise
            raise OptionError(f"not a training of the worm: {error}") from None


def training_seed(task: str, seed: int, training: int) -> int:
    """Return the seed of a training's first dish; episode ``i`` is played with this seed + i.

    Nobody picks the seeds of trainings, so nobody can pick the lucky ones.

    Args:
        task: The task's name, such as ``foraging-small``.
        seed: What all trainings of a submission are made from.
        training: The training's number, from 0.
    """
    text = f"nematode {task} {seed} {training}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return number % (SEEDS - 2 * MOST_EPISODES)
