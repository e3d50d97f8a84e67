"""Tile by tile, by odds that rise with the distance from the last of a kind.

In the spirit of Hopper (Takahashi and Smith, 2010). Deaths and time make the level easy, medium or
hard. Three styles, which do not exclude each other, add zones of their own to about 15 % of the
level: a runner gets jumps from pillar to pillar, a killer creatures in rows and items, a discoverer
hidden coins. What killed the player comes less often.
"""

from __future__ import annotations

from collections.abc import Callable

from ludus.games.platformer.generators.personal.canvas import FLOOR, HIGHEST, LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.patterns import islands, sow_enemies
from ludus.games.platformer.generators.personal.personal import personal_generator
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["GENERATOR", "find_styles", "judge_difficulty"]

EASY, MEDIUM, HARD = 0, 1, 2
ZONE = 16
ZONE_ODDS = 0.012
"""Odds of a zone in each column; with 16 columns a zone, about 15 % of the level."""

SLOW = 120
"""Who takes more seconds than this is not fast."""


def judge_difficulty(record: PlayerRecord) -> int:
    """Return 0 for an easy level, 1 for a medium one, 2 for a hard one."""
    if record.deaths >= 2 or not record.wins:
        return EASY
    return MEDIUM if record.deaths or record.total_time > SLOW else HARD


def find_styles(record: PlayerRecord) -> list[str]:
    """Return the player's styles, none to three of them.

    Example:
        >>> from ludus.games.platformer.recordings.profiles import PROFILES
        >>> find_styles(PROFILES["beginner"]), find_styles(PROFILES["expert"])
        ([], ['runner', 'killer', 'discoverer'])
    """
    found = {
        "runner": 2 * record.time_running > record.total_time,
        "killer": 3 * record.kills > record.enemies_total,
        "discoverer": record.blocks_share > 0.3,
    }
    return [style for style, is_theirs in found.items() if is_theirs]


def _draw(record: PlayerRecord, dice: Dice, width: int) -> Canvas:
    canvas, hard, styles = Canvas(width), judge_difficulty(record), find_styles(record)
    gap_odds = (0.1, 0.25, 0.45)[hard] / (1 + record.deaths_by_gap)
    x, row, last_step, last_gap = LEAD, FLOOR, LEAD, LEAD
    while x < canvas.end:
        if styles and dice.chance(ZONE_ODDS) and x + ZONE < canvas.end:
            canvas.raise_ground(x, x + ZONE, row)
            ZONES[dice.pick(styles)](canvas, x, dice)
            x += ZONE
        elif dice.chance(_rise(x - last_step) / 4):
            row = max(HIGHEST, min(FLOOR, row + dice.pick([-2, -1, 1, 2])))
            last_step = x
        if dice.chance(gap_odds * _rise(x - last_gap)):
            across = dice.between(2, 3 + hard)
            canvas.dig(x, across)
            x, last_gap = x + across, x + across
        canvas.raise_ground(x, x + 3, row)
        x += 3
    _add_details(canvas, record, hard, dice)
    return canvas


def _rise(distance: int) -> float:
    """Return odds that rise from 0 to 1 within 30 columns."""
    return min(1.0, distance / 30)


def _add_details(canvas: Canvas, record: PlayerRecord, hard: int, dice: Dice) -> None:
    odds = (0.05, 0.12, 0.2)[hard]
    turtles = record.deaths_by_red_turtle + record.deaths_by_green_turtle
    weights = {
        "g": 3 / (1 + record.deaths_by_goomba),
        "k": 1.5 / (1 + turtles),
        "r": 1 / (1 + turtles),
        "y": 0.3 * hard / (1 + record.deaths_by_armored_turtle),
    }
    last_enemy = last_block = LEAD
    for x in range(LEAD + 3, canvas.end):
        if dice.chance(odds * 2 * _rise(x - last_enemy)) and canvas.put_enemy(
            x, dice.weigh(weights)
        ):
            last_enemy = x
        if dice.chance(_rise(x - last_block) / 6):
            last_block = x
            _add_reward(canvas, x, hard, dice)


def _add_reward(canvas: Canvas, x: int, hard: int, dice: Dice) -> None:
    kind = dice.weigh({"blocks": 3, "coins": 2, "pipe": 1})
    if kind == "blocks":
        canvas.put_blocks(x, dice.pick(["SQS", "QQ", "S?S", "SCSQS"]))
    elif kind == "coins":
        canvas.put_coins(x, 4, dice.between(2, 3))
    else:
        canvas.put_pipe(x, 2 + (hard > EASY), dice.chance(0.2 * hard))


def _runner_zone(canvas: Canvas, x: int, dice: Dice) -> None:
    islands(canvas, x, ZONE, 2, dice)


def _killer_zone(canvas: Canvas, x: int, dice: Dice) -> None:
    canvas.put_blocks(x + 1, "S?S")
    sow_enemies(canvas, x + 5, ZONE - 6, 5, dice, "gkk")


def _discoverer_zone(canvas: Canvas, x: int, dice: Dice) -> None:
    for k in range(3, ZONE - 3, 2):
        canvas.put(x + k, canvas.ground[x + k] - 4, "2")
    canvas.put_coins(x + 4, ZONE - 8, 6)


ZONES: dict[str, Callable[[Canvas, int, Dice], None]] = {
    "runner": _runner_zone,
    "killer": _killer_zone,
    "discoverer": _discoverer_zone,
}

GENERATOR = personal_generator(
    "hopper", "for a player: tile by tile with rising odds, in the spirit of Hopper", _draw
)
