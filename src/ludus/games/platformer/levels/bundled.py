"""The ten bundled levels, easiest first."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ludus.errors import OptionError
from ludus.games.platformer.levels.level import Level

__all__ = ["BUNDLED", "bundled_level", "bundled_levels"]

BUNDLED = tuple(f"sprint-{number:02d}" for number in range(1, 11))
"""The names of the bundled levels, easiest first."""


@cache
def bundled_level(name: str) -> Level:
    """Return the bundled level of that name, such as ``"sprint-03"``.

    Raises:
        OptionError: There is no such level; the message lists those there are.

    Example:
        >>> bundled_level("sprint-01").height
        16
    """
    if name not in BUNDLED:
        raise OptionError(f"no bundled level {name!r}; there are {', '.join(BUNDLED)}")
    text = files("ludus.games.platformer.levels").joinpath(f"{name}.txt")
    return Level.parse(text.read_text(encoding="utf-8"))


def bundled_levels() -> tuple[Level, ...]:
    """Return the ten bundled levels, easiest first."""
    return tuple(bundled_level(name) for name in BUNDLED)
