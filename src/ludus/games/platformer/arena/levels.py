"""The levels that the arena plays, by their names.

A name is that of a level of the campaign, such as ``1-1``, or the address of a generated one: the
generator and its options, as in ``ludus?difficulty=3&seed=7``.

The levels of ``mario-arena/unseen`` are generated: twelve difficulties in turn, overground,
underground and castles. Levels to train on, levels to evaluate a training on and levels of the
benchmark come from seeds of their own.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from urllib.parse import urlencode

from ludus.errors import OptionError
from ludus.games.platformer.generators import load
from ludus.games.platformer.generators.addresses import generate_at, split_address
from ludus.games.platformer.levels.campaign import STAGES, campaign_level
from ludus.games.platformer.levels.level import Level

__all__ = [
    "DIFFICULTIES",
    "arena_level",
    "generated_stage",
    "is_address",
    "level_difficulty",
    "stage_seed",
    "unseen_stage",
]

GENERATORS = ("ludus", "notch-framework")
"""Those whose levels Mario plays by the rules that the arena has; none of them is a user's code."""

DIFFICULTIES = 12
"""How many difficulties unseen levels have, 0 to 11; the campaign ends with 11."""

TYPES = ("overground", "underground", "castle")
LENGTH = 150
MOVING_PLATFORMS = 10


@lru_cache(maxsize=4096)
def arena_level(stage: str) -> Level:
    """Return the level of a name.

    Raises:
        OptionError: There is none of this name, or an option is unknown or out of range.

    Example:
        >>> arena_level("1-1").width, arena_level("ludus?length=60&seed=7").width
        (150, 60)
    """
    if stage in STAGES:
        return campaign_level(stage)
    if not is_address(stage):
        raise OptionError(
            f"no level {stage[:40]!r}: there are 1-1 … 8-4, and addresses such as "
            "'ludus?difficulty=3&seed=7'"
        )
    return generate_at(stage)


def is_address(stage: str) -> bool:
    """Tell whether a name is the address of a generated level."""
    return stage.partition("?")[0] in GENERATORS


def generated_stage(address: str, seed: int) -> str:
    """Return the address of the level that a generator with these options makes of a seed.

    Raises:
        OptionError: The generator, or one of the options, is unknown, or a seed is among them.

    Example:
        >>> generated_stage("ludus?difficulty=3", 7)
        'ludus?difficulty=3&seed=7'
    """
    name, options = split_address(address)
    if "seed" in options:
        raise OptionError(f"{address[:60]!r} names one level: leave out the seed to have many")
    load(name).validate_texts(options)
    return f"{name}?{urlencode({**options, 'seed': seed})}"


def unseen_stage(seed: int, number: int) -> str:
    """Return the address of an unseen level: its difficulty and its type follow from its number.

    Example:
        >>> unseen_stage(123, 14)
        'ludus?difficulty=2&type=underground&length=150&moving_platforms=10&seed=123'
    """
    options = {
        "difficulty": number % DIFFICULTIES,
        "type": TYPES[number // DIFFICULTIES % len(TYPES)],
        "length": LENGTH,
        "moving_platforms": MOVING_PLATFORMS,
    }
    return generated_stage(f"ludus?{urlencode(options)}", seed)


def stage_seed(purpose: str, number: int) -> int:
    """Return the seed of a level for a purpose, such as ``training``, in 31 bits.

    Example:
        >>> stage_seed("training", 0) == stage_seed("held out", 0)
        False
    """
    digest = hashlib.sha256(f"mario-arena/unseen {purpose} {number}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def level_difficulty(level: Level) -> int:
    """Return the difficulty that a generated level was made with; 0 of one without a recipe."""
    return int(level.recipe.options.get("difficulty") or 0) if level.recipe else 0
