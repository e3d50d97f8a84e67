"""Hand-made chunks joined at anchors, the places where a player may be.

In the spirit of ORE (P. Mawhorter, 2010), occupancy-regulated extension. The level has open
anchors; one is picked, then a chunk that fits by biased chance, and the two are merged so that the
anchors lie on each other. An anchor is used once. Last come creatures and items, in the mix that
the record asks for: the share of the run key says how skilled, deaths say what to avoid.
"""

from __future__ import annotations

from typing import NamedTuple

from ludus.games.platformer.generators.personal.canvas import FLOOR, LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.personal import personal_generator
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["GENERATOR", "measure_skill"]


class Chunk(NamedTuple):
    """A piece of a level.

    Attributes:
        label: What it is about: ``calm``, ``gap``, ``climb`` or ``bonus``.
        hard: How hard it is, 0 to 2.
        rows: Its text; ``@`` marks where it is entered, ``+`` anchors for others, ``X`` ground.
    """

    label: str
    hard: int
    rows: tuple[str, ...]


CHUNKS = (
    Chunk("calm", 0, ("@------+", "XXXXXXXX")),
    Chunk("calm", 0, ("--oooo----", "@---------+", "XXXXXXXXXXX")),
    Chunk("calm", 1, ("---tt---", "@--tt---+", "XXXXXXXXX")),
    Chunk("gap", 0, ("@------+", "XXX--XXX")),
    Chunk("gap", 1, ("---ooo---", "@--------+", "XXX---XXXX")),
    Chunk("gap", 2, ("@----------+", "XXX----XXXXX")),
    Chunk("gap", 2, ("@-----------+", "XXX--XX---XXX")),
    Chunk("climb", 0, ("------+", "----XXX", "@---XXX", "XXXXXXX")),
    Chunk("climb", 1, ("-----+", "---XXX", "---XXX", "@--XXX", "XXXXXX")),
    Chunk("climb", 0, ("@------", "XXX----", "XXX----", "XXX---+", "XXXXXXX")),
    Chunk("climb", 1, ("----##-----", "---###-----", "@-####-----+", "XXXXXXXXXXXX")),
    Chunk(
        "bonus", 0, ("--+------", "--SQS----", "---------", "---------", "@--------+", "XXXXXXXXXX")
    ),
    Chunk("bonus", 0, ("---+-----", "--%%%%---", "--||||---", "@-||||---+", "XXXXXXXXXX")),
    Chunk("bonus", 0, ("--QQ---", "-------", "-------", "@-----+", "XXXXXXX")),
)
"""Chunks that go on along the ground; the last anchor of each is on its right edge."""

AIRY = (
    Chunk("bonus", 0, ("-ooo-", "@----")),
    Chunk("bonus", 1, ("-oo---", "------", "@-%%%-")),
)
"""Chunks that are put on anchors above the ground."""


def measure_skill(record: PlayerRecord) -> float:
    """Return the share of time that the run key is down, less a part for each death, 0 to 1."""
    return max(0.0, min(1.0, record.time_running / max(1, record.total_time) - record.deaths / 6))


def _draw(record: PlayerRecord, dice: Dice, width: int) -> Canvas:
    canvas, skill = Canvas(width), measure_skill(record)
    x, row = LEAD, FLOOR
    above: list[tuple[int, int]] = []
    while x < canvas.end:
        fitting = [chunk for chunk in CHUNKS if _fits(chunk, row)]
        chunk = dice.weigh({one: _odds(one, skill, record) for one in fitting})
        anchors = _merge(canvas, chunk, x, row)
        *higher, (x, row) = sorted(anchors)
        x, above = x + 1, above + higher
    canvas.raise_ground(canvas.end - 3, canvas.end, max(row, FLOOR - 2))
    for x, row in above:
        _hang(canvas, dice.pick(AIRY), x, row)
    _populate(canvas, record, skill, dice)
    return canvas


def _entry(chunk: Chunk) -> tuple[int, int]:
    """Return column and row of the anchor by which a chunk is entered."""
    return next((r.index("@"), y) for y, r in enumerate(chunk.rows) if "@" in r)


def _fits(chunk: Chunk, row: int) -> bool:
    """Whether the ground stays within the level when a chunk is entered on ground of a row."""
    ends = [y for y, r in enumerate(chunk.rows) if "+" in r]
    return 8 <= row + max(ends) - _entry(chunk)[1] <= FLOOR


def _odds(chunk: Chunk, skill: float, record: PlayerRecord) -> float:
    wanted = 2 * skill
    odds = 1 / (1 + 2 * abs(chunk.hard - wanted))
    return odds / (1 + record.deaths_by_gap) if chunk.label == "gap" else odds


def _merge(canvas: Canvas, chunk: Chunk, x: int, row: int) -> list[tuple[int, int]]:
    """Draw a chunk with its entry on ground of a row; return its other anchors."""
    top = row - 1 - _entry(chunk)[1]
    anchors = []
    for k in range(max(map(len, chunk.rows))):
        column = [r[k] if k < len(r) else "-" for r in chunk.rows]
        ground = next((y for y, sign in enumerate(column) if sign == "X"), None)
        if ground is None:
            canvas.dig(x + k, 1)
        else:
            canvas.raise_ground(x + k, x + k + 1, top + ground)
        for y, sign in enumerate(column):
            if sign == "+":
                anchors.append((x + k, top + y + 1))
            elif sign not in "-@X":
                canvas.put(x + k, top + y, sign)
    return anchors


def _hang(canvas: Canvas, chunk: Chunk, x: int, row: int) -> None:
    top = row - 1 - _entry(chunk)[1]
    for y, text in enumerate(chunk.rows):
        for k, sign in enumerate(text):
            if sign not in "-@":
                canvas.put(x + k, top + y, sign)


def _populate(canvas: Canvas, record: PlayerRecord, skill: float, dice: Dice) -> None:
    """Add creatures and items: fewer of what killed the player, more items for the less skilled."""
    weights = {
        "g": 3 / (1 + record.deaths_by_goomba),
        "k": (1 + skill) / (1 + record.deaths_by_green_turtle),
        "r": (0.5 + skill) / (1 + record.deaths_by_red_turtle),
    }
    for x in range(LEAD + 5, canvas.end):
        if dice.chance(0.03 + 0.11 * skill):
            canvas.put_enemy(x, dice.weigh(weights))
    for place, sign in sorted(canvas.cells.items()):
        if sign == "Q" and dice.chance(0.4 - 0.25 * skill):
            canvas.cells[place] = "?"


GENERATOR = personal_generator(
    "chunk-extension", "for a player: chunks joined at anchors, in the spirit of ORE", _draw
)
