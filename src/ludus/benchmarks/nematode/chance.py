"""What chance gives: how often a walker that takes each action alike often succeeds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.games.worm import ACTIONS, Batch, Ending, find_task

__all__ = ["play_chance_trainings"]

WALKER_SEED = 0
SEEDS = 2**32
MOST_WORLDS = 5_000


def play_chance_trainings(
    task: str, first_seeds: Sequence[int], episodes: int
) -> NDArray[np.bool_]:
    """Return whether a walker by chance succeeds in each episode, a row for each training.

    Args:
        task: The task's spec.
        first_seeds: The seed of each training's first dish; the others count up from it.
        episodes: How many dishes a training has.

    Raises:
        OptionError: There is no such task.
    """
    seeds = (np.array(first_seeds, np.int64)[:, None] + np.arange(episodes)) % SEEDS
    parts = np.array_split(seeds.ravel(), -(-seeds.size // MOST_WORLDS))
    generator = np.random.default_rng(WALKER_SEED)
    return np.concatenate([_play(task, part, generator) for part in parts]).reshape(seeds.shape)


def _play(task: str, seeds: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.bool_]:
    batch = Batch(task, len(seeds))
    batch.begin(seeds)
    for _ in range(find_task(task).max_steps):
        batch.step(generator.integers(0, len(ACTIONS), len(seeds), dtype=np.int32))
        if batch.ended.all():
            break
    return np.array(batch.ended == Ending.COMPLETED_ALL_FOOD)
