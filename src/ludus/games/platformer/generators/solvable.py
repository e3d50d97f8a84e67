"""Generates levels from seed after seed until the solver finds a way through one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ludus.errors import OptionError
from ludus.games.platformer.generators.generator import Generator
from ludus.games.platformer.levels.level import Level

__all__ = ["solvable_level"]

TRIES = 100


def solvable_level(generator: Generator[Any], options: Mapping[str, object]) -> Level:
    """Return the first level that the solver solves: of the seed given or of one made from it.

    The level's recipe names the seed that it is of.

    Raises:
        OptionError: None of a hundred was solved, or the levels are impossible on purpose.
    """
    from ludus.games.platformer.levels.solver import solve

    for seed in islice(_seeds(generator.validate(options)), TRIES):
        level = generator(**{**options, "seed": seed})
        if "impossible" in level.labels:
            raise OptionError("the level is impossible on purpose: give solvable or impossible")
        if solve(level).outcome == "solved":
            return level
    raise OptionError(
        f"none of {TRIES} levels was solved: make them easier, or give another seed than "
        f"{options.get('seed')}"
    )


def _seeds(options: Any) -> Iterator[int]:
    """Yield the seed of the options, then seeds made from it that every generator takes."""
    first = getattr(options, "seed", 0)
    yield first
    for number in range(1, TRIES):
        digest = hashlib.sha256(f"{first} {number}".encode()).digest()
        yield int.from_bytes(digest[:4], "big") >> 1
