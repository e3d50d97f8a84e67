"""The cells around Mario as lines of signs, the same under all rules, with a legend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import ActionError
from ludus.games.platformer.tasks.observation import Observation
from ludus.games.platformer.tasks.view import TaskView
from ludus.games.platformer.view import View

__all__ = ["TextView", "draw_cells"]

CODES = 256
EMPTY, MARIO = ".", "M"
TALL = 24
"""The height of a Mario who fills two cells."""

WIDE = (32, 16)
"""The cells that a view without a field of its own is asked for."""
BEHIND, AHEAD = 6, 15
"""How many columns of them are shown to the left and to the right of Mario."""

LEGEND = {
    MARIO: "Mario",
    "#": "ground or block",
    "B": "brick",
    "?": "question block",
    "b": "brick or question block",
    "o": "coin",
    "P": "pipe",
    "C": "cannon",
    "p": "pipe or cannon",
    "=": "platform, can be jumped through from below",
    "F": "goal",
    "H": "ladder",
    "k": "key",
    "L": "lock",
    "s": "switch",
    "D": "closed door",
    "d": "open door",
    "X": "something",
    "e": "creature, can be stomped on",
    "x": "spiked creature, hurts whoever lands on it",
    "c": "creature",
    "*": "mushroom or flower to collect",
    "f": "fireball of Mario",
    EMPTY: "free",
}


def _table(signs: Mapping[str, tuple[int, ...]], rest: str) -> NDArray[np.str_]:
    """Return the sign of each code; code 0 is a free cell, the rest has one sign."""
    table = np.full(CODES, rest)
    table[0] = EMPTY
    for sign, codes in signs.items():
        table[list(codes)] = sign
    return table


_FRAMEWORK_BLOCKS = {
    "C": (19, 20, 21),
    "B": (22,),
    "?": (24,),
    "o": (31,),
    "P": (34, 35, 36, 37, 68, 69),
    "F": (55, 56),
    "=": (59, 60, 61, 62),
    EMPTY: (63,),
    "H": (80, 81),
    "k": (82, 83, 84),
    "L": (85, 86, 87),
    "s": (88, 89, 90, 91, 92, 93),
    "D": (94, 95, 96),
    "d": (97, 98, 99),
    "X": (100,),
}
_BLOCKS = {
    "framework": _table(_FRAMEWORK_BLOCKS, "#"),
    "2009": _table({"B": (16,), "?": (21,), "p": (20,), "o": (34,), "=": (245,), "X": (1,)}, "#"),
    "2010": _table(
        {
            "o": (2,),
            "F": (5,),
            "H": (61,),
            "P": (166,),
            "p": (171,),
            "C": (174, 176),
            "=": (194,),
            "b": (232,),
            "?": (234,),
            "B": (236,),
        },
        "#",
    ),
}
_CREATURES = {
    "framework": _table({"e": (2,), "x": (8,), "*": (12,), "f": (16,)}, "c"),
    "2009": _table({"e": (*range(2, 9), 13), "x": (9, 10, 12), "*": (14, 15), "f": (25,)}, "c"),
    "2010": _table(
        {
            "e": (13, 80, 81, 82, 84, 95, 96, 97, 98),
            "x": (91, 93, 99),
            "*": (2, 3),
            "f": (25,),
            "F": (49,),
        },
        "c",
    ),
}
MERGED = {"framework": (2, 8, 12, 16), "2009": tuple(range(2, 15)), "2010": tuple(range(80, 100))}
"""Codes of creatures that no block has: a merged grid has one number for both."""


class TextView(NamedTuple):
    """Cells as text.

    Attributes:
        lines: The rows from the top down; Mario is at ``M``. Of free rows at the top and equal ones
            at the bottom, one each is shown.
        legend: The signs that occur, with their meaning.
    """

    lines: tuple[str, ...]
    legend: tuple[str, ...]


def draw_cells(observation: Any, *, tall: bool = False) -> TextView | None:
    """Return the cells that an observation shows, or None if it shows none.

    Where blocks and creatures are shown in two grids, a creature stands before its block. A view of
    the whole game is asked for more columns than usual, at the finest detail.

    Args:
        observation: What the player sees.
        tall: Whether Mario fills two cells.
    """
    rules = observation.rules if observation.rules in _BLOCKS else "framework"
    signs = _draw_grids(observation, rules)
    if signs is None:
        return None
    column, row = (side // 2 for side in signs.shape)
    signs[column, row] = MARIO
    if tall and row:
        signs[column, row - 1] = MARIO
    if _is_whole_game(observation):
        signs = signs[column - BEHIND : column + AHEAD + 1]
    lines = _trim(["".join(line) for line in signs.T.tolist()])
    used = set("".join(lines))
    legend = tuple(f"{sign} {meaning}" for sign, meaning in LEGEND.items() if sign in used)
    return TextView(lines, legend)


def _trim(lines: list[str]) -> tuple[str, ...]:
    """Return rows without free ones at the top and equal ones at the bottom, but for one each."""
    first, last = 0, len(lines)
    while first + 2 < last and set(lines[first] + lines[first + 1]) == {EMPTY}:
        first += 1
    while first + 2 < last and lines[last - 1] == lines[last - 2]:
        last -= 1
    return tuple(lines[first:last])


def _is_whole_game(observation: Any) -> bool:
    return isinstance(observation, View) and not isinstance(observation, TaskView)


def _draw_grids(observation: Any, rules: str) -> NDArray[np.str_] | None:
    """Return the signs of the grids that are shown, by column and row."""
    if _is_whole_game(observation):
        blocks = observation.grid("scene", detail=0, size=WIDE)
        return _put(blocks, observation.grid("enemies", detail=0, size=WIDE), rules)
    blocks, creatures = _see(observation, "scene"), _see(observation, "enemies")
    if blocks is not None and (creatures is None or creatures.shape == blocks.shape):
        return _put(blocks, creatures, rules)
    merged = _see(observation, "merged")
    if merged is not None:
        creature = np.isin(merged % CODES, MERGED[rules])
        return _put(np.where(creature, 0, merged), np.where(creature, merged, 0), rules)
    if blocks is not None:
        return _put(blocks, None, rules)
    return None if creatures is None else _put(np.zeros_like(creatures), creatures, rules)


def _put(
    blocks: NDArray[np.int32], creatures: NDArray[np.int32] | None, rules: str
) -> NDArray[np.str_]:
    """Return blocks as signs, with creatures before them."""
    signs = _BLOCKS[rules][blocks % CODES]
    if creatures is not None:
        signs = np.where(creatures != 0, _CREATURES[rules][creatures % CODES], signs)
    return signs


def _see(observation: View | Observation, grid: str) -> NDArray[np.int32] | None:
    try:
        shown: NDArray[np.int32] = getattr(observation, grid)
    except ActionError:
        return None
    return shown
