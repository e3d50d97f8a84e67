"""Levels of the 2009 and 2010 formats, from what the native generators return."""

from __future__ import annotations

from ludus.games.platformer.levels.level import Creature, Level, Reference

__all__ = ["Described", "reference_level"]

Described = tuple[
    str,
    bytes,
    tuple[int, int],
    list[tuple[int, int, int, bool]],
    list[tuple[int, int, int]],
    dict[str, int],
]
"""A generated level: text, map, exit, creatures, block data, counts."""


def reference_level(number_format: str, described: Described) -> Level:
    """Return a level that keeps its map bytes beside the text that the framework's rules play."""
    text, cells, exit_cell, creatures, data, counts = described
    rows = tuple(text.split("\n"))
    reference = Reference(
        format=number_format,
        height=len(rows),
        map=cells,
        exit=exit_cell,
        creatures=tuple(map(Creature._make, creatures)),
        data=tuple(data),
        counts=counts,
    )
    return Level(rows, reference=reference)
