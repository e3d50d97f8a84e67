"""Names for the engine's numbers: actions, figures and endings."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ACTIONS", "FIGURES", "Ending"]

ACTIONS = ("forward", "left", "right", "stay")
"""What a worm can do; left and right turn and go in one step."""

FIGURES = (
    "steps",
    "foods",
    "success",
    "efficiency",
    "total_reward",
    "ending",
    "satiety",
    "health",
    "in_zone",
    "positions",
    "encounters",
    "evasions",
    "damage",
    "comfort",
    "oxygen_comfort",
    "seed",
    "wall_hits",
    "distance",
)
"""The figures of an episode, in the engine's order."""


class Ending(IntEnum):
    """How an episode has ended."""

    RUNNING = 0
    COMPLETED_ALL_FOOD = 1
    STARVED = 2
    PREDATOR = 3
    HEALTH_DEPLETED = 4
    MAX_STEPS = 5

    @property
    def reason(self) -> str:
        """The ending in lower case, or nothing while the episode is running."""
        return "" if self is Ending.RUNNING else self.name.lower()
