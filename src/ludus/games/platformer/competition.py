"""The levels of the competition of 2009."""

from __future__ import annotations

from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level

__all__ = ["COLUMNS", "DIFFICULTIES", "FIRE", "LEVELS_EACH", "TIME_LIMIT", "competition_level"]

DIFFICULTIES = (0, 3, 5, 10)
LEVELS_EACH = 10
TIME_LIMIT = 200
FIRE = 2
COLUMNS = 320


def competition_level(seed: int, difficulty: int, columns: int = COLUMNS) -> Level:
    """Return a level of the competition: above the earth, and 320 columns long.

    Args:
        seed: Which level.
        difficulty: Of the four that the competition had.
        columns: The length; in the second competition it varied.

    Example:
        >>> competition_level(0, 3).recipe.options["width"]
        320
    """
    return generate("notch-2009", seed=seed, difficulty=difficulty, width=columns)
