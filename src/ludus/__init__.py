"""Ludus, a proving ground for game-playing agents.

Importing it registers its environments with Gymnasium.

Example:
    >>> import gymnasium
    >>> import ludus
    >>> env = gymnasium.make("ludus/Platformer-v0")
"""

from __future__ import annotations

from importlib.metadata import version

from ludus.distribution import DISTRIBUTION
from ludus.games.registration import register_environments

__all__ = ["__version__"]

__version__ = version(DISTRIBUTION)

register_environments()
