"""How trainings stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["OnProgress", "Standing"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the trainings have come.

    Attributes:
        episodes: How many episodes have been played in all.
        total: How many there will be.
        success: The share of them that succeeded.
    """

    episodes: int
    total: int
    success: float

    def describe(self) -> str:
        """Return a line for people.

        Example:
            >>> Standing(1_200, 25_000, 0.93).describe()
            '1,200 of 25,000 episodes  success 93%'
        """
        return f"{self.episodes:,} of {self.total:,} episodes  success {self.success:.0%}"


OnProgress = Callable[[Standing], None]
"""Called with how it goes, twice a second or so."""
