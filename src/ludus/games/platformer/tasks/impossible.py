"""Levels of 2010 that nobody can finish, on purpose."""

from __future__ import annotations

from dataclasses import replace

from ludus.errors import OptionError
from ludus.games.platformer.levels.level import Level

__all__ = ["dig_impossible_gap"]

SHORTEST = 160
"""Columns. The gap has almost half of them; the longest flight crosses about twenty."""

END = 10
"""Columns at the exit that stay."""


def dig_impossible_gap(level: Level | None) -> Level:
    """Return a level of 2009 or 2010 with a gap from its middle almost to its exit.

    No flight crosses it, and nothing is left in it to jump off.

    Raises:
        OptionError: The level has no map of those years, or is too short for the gap.

    Example:
        >>> from ludus.games.platformer.generators import generate
        >>> level = dig_impossible_gap(generate("tunable-2010", seed=3))
        >>> level.labels, level.recipe
        (frozenset({'impossible'}), None)
    """
    reference = None if level is None else level.map
    if level is None or reference is None or reference.width < SHORTEST:
        raise OptionError(f"a gap needs a map of 2009 or 2010 with {SHORTEST} columns or more")
    gap = range(reference.width // 2, reference.width - END)
    cells = bytearray(reference.map)
    cells[gap.start * reference.height : gap.stop * reference.height] = bytes(
        len(gap) * reference.height
    )
    dug = replace(
        reference,
        map=bytes(cells),
        creatures=tuple(one for one in reference.creatures if one.column not in gap),
        data=tuple(one for one in reference.data if one[0] not in gap),
    )
    labels = {*level.labels, "impossible"}
    return Level.from_reference(dug, labels=labels).with_options(level.options)
