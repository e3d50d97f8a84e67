"""Ludus, a proving ground for game-playing agents.

Importing it registers its environments with Gymnasium. The functions of the front door are imported
when they are first used.

Example:
    >>> import ludus
    >>> result = ludus.race("platformer/bundled", ["idle", "random"], episodes=1, store="sqlite://")
    >>> [row["agent"] for row in result.to_dicts()]
    ['random', 'idle']

    >>> import gymnasium
    >>> env = gymnasium.make("ludus/Platformer-v0")
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Any

from ludus.distribution import DISTRIBUTION
from ludus.games.registration import register_environments

FRONT_DOOR = (
    "add_account",
    "board",
    "check",
    "check_claims",
    "close_event",
    "compare",
    "create_event",
    "enter_event",
    "event_results",
    "event_terms",
    "find_submission",
    "judge",
    "level",
    "list_accounts",
    "list_events",
    "list_submissions",
    "open_seasons",
    "play_season",
    "publish",
    "publish_event",
    "race",
    "replace_token",
    "replay",
    "resume",
    "reveal_event",
    "reveal_season",
    "revoke_account",
    "run",
    "run_event",
    "seasons",
    "serve",
    "start_season",
    "submit_agent",
    "train",
    "trust",
    "verify",
    "verify_event",
    "withdraw_entry",
    "work",
)
"""The functions of :mod:`ludus.api`; ``__init__.pyi`` tells type checkers of them."""

__all__ = ["__version__", *FRONT_DOOR]

__version__ = version(DISTRIBUTION)

register_environments()


def __getattr__(name: str) -> Any:
    if name in FRONT_DOOR:
        return getattr(import_module("ludus.api"), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *FRONT_DOOR})
