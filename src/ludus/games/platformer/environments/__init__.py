"""Gymnasium environments of the platformer."""

from __future__ import annotations

from ludus.games.platformer.environments.env import PlatformerEnv
from ludus.games.platformer.environments.options import EnvOptions, Reward
from ludus.games.platformer.environments.vector_env import PlatformerVectorEnv

__all__ = ["EnvOptions", "PlatformerEnv", "PlatformerVectorEnv", "Reward"]
