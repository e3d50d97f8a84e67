"""Draws a worm's dish as text, for the terminal."""

from __future__ import annotations

from math import pi

from ludus.games.worm.world import World

__all__ = ["dish_text"]

_ARROWS = "▶▲◀▼"


def dish_text(world: World) -> str:
    """Return the dish as text: the worm as an arrow, food as ``o``, predators as ``X``.

    Example:
        >>> dish_text(World("foraging-small", seed=1)).count("o")
        5
    """
    size = world.task.size
    rows = [["·"] * size for _ in range(size)]

    def put(letter: str, x: float, y: float) -> None:
        column, row = min(int(x), size - 1), min(int(y), size - 1)
        rows[size - 1 - row][column] = letter

    for x, y in world.foods:
        put("o", x, y)
    for x, y in world.predators:
        put("X", x, y)
    put(_ARROWS[round(world.heading / (pi / 2)) % 4], *world.worm)
    return "\n".join("".join(row) for row in rows)
