"""Pieces of levels that several generators draw, each of a width and a hardness from 0 to 4.

A piece begins and ends on the ground that it finds at its left edge, so pieces can follow each
other in any order.
"""

from __future__ import annotations

from collections.abc import Callable

from ludus.games.platformer.generators.personal.canvas import Canvas
from ludus.games.platformer.generators.personal.dice import Dice

__all__ = ["PATTERNS", "Pattern", "sow_enemies"]

Pattern = Callable[[Canvas, int, int, int, Dice], None]
"""Draws from a column on, so many columns wide, of a hardness."""


def sow_enemies(
    canvas: Canvas, start: int, width: int, count: int, dice: Dice, signs: str = "ggk"
) -> None:
    """Let so many creatures begin on free ground between two columns."""
    for x in dice.shuffle(range(start, start + width)):
        if count <= 0:
            return
        count -= canvas.put_enemy(x, dice.pick(signs))


def _walkers(hardness: int) -> str:
    """Return the creatures of a hardness."""
    return ("g", "ggk", "ggkr", "gkrG", "krGKy")[hardness]


def meadow(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Even ground with coins, and who walks on it."""
    canvas.put_coins(start + width // 3, width // 3, dice.between(2, 3))
    sow_enemies(canvas, start + 2, width - 4, 1 + hardness, dice, _walkers(hardness))


def block_row(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Blocks overhead, one of which may hold an item."""
    signs = [dice.pick("SSSQC") for _ in range(max(3, width // 3))]
    if dice.chance(0.7 - 0.1 * hardness):
        signs[len(signs) // 2] = "?"
    canvas.put_blocks(start + width // 4, "".join(signs))
    sow_enemies(canvas, start + 2, width - 4, hardness, dice, _walkers(hardness))


def gap(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """One gap, with coins that show the way."""
    across = min(2 + (hardness + 1) // 2, max(2, width // 3))
    middle = start + width // 2
    canvas.dig(middle - across // 2, across)
    canvas.put_coins(middle - across // 2, across, 3)
    sow_enemies(canvas, start + 1, width - 2, hardness // 2, dice, _walkers(hardness))


def two_gaps(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Two gaps with an island between them."""
    across = min(2 + hardness // 2, max(2, width // 5))
    canvas.dig(start + width // 4, across)
    canvas.dig(start + 5 * width // 8, across)
    sow_enemies(canvas, start + 1, width - 2, hardness // 2, dice, _walkers(hardness))


def pipes(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Pipes, some with a flower."""
    for x in range(start + 3, start + width - 4, 7):
        canvas.put_pipe(x, dice.between(2, 2 + hardness // 2), dice.chance(0.15 + 0.2 * hardness))
    sow_enemies(canvas, start + 1, width - 2, (1 + hardness) // 2, dice, _walkers(hardness))


def hills(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """A hill behind the way, with coins on it."""
    long = max(4, width // 2)
    canvas.put_hill(start + 3, long, 3)
    for x in range(start + 4, start + 2 + long):
        canvas.put(x, canvas.ground[x] - 4, "o")
    sow_enemies(canvas, start + 3 + long, width - long - 4, 1 + hardness // 2, dice)


def plateau(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Higher ground with a step at either side."""
    base = canvas.ground[start]
    canvas.raise_ground(start + 3, start + width - 3, base - 1 - min(2, hardness))
    canvas.put_coins(start + 5, max(2, width // 3))
    sow_enemies(canvas, start + 5, width - 8, (1 + hardness) // 2, dice, _walkers(hardness))


def valley(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Stairs up and down with a pit of creatures between them."""
    tall = min(2 + hardness // 2, (width - 6) // 2)
    canvas.stairs(start + 1, tall)
    canvas.stairs(start + width - 1 - tall, tall, down=True)
    sow_enemies(canvas, start + 2 + tall, width - 4 - 2 * tall, 1 + hardness // 2, dice, "ggk")


def broken_stairs(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Stairs up, a gap, stairs down."""
    tall, across = 2 + (hardness > 1), 2 + (hardness > 2)
    middle = start + width // 2
    canvas.stairs(middle - tall, tall)
    canvas.dig(middle, across)
    canvas.stairs(middle + across, tall, down=True)


def cannons(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Cannons, as many as it is hard."""
    for x in range(start + 4, start + width - 3, max(5, 14 - 2 * hardness)):
        canvas.put_cannon(x, dice.between(2, 3))
    canvas.put_coins(start + 1, 3)


def islands(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Islands over a pit, which get smaller as it is harder."""
    size, base = max(2, 5 - hardness), canvas.ground[start]
    x = start + 3
    while x + 2 + size <= start + width - 2:
        canvas.dig(x, 2 + hardness // 3)
        x += 2 + hardness // 3
        canvas.raise_ground(x, x + size, base - dice.between(0, 2))
        x += size
    canvas.raise_ground(x, start + width, base)


def treasure(canvas: Canvas, start: int, width: int, hardness: int, dice: Dice) -> None:
    """Two rows of coins under blocks."""
    canvas.put_blocks(start + 3, "S" + dice.pick(["QQ", "QC", "C?"]) + "S")
    canvas.put_coins(start + 9, max(3, width - 13), 2)
    canvas.put_coins(start + 9, max(3, width - 13), 3)
    sow_enemies(canvas, start + 2, width - 4, (1 + hardness) // 2, dice, _walkers(hardness))


PATTERNS: dict[str, Pattern] = {
    "meadow": meadow,
    "block row": block_row,
    "gap": gap,
    "two gaps": two_gaps,
    "pipes": pipes,
    "hills": hills,
    "plateau": plateau,
    "valley": valley,
    "broken stairs": broken_stairs,
    "cannons": cannons,
    "islands": islands,
    "treasure": treasure,
}
"""The pieces by name."""
