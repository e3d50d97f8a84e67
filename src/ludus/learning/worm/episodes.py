"""What is kept of a training: a line of figures for each episode, and every action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.worm.chemotaxis import chemotaxis_index

__all__ = ["Diary", "EpisodeLine", "line_of"]


@dataclass(frozen=True, slots=True)
class EpisodeLine:
    """The figures of one episode of a training.

    Attributes:
        seed: The world's seed.
        success: Whether all food was eaten.
        steps: How long it took.
        total_reward: The sum of the rewards.
        reason: Why it ended.
        foods: How many were eaten.
        efficiency: How straight the ways to them were.
        chemotaxis: The chemotaxis index.
        survival: The share of health that was left.
        comfort: The share of steps at a comfortable temperature.
        oxygen_comfort: The share of steps at comfortable oxygen.
    """

    seed: int
    success: bool
    steps: int
    total_reward: float
    reason: str
    foods: int
    efficiency: float
    chemotaxis: float
    survival: float | None = None
    comfort: float | None = None
    oxygen_comfort: float | None = None


@dataclass
class Diary:
    """A training as far as it has come.

    Attributes:
        training: Its number, from 0.
        first_seed: The seed of its first episode's world.
        lines: One for each finished episode.
        actions: All actions of the finished episodes, one byte each.
        cpu_seconds: The processor time spent on it.
    """

    training: int
    first_seed: int
    lines: list[EpisodeLine] = field(default_factory=list)
    actions: bytearray = field(default_factory=bytearray)
    cpu_seconds: float = 0.0

    @property
    def seed(self) -> int:
        """The seed of the next episode's world."""
        return (self.first_seed + len(self.lines)) % 2**32

    def add(self, line: EpisodeLine, actions: NDArray[np.int32]) -> None:
        """Take down an episode."""
        self.lines.append(line)
        self.actions += actions.astype(np.uint8).tobytes()


def line_of(figures: Mapping[str, Any], lane: int, task: Any, reason: str) -> EpisodeLine:
    """Return the line of the episode that just ended in a lane of a batch of worlds."""
    steps, positions = int(figures["steps"][lane]), float(figures["positions"][lane])
    inside = float(figures["in_zone"][lane])
    share = max(steps, 1)
    return EpisodeLine(
        seed=int(figures["seed"][lane]),
        success=bool(figures["success"][lane]),
        steps=steps,
        total_reward=float(figures["total_reward"][lane]),
        reason=reason,
        foods=int(figures["foods"][lane]),
        efficiency=float(figures["efficiency"][lane]),
        chemotaxis=chemotaxis_index(inside, positions),
        survival=float(figures["health"][lane]) / task.health if task.health else None,
        comfort=float(figures["comfort"][lane]) / share if task.temperature else None,
        oxygen_comfort=float(figures["oxygen_comfort"][lane]) / share if task.oxygen else None,
    )
