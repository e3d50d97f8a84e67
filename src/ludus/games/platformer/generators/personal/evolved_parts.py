"""Parts that were bred beforehand, chosen by rules that turn a record into skill and preferences.

In the spirit of the entry by Shimizu and Hashiyama (2010). They bred parts with people as judges;
here an evolution without people breeds them, once, for each of five degrees of difficulty and
three contents. A part is a row of genes, one a column.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ludus.games.platformer.generators.personal.canvas import HEIGHT, LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.personal import personal_generator
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["GENERATOR", "Style", "judge_style"]

DEGREES = 5
CONTENTS = ("coins", "blocks", "enemies")
LENGTH, VARIANTS = 16, 8
POPULATION, GENERATIONS = 12, 25

GENES = " ____^v.obQ?gkr"
"""Genes: nothing, step up or down, a missing column, a coin, blocks, an item, creatures."""

DIFFICULTY = {".": 1.0, "g": 0.8, "k": 1.2, "r": 1.2, "^": 0.2, "v": 0.1, "?": -0.5}
CONTENT = {"o": "coins", "Q": "blocks", "b": "blocks", "?": "blocks"} | dict.fromkeys(
    "gkr", "enemies"
)


class Style(NamedTuple):
    """What rules make of a record: skill 0 to 4, and preferences 0 to 100."""

    skill: int
    coins: float
    blocks: float
    enemies: float


def judge_style(record: PlayerRecord) -> Style:
    """Return a player's skill and preferences.

    Example:
        >>> from ludus.games.platformer.recordings.profiles import PROFILES
        >>> [judge_style(record).skill for record in PROFILES.values()]
        [0, 2, 4]
    """
    points = 1 + record.wins - min(2, record.deaths)
    points += 2 * record.time_running > record.total_time
    points += record.stomps >= 10
    points += 2 * (record.time_large + record.time_fire) > record.total_time
    points -= record.mode_periods > 5
    return Style(
        max(0, min(DEGREES - 1, points)),
        100 * record.coins_collected / max(1, record.coins_total * record.lives),
        100 * record.blocks_share,
        100 * record.kills / max(1, record.enemies_total * record.lives),
    )


@cache
def _breed(degree: int, content: str, variant: int) -> str:
    """Return a part that was bred for a degree of difficulty and a content."""
    dice = Dice("parts", degree, content, variant)
    parts = ["".join(dice.pick(GENES) for _ in range(LENGTH)) for _ in range(POPULATION)]
    for _ in range(GENERATIONS):
        parts.sort(key=lambda part: _fitness(part, degree, content), reverse=True)
        best = parts[: POPULATION // 2]
        parts = best + [_cross(dice.pick(best), dice.pick(best), dice) for _ in best]
    return max(parts, key=lambda part: _fitness(part, degree, content))


def _cross(one: str, other: str, dice: Dice) -> str:
    cut, place = dice.between(1, LENGTH - 1), dice.between(0, LENGTH - 1)
    child = one[:cut] + other[cut:]
    return child[:place] + dice.pick(GENES) + child[place + 1 :]


def _fitness(part: str, degree: int, content: str) -> float:
    """Return how well a part fits: its difficulty, its content, no pit too wide, some calm."""
    wanted = 0.4 + 1.1 * degree
    difficulty = sum(DIFFICULTY.get(gene, 0) for gene in part)
    share = sum(CONTENT.get(gene) == content for gene in part)
    widest = max(map(len, "".join(g if g == "." else " " for g in part).split()), default=0)
    return -3 * abs(difficulty - wanted) + min(share, 5) - 5 * max(0, widest - 2 - degree // 2)


def _draw(record: PlayerRecord, dice: Dice, width: int) -> Canvas:
    canvas, style = Canvas(width), judge_style(record)
    weights = {content: 15 + getattr(style, content) for content in CONTENTS}
    for start in range(LEAD, canvas.end - LENGTH, LENGTH + 2):
        part = _breed(style.skill, dice.weigh(weights), dice.between(0, VARIANTS - 1))
        _express(canvas, start, part, dice)
    return canvas


def _express(canvas: Canvas, start: int, part: str, dice: Dice) -> None:
    """Draw a part from a column on: first the ground, then what is on it."""
    base = canvas.ground[start - 1]
    row = base
    for x, gene in enumerate(part, start):
        row -= 2 * (gene == "^") - 2 * (gene == "v")
        canvas.raise_ground(x, x + 1, row)
        row = canvas.ground[x]
        if gene == ".":
            canvas.dig(x, 1)
    for x, gene in enumerate(part, start):
        if canvas.ground[x] == HEIGHT:
            continue
        if gene in "gkr":
            canvas.put_enemy(x, gene)
        elif gene in "bQ?":
            canvas.put_blocks(x - 1, {"b": "SSS", "Q": "SQC", "?": "S?S"}[gene])
        elif gene == "o":
            canvas.put_coins(x, 2, dice.between(2, 3))


GENERATOR = personal_generator(
    "evolved-parts", "for a player: parts bred beforehand, chosen by skill and taste", _draw
)
