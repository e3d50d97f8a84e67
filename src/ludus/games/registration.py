"""Makes the environments known to Gymnasium, which calls this when it is imported."""

from __future__ import annotations

from gymnasium.envs.registration import register

__all__ = ["register_environments"]


def register_environments() -> None:
    """Register every environment of Ludus under the namespace ``ludus``.

    Gymnasium finds this function by the entry point ``gymnasium.envs`` and sets the namespace.
    """
    register(
        id="Platformer-v0",
        entry_point="ludus.games.platformer.env:PlatformerEnv",
        vector_entry_point="ludus.games.platformer.vector:PlatformerVectorEnv",
    )
