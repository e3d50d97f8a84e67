"""A training on its way: what each episode came to, and every action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.worm import Task
from ludus.games.worm.training import EpisodeResult

__all__ = ["TrainingLog", "lane_result"]


@dataclass
class TrainingLog:
    """A training as far as it has come.

    Attributes:
        training: Its number, from 0.
        first_seed: The seed of its first episode's world.
        episodes: What each finished episode came to.
        actions: All actions of the finished episodes, one byte each.
        cpu_seconds: The processor time spent on it.
    """

    training: int
    first_seed: int
    episodes: list[EpisodeResult] = field(default_factory=list)
    actions: bytearray = field(default_factory=bytearray)
    cpu_seconds: float = 0.0

    @property
    def next_seed(self) -> int:
        """The seed of the next episode's world."""
        return (self.first_seed + len(self.episodes)) % 2**32

    @property
    def wins(self) -> int:
        """How many episodes succeeded."""
        return sum(episode.success for episode in self.episodes)

    @property
    def steps(self) -> int:
        """How many steps all episodes had."""
        return sum(episode.steps for episode in self.episodes)

    def add(self, episode: EpisodeResult, actions: NDArray[np.integer[Any]]) -> None:
        """Take down an episode."""
        self.episodes.append(episode)
        self.actions += actions.astype(np.uint8).tobytes()


def lane_result(figures: Mapping[str, Any], lane: int, task: Task) -> EpisodeResult:
    """Return what the episode that just ended in a lane of a batch of worlds came to."""
    row = {name: column[lane] for name, column in figures.items()}
    return EpisodeResult.from_figures(row, task)
