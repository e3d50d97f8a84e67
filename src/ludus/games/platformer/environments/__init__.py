"""Gymnasium environments of the platformer."""

from __future__ import annotations

from ludus.games.platformer.environments.buttons import (
    COMPLEX_MOVEMENT,
    RIGHT_ONLY,
    SIMPLE_MOVEMENT,
)
from ludus.games.platformer.environments.env import PlatformerEnv
from ludus.games.platformer.environments.options import EnvOptions, Reward
from ludus.games.platformer.environments.vector_env import PlatformerVectorEnv
from ludus.games.platformer.level_names import find_levels

__all__ = [
    "COMPLEX_MOVEMENT",
    "RIGHT_ONLY",
    "SIMPLE_MOVEMENT",
    "EnvOptions",
    "PlatformerEnv",
    "PlatformerVectorEnv",
    "Reward",
    "find_levels",
]
