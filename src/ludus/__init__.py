"""Ludus, a proving ground for game-playing agents.

Importing it registers its environments with Gymnasium. The functions of the front door are imported
when they are first used, so ``import ludus`` costs next to nothing.

Example:
    >>> import ludus
    >>> result = ludus.race("platformer/bundled", ["idle", "random"], episodes=1, store="sqlite://")
    >>> [row["agent"] for row in result.to_dicts()]
    ['random', 'idle']

    >>> import gymnasium
    >>> env = gymnasium.make("ludus/Platformer-v0")
"""

from __future__ import annotations

from ludus.games.registration import register_environments
from ludus.lazy_names import lazy_names

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

register_environments()


__getattr__, __dir__ = lazy_names(__name__, {"api": FRONT_DOOR, "version": ["__version__"]})
