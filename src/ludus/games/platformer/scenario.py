"""What is to be played in the platformer, as one frozen record."""

from __future__ import annotations

from dataclasses import dataclass

from ludus.errors import OptionError
from ludus.games.platformer.level import Level

__all__ = ["Scenario"]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One level to play and the terms it is played on.

    Attributes:
        name: What tables call it, such as ``"sprint-03"``.
        level: The level.
        mode: How Mario starts: 0 small, 1 large, 2 with fire.
        time_limit: Seconds on the level's clock; 0 means no limit.
        seed: The number an agent draws its chance from; the game itself knows none.
    """

    name: str
    level: Level
    mode: int = 0
    time_limit: int = 40
    seed: int = 0

    def __post_init__(self) -> None:
        if self.mode not in (0, 1, 2):
            raise OptionError(f"mode {self.mode} is not 0 (small), 1 (large) or 2 (fire)")
        if self.time_limit < 0:
            raise OptionError(f"time limit {self.time_limit} is negative; 0 means no limit")
