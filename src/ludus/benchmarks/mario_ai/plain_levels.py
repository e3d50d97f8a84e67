"""Levels of generators that know no player, in the size and under the rules of the track.

They compete beside the generators for players: is a level that was made for somebody more fun than
one that was made for anybody?
"""

from __future__ import annotations

from collections.abc import Callable

from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.level import Level

__all__ = ["PLAIN_GENERATORS"]

HEIGHT, RULES = 15, "2009"
DIFFICULTY = 2
"""Harder than the test level, so that the two are not alike."""


def _make_like_notch(seed: int, width: int) -> Level:
    return generate("notch-2009", seed=seed, width=width, difficulty=DIFFICULTY)


def _make_like_ludus(seed: int, width: int) -> Level:
    """Return a level of Ludus without its top row, as it has one more than is demanded."""
    level = generate("ludus", seed=seed, length=width, difficulty=DIFFICULTY)
    return Level.parse("\n".join(level.text.splitlines()[-HEIGHT:]), rules=RULES)


PLAIN_GENERATORS: dict[str, Callable[[int, int], Level]] = {
    "ludus": _make_like_ludus,
    "notch-2009": _make_like_notch,
}
"""Makes a level of a seed and a width, by the generator's name."""
