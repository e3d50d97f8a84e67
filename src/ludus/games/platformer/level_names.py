"""Levels by name: of the campaign, bundled, from files, generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from os.path import isfile
from pathlib import Path
from typing import Any

from ludus.errors import OptionError, show_value
from ludus.games.platformer.formats import FORMATS, read_level
from ludus.games.platformer.generators import generate, generate_from
from ludus.games.platformer.generators.addresses import generate_at
from ludus.games.platformer.levels.bundled import BUNDLED, bundled_level, bundled_levels
from ludus.games.platformer.levels.campaign import STAGES, campaign_level, campaign_levels
from ludus.games.platformer.levels.level import Level, Recipe

__all__ = ["LevelLike", "find_level", "find_levels", "resolve_level", "shipped_level"]

LevelLike = Level | str | PathLike[str] | Recipe | Mapping[str, Any]
"""What names a level, or with "campaign", "bundled" and a recipe with ``seeds``, several."""

MOST_LEVELS = 100_000
"""A gigabyte of them: more would fill the memory of many machines."""

SHIPPED = (*STAGES, *BUNDLED)
_KNOWN = f"{STAGES[0]} … {STAGES[-1]}, {BUNDLED[0]} … {BUNDLED[-1]}"

_MANY = {
    "campaign": lambda: list(campaign_levels().values()),
    "bundled": lambda: [*bundled_levels()],
}


def find_levels(source: LevelLike) -> list[Level]:
    """Return the levels of a name.

    Args:
        source: A level; ``"1-1"`` … ``"8-4"`` or ``"campaign"`` for all of them; ``"sprint-01"`` …
            ``"sprint-10"`` or ``"bundled"``; a level file; an address such as
            ``"ludus?difficulty=3&seed=7"``; a recipe, or the options of a generator such as
            ``{"generator": "ludus", "difficulty": 3, "seed": 7}``, where ``seeds`` is a number of
            levels or a range of their seeds.

    Raises:
        OptionError: There is none of this name.

    Example:
        >>> len(find_levels("campaign")), len(find_levels({"generator": "ludus", "seeds": 3}))
        (32, 3)
    """
    if isinstance(source, Mapping):
        return _generate(source)
    if isinstance(source, str) and source in _MANY:
        return _MANY[source]()
    return [_find_level(source)]


def resolve_level(source: LevelLike) -> Level:
    """Return the one level of a name.

    Raises:
        OptionError: There is none, or there are several.

    Example:
        >>> resolve_level("sprint-01").height
        16
    """
    levels = find_levels(source)
    if len(levels) > 1:
        raise OptionError(f"{source!r:.60} names {len(levels)} levels: name one of them")
    return levels[0]


def find_level(name: str | PathLike[str]) -> Level:
    """Return the level of a name: in a file, shipped, or generated.

    Args:
        name: ``"1-1"`` … ``"8-4"``, ``"sprint-01"`` … ``"sprint-10"``, a level file, or an address
            such as ``"ludus?difficulty=3&seed=7"``.

    Raises:
        OptionError: There is none of this name.
        LevelError: The file is no level.

    Example:
        >>> find_level("ludus?length=60&seed=7").width
        60
    """
    if isfile(name) or Path(name).suffix.lower() in FORMATS.values():
        return read_level(name)
    if name in SHIPPED:
        return shipped_level(str(name))
    if isinstance(name, str) and "?" in name:
        return generate_at(name)
    raise _no_level(fspath(name))


def shipped_level(name: str) -> Level:
    """Return the bundled level, or the level of the campaign, of a name.

    Raises:
        OptionError: There is none of this name.
    """
    if name not in SHIPPED:
        raise OptionError(f"no level {show_value(name)}: there are {_KNOWN}")
    return bundled_level(name) if name in BUNDLED else campaign_level(name)


def _no_level(source: object) -> OptionError:
    return OptionError(
        f"no level {show_value(source)}: give {_KNOWN}, a level file, or an address such as "
        "'ludus?difficulty=3&seed=7'"
    )


def _find_level(source: Any) -> Level:
    if isinstance(source, Level):
        return source
    if isinstance(source, Recipe):
        return generate_from(source)
    if isinstance(source, str | PathLike):
        return find_level(source)
    raise _no_level(source)


def _generate(recipe: Mapping[str, Any]) -> list[Level]:
    options = dict(recipe)
    name, seeds = options.pop("generator", "ludus"), options.pop("seeds", None)
    if seeds is None:
        return [generate(name, **options)]
    if "seed" in options:
        raise OptionError("a recipe has seed or seeds, not both: leave one out")
    numbers = range(seeds) if isinstance(seeds, int) else seeds
    if not isinstance(numbers, Sequence) or not numbers:
        raise OptionError(f"seeds {seeds!r:.40} are no levels: give how many, or a range of seeds")
    if numbers[MOST_LEVELS:]:  # len() fails on the largest ranges
        raise OptionError(f"seeds {seeds!r:.40} are too many levels: give at most {MOST_LEVELS:,}")
    return [generate(name, seed=seed, **options) for seed in numbers]
