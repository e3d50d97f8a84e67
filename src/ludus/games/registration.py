"""Registers the environments with Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register

__all__ = ["register_environments"]


def register_environments() -> None:
    """Register every environment of Ludus, so that ``gymnasium.make("ludus/…")`` finds it."""
    register(
        id="ludus/Platformer-v0",
        entry_point="ludus.games.platformer.environments:PlatformerEnv",
        vector_entry_point="ludus.games.platformer.environments:PlatformerVectorEnv",
    )
    register(
        id="ludus/Worm-v0",
        entry_point="ludus.games.worm.environments:WormEnv",
        vector_entry_point="ludus.games.worm.environments:WormVectorEnv",
    )
