"""Gives a drawn level the numbers of gaps, turtles and coin blocks that are demanded."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ludus.games.platformer.generators.personal.canvas import LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.levels.constraints import Constraints

__all__ = ["meet_demands"]

GAP, EDGE = 2, 3


class Adding(NamedTuple):
    """How more of something is made.

    Attributes:
        signs: The characters that are it.
        others: The characters that can be turned into it.
        turned: What those are turned into.
        put: Puts one more on the ground of a column; whether there is room.
    """

    signs: str
    others: str
    turned: str
    put: Callable[[Canvas, int], bool]


def meet_demands(canvas: Canvas, demanded: Constraints, dice: Dice) -> None:
    """Change a canvas as little as its demands ask for; what finds no room is left out."""
    if demanded.gaps is not None:
        _meet_gaps(canvas, demanded.gaps, dice)
    if demanded.turtles is not None:
        _remove_signs(canvas, _TURTLES, demanded.turtles, dice)
        _add_signs(canvas, _TURTLES, demanded.turtles, dice)
    if demanded.coin_blocks is not None:
        _remove_signs(canvas, _COIN_BLOCKS, demanded.coin_blocks, dice)
        _add_signs(canvas, _COIN_BLOCKS, demanded.coin_blocks, dice)


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


def _remove_signs(canvas: Canvas, adding: Adding, demanded: int, dice: Dice) -> None:
    """Turn those that are too many into others."""
    for place in dice.shuffle(_places(canvas, adding.signs))[demanded:]:
        canvas.cells[place] = adding.others[0]


def _add_signs(canvas: Canvas, adding: Adding, demanded: int, dice: Dice) -> None:
    """Turn others into what is missing; what is still missing then is put on free ground."""
    missing = demanded - len(_places(canvas, adding.signs))
    for place in dice.shuffle(_places(canvas, adding.others))[: max(0, missing)]:
        canvas.cells[place] = adding.turned
        missing -= 1
    for x in dice.shuffle(range(LEAD, canvas.end)):
        if missing <= 0:
            return
        missing -= adding.put(canvas, x)


def _put_koopa(canvas: Canvas, x: int) -> bool:
    return canvas.put_enemy(x, "k")


def _put_coin_block(canvas: Canvas, x: int) -> bool:
    return canvas.put_blocks(x, "Q")


_TURTLES = Adding(signs="kKrRyY", others="gG", turned="k", put=_put_koopa)
_COIN_BLOCKS = Adding(signs="CQ!2", others="S", turned="C", put=_put_coin_block)
