"""Levels of the 2009 and 2010 formats, from what the native generators return."""

from __future__ import annotations

from ludus.games.platformer.levels.level import Creature, Level, Reference

__all__ = ["Described", "reference_level"]

Described = tuple[
    bytes,
    tuple[int, int],
    list[tuple[int, int, int, bool]],
    list[tuple[int, int, int]],
    dict[str, int],
]
"""A level in the format of its generator: map, exit, creatures, block data, counts."""


def reference_level(number_format: str, text: str, described: Described | None) -> Level:
    """Return a level of this text that keeps the data of its own format, if it has any."""
    rows = tuple(text.split("\n"))
    if described is None:
        return Level(rows)
    cells, exit_cell, creatures, data, counts = described
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
