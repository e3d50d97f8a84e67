"""Numbered actions for a controller of eight buttons, by the names that people know."""

from __future__ import annotations

from ludus.errors import OptionError

__all__ = ["ACTION_SETS", "split_name"]

WALKING = ((), ("right",), ("right", "A"), ("right", "B"), ("right", "A", "B"))
JUMPING_AND_BACK = (*WALKING, ("A",), ("left",))
EVERYTHING = (
    *JUMPING_AND_BACK,
    ("left", "A"),
    ("left", "B"),
    ("left", "A", "B"),
    ("down",),
    ("up",),
)

ACTION_SETS = {"right-only": WALKING, "simple": JUMPING_AND_BACK, "complex": EVERYTHING}
"""The buttons of each action; A jumps, B runs."""

DEFAULT = "simple"


def split_name(name: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """Return what a name of the form ``LEVEL`` or ``LEVEL@ACTIONS`` names, and its actions.

    Raises:
        OptionError: There is no such set of actions.

    Example:
        >>> split_name("1-1@right-only")[0], len(split_name("1-1")[1])
        ('1-1', 7)
    """
    level, _, actions = name.partition("@")
    if (actions or DEFAULT) not in ACTION_SETS:
        raise OptionError(f"no actions {actions!r}: there are {', '.join(ACTION_SETS)}")
    return level, ACTION_SETS[actions or DEFAULT]
