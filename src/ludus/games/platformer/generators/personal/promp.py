"""Passes from left to right, each adding one kind of thing by weighted events.

In the spirit of ProMP (B. Weber, 2010): a base level, then passes for ground, hills, pipes,
enemies, blocks and coins. In every column one of the pass's events may happen; limits keep the
level playable. Of the record, wins raise the weights of enemies and gaps, and deaths lower them;
falls and deaths by flowers also lower those of gaps and flowers.
"""

from __future__ import annotations

from ludus.games.platformer.generators.personal.canvas import FLOOR, HIGHEST, LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.personal import personal_generator
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["GENERATOR"]

NOTHING = "nothing"
WIDEST_GAP, TALLEST_PIPE = 5, 4


def _draw(record: PlayerRecord, dice: Dice, width: int) -> Canvas:
    canvas = Canvas(width)
    danger = _weigh_danger(record)
    _pass_ground(canvas, dice, danger / (1 + record.deaths_by_gap))
    _pass_hills(canvas, dice)
    _pass_pipes(canvas, dice, danger / (1 + record.deaths_by_jump_flower))
    _pass_enemies(canvas, dice, danger)
    _pass_blocks(canvas, dice)
    _pass_coins(canvas, dice)
    return canvas


def _weigh_danger(record: PlayerRecord) -> float:
    """Return how much enemies and gaps weigh: 1 as usual, from 0.25 to 2."""
    return max(0.25, min(2.0, 1 + 0.8 * record.wins - 0.35 * record.deaths))


def _pass_ground(canvas: Canvas, dice: Dice, danger: float) -> None:
    """Events: raise, lower, begin a gap, end a gap."""
    x, row = LEAD, FLOOR
    while x < canvas.end - 4:
        weights = {NOTHING: 20, "raise": 2, "lower": 2, "begin gap": 1.2 * danger}
        event = dice.weigh(weights)
        if event == "raise":
            row = max(HIGHEST, row - dice.between(1, 3))
        elif event == "lower":
            row = min(FLOOR, row + dice.between(1, 3))
        canvas.raise_ground(x, canvas.end, row)
        if event == "begin gap":
            width = _gap_width(dice, danger)
            canvas.dig(x, width)
            x += width
        x += 1 if event == NOTHING else 4
    canvas.raise_ground(canvas.end - 4, canvas.end, min(FLOOR, row + 2))


def _gap_width(dice: Dice, danger: float) -> int:
    """Go on with a gap until the event that ends it."""
    width = 2
    while width < WIDEST_GAP and dice.weigh({"go on": danger, "end gap": 1.5}) == "go on":
        width += 1
    return width


def _pass_hills(canvas: Canvas, dice: Dice) -> None:
    for x in range(LEAD, canvas.end):
        if dice.weigh({NOTHING: 25, "hill": 1}) == "hill":
            canvas.put_hill(x, dice.between(4, 9), dice.between(2, 3))


def _pass_pipes(canvas: Canvas, dice: Dice, danger: float) -> None:
    for x in range(LEAD, canvas.end):
        event = dice.weigh({NOTHING: 30, "pipe": 1, "flower pipe": 0.6 * danger})
        if event != NOTHING:
            canvas.put_pipe(x, dice.between(2, TALLEST_PIPE), flower=event == "flower pipe")


def _pass_enemies(canvas: Canvas, dice: Dice, danger: float) -> None:
    signs = {"goomba": "g", "green turtle": "k", "red turtle": "r"}
    for x in range(LEAD + 4, canvas.end):
        event = dice.weigh(
            {NOTHING: 30, "goomba": 2 * danger, "green turtle": danger, "red turtle": danger / 2}
        )
        if event != NOTHING:
            canvas.put_enemy(x, signs[event])


def _pass_blocks(canvas: Canvas, dice: Dice) -> None:
    signs = {"brick": "S", "coin block": "Q", "power block": "?"}
    for x in range(LEAD, canvas.end):
        if dice.weigh({NOTHING: 12, "blocks": 1}) == "blocks":
            row = [dice.weigh({"brick": 5, "coin block": 3, "power block": 0.6}) for _ in range(9)]
            canvas.put_blocks(x, "".join(signs[one] for one in row[: dice.between(2, 6)]))


def _pass_coins(canvas: Canvas, dice: Dice) -> None:
    for x in range(LEAD, canvas.end):
        if dice.weigh({NOTHING: 20, "coins": 1}) == "coins":
            canvas.put_coins(x, dice.between(3, 6), dice.between(2, 3))


GENERATOR = personal_generator(
    "promp", "for a player: passes of weighted events, in the spirit of ProMP", _draw
)
