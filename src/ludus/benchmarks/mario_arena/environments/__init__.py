"""The arena as Gymnasium environments: an episode is one of the track, tick for tick."""

from __future__ import annotations

from ludus.benchmarks.mario_arena.environments.env import MarioArenaEnv
from ludus.benchmarks.mario_arena.environments.vector_env import MarioArenaVectorEnv

__all__ = ["MarioArenaEnv", "MarioArenaVectorEnv"]
