"""Makes the environments known to Gymnasium."""

from __future__ import annotations

from gymnasium.envs.registration import register

__all__ = ["register_environments"]


def register_environments() -> None:
    """Register every environment of Ludus, so that ``gymnasium.make("ludus/…")`` finds it."""
    register(
        id="ludus/Platformer-v0",
        entry_point="ludus.games.platformer.env:PlatformerEnv",
        vector_entry_point="ludus.games.platformer.vector:PlatformerVectorEnv",
    )
    register(
        id="ludus/Worm-v0",
        entry_point="ludus.games.worm.env:WormEnv",
        vector_entry_point="ludus.games.worm.vector:WormVectorEnv",
    )
