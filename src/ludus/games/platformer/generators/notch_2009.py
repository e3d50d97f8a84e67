"""The generator of the 2009 competition, exact to the seed.

A level is a chain of zones (straights, hills, tubes, jumps, cannons) whose odds depend on the
difficulty, 15 rows high, with a run-out of at least 50 columns behind the last zone. The exit is
8 columns into the run-out.
"""

from __future__ import annotations

from pydantic import Field

from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.generators.reference import generate_map
from ludus.games.platformer.levels.level import Level

__all__ = ["GENERATOR", "Notch2009Options"]

HEIGHT = 15


class Notch2009Options(Options):
    """What the levels of the 2009 competition can be asked to be."""

    seed: int = Field(1, ge=-(2**63), le=2**63 - 1, description="which level")
    difficulty: int = Field(0, ge=0, le=100, description="odds of creatures, gaps and cannons")
    type: int = Field(0, ge=0, le=2, description="0 overground, 1 underground, 2 castle")
    width: int = Field(320, ge=32, le=100_000, description="columns")


def _build(options: Notch2009Options) -> Level:
    facts = {"height": HEIGHT, "type": options.type, "difficulty": options.difficulty}
    return generate_map("notch-2009", list(options), "2009", **facts)


GENERATOR = Generator(
    name="notch-2009",
    version=1,
    summary="the levels of the 2009 competition",
    options=Notch2009Options,
    build=_build,
)
