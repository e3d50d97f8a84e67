"""Gymnasium environments of the worm."""

from __future__ import annotations

from ludus.games.worm.environments.env import WormEnv
from ludus.games.worm.environments.vector_env import WormVectorEnv

__all__ = ["WormEnv", "WormVectorEnv"]
