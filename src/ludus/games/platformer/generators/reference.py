"""Levels of the 2009 and 2010 formats, from what the native generators return."""

from __future__ import annotations

from typing import cast

from ludus.games.platformer import _native
from ludus.games.platformer.levels.level import Creature, Level, Reference

__all__ = ["Described", "generate_map"]

Described = tuple[
    bytes,
    tuple[int, int],
    list[tuple[int, int, int, bool]],
    list[tuple[int, int, int]],
    dict[str, int],
]
"""A level in the format of its generator: map, exit, creatures, block data, counts."""


def generate_map(
    generator: str, values: list[tuple[str, int]], number_format: str, **facts: int
) -> Level:
    """Return the level that a native generator makes, for the rules that play its map.

    Args:
        generator: Its name.
        values: Its options.
        number_format: ``2009`` or ``2010``.
        facts: Height, type and difficulty.
    """
    _, _, described = _native.generate(generator, values)
    cells, exit_cell, creatures, data, counts = cast("Described", described)
    return Level.from_reference(
        Reference(
            format=number_format,
            map=cells,
            exit=exit_cell,
            creatures=tuple(map(Creature._make, creatures)),
            data=tuple(data),
            counts=counts,
            **facts,
        )
    )
