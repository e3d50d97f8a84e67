"""The looks a level can have: the colours of its ground and what lies behind it."""

from __future__ import annotations

from typing import Literal, get_args

from ludus.errors import OptionError
from ludus.games.platformer.levels.level import Level

__all__ = ["THEMES", "Theme", "find_theme"]

Theme = Literal["overground", "underground", "castle"]
THEMES: tuple[Theme, ...] = get_args(Theme)
"""Meadows under the sky, a cave of blue-grey stone, halls lit by torches."""


def find_theme(level: Level, theme: str | None = None) -> Theme:
    """Return the look to draw a level in: the one asked for, or that of its labels or its type.

    A level with no theme among its labels is overground, unless it is a map of 2009 or 2010 of
    another type.

    Raises:
        OptionError: If there is no such theme.
    """
    if theme is None:
        of_map = THEMES[level.map.type if level.map is not None else 0]
        return next((name for name in THEMES if name in level.labels), of_map)
    for name in THEMES:
        if name == theme:
            return name
    raise OptionError(f"there is no theme {theme!r}; try one of {', '.join(THEMES)}")
