"""Gives a drawn level the numbers of gaps, turtles and coin blocks that are demanded."""

from __future__ import annotations

from ludus.games.platformer.generators.personal.canvas import LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.levels.constraints import Constraints

__all__ = ["meet_demands"]

TURTLES, COIN_BLOCKS = "kKrRyY", "CQ!2"
GAP, EDGE = 2, 3


def meet_demands(canvas: Canvas, demanded: Constraints, dice: Dice) -> None:
    """Change a canvas as little as its demands ask for; what finds no room is left out."""
    if demanded.gaps is not None:
        _meet_gaps(canvas, demanded.gaps, dice)
    if demanded.turtles is not None:
        _meet_signs(canvas, TURTLES, "g", demanded.turtles, dice)
        _add_turtles(canvas, demanded.turtles, dice)
    if demanded.coin_blocks is not None:
        _meet_signs(canvas, COIN_BLOCKS, "S", demanded.coin_blocks, dice)
        _add_coin_blocks(canvas, demanded.coin_blocks, dice)


def _places(canvas: Canvas, signs: str) -> list[tuple[int, int]]:
    return sorted(place for place, sign in canvas.cells.items() if sign in signs)


def _meet_gaps(canvas: Canvas, demanded: int, dice: Dice) -> None:
    for start, width in dice.shuffle(canvas.find_gaps())[demanded:]:
        canvas.fill(start, width)
    for x in dice.shuffle(range(LEAD + EDGE, canvas.end - EDGE - GAP)):
        if len(canvas.find_gaps()) >= demanded:
            return
        if canvas.has_ground(x - EDGE, GAP + 2 * EDGE):
            canvas.dig(x, GAP)


def _meet_signs(canvas: Canvas, signs: str, other: str, demanded: int, dice: Dice) -> None:
    """Put another sign where there are too many."""
    for place in dice.shuffle(_places(canvas, signs))[demanded:]:
        canvas.cells[place] = other


def _add_turtles(canvas: Canvas, demanded: int, dice: Dice) -> None:
    missing = demanded - len(_places(canvas, TURTLES))
    for place in dice.shuffle(_places(canvas, "gG"))[: max(0, missing)]:
        canvas.cells[place] = "k"
        missing -= 1
    for x in dice.shuffle(range(LEAD, canvas.end)):
        if missing <= 0:
            return
        missing -= canvas.put_enemy(x, "k")


def _add_coin_blocks(canvas: Canvas, demanded: int, dice: Dice) -> None:
    missing = demanded - len(_places(canvas, COIN_BLOCKS))
    for place in dice.shuffle(_places(canvas, "S"))[: max(0, missing)]:
        canvas.cells[place] = "C"
        missing -= 1
    for x in dice.shuffle(range(LEAD, canvas.end)):
        if missing <= 0:
            return
        missing -= canvas.put_blocks(x, "Q")
