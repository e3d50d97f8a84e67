"""A mix of easy, medium and hard chunks of 25 columns, as the player's skill asks for.

In the spirit of the entry by R. Baumgarten (2010), which found an axis of skill by linear
discriminant analysis of eleven players. Their data are not public; the weights of the axis here are
our own, chosen so that the profiles ``beginner``, ``average`` and ``expert`` lie at about 0, a half
and 1. A chunk is not repeated before all others of its hardness were used.
"""

from __future__ import annotations

from ludus.games.platformer.generators.personal.canvas import LEAD, Canvas
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.generators.personal.patterns import PATTERNS
from ludus.games.platformer.generators.personal.personal import personal_generator
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["GENERATOR", "measure_skill"]

CHUNK = 25
RANDOM = 0.1
"""Share of chunks whose hardness is drawn evenly."""

HARDNESS = {
    "easy": ("meadow", "block row", "gap", "hills", "plateau", "treasure"),
    "medium": ("block row", "gap", "two gaps", "pipes", "hills", "plateau", "valley", "treasure"),
    "hard": ("two gaps", "pipes", "valley", "broken stairs", "cannons", "islands", "plateau"),
}
"""The chunks of each hardness."""

LEVELS = {"easy": 0, "medium": 2, "hard": 4}


def measure_skill(record: PlayerRecord) -> float:
    """Return the player's place on the axis of skill, from 0 to 1.

    Example:
        >>> from ludus.games.platformer.recordings.profiles import PROFILES
        >>> [round(measure_skill(record), 2) for record in PROFILES.values()]
        [0.0, 0.5, 1.0]
    """
    time = max(1, record.total_time)
    axis = (
        0.1
        + 0.3 * record.wins
        + 0.5 * record.time_running / time
        - 0.6 * record.time_left / time
        - 0.15 * record.deaths
        + 0.3 * record.kills / max(1, record.enemies_total)
    )
    return max(0.0, min(1.0, axis))


def _draw(record: PlayerRecord, dice: Dice, width: int) -> Canvas:
    canvas, skill = Canvas(width), measure_skill(record)
    unused: dict[str, list[str]] = {}
    for start in range(LEAD, canvas.end - CHUNK // 2, CHUNK):
        hardness = _pick_hardness(skill, dice)
        if not unused.get(hardness):
            unused[hardness] = dice.shuffle(HARDNESS[hardness])
        chunk = PATTERNS[unused[hardness].pop()]
        chunk(canvas, start, min(CHUNK, canvas.end - start), LEVELS[hardness], dice)
    return canvas


def _pick_hardness(skill: float, dice: Dice) -> str:
    if dice.chance(RANDOM):
        return dice.pick(list(HARDNESS))
    easy, hard = max(0.0, 1 - 2 * skill), max(0.0, 2 * skill - 1)
    return dice.weigh({"easy": easy, "medium": 1 - easy - hard, "hard": hard})


GENERATOR = personal_generator(
    "skill-mix", "for a player: chunks mixed by skill, in the spirit of LDA", _draw
)
