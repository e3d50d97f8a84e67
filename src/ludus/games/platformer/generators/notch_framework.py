"""The framework's version of the 2009 generator, exact to the seed.

It fills the level to its last column and writes the characters of the framework's level texts, so
``reference_rows()`` gives the text's rows and ``creatures`` what the text makes, with the kinds of
``codes.Kind``.

The reference fails on some seeds (7 % of them at 150 columns): the last zone is a piece of hills
too short for the hill that was drawn. Here such a zone gets no further hill; everything else,
all columns before that zone included, is what the reference had built when it failed.

The reference draws type and difficulty at random unless they are given; here both are 0 then.
"""

from __future__ import annotations

from pydantic import Field

from ludus.games.platformer import _native
from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.levels.level import Level

__all__ = ["GENERATOR", "NotchFrameworkOptions"]


class NotchFrameworkOptions(Options):
    """What the levels of the framework's notch generator can be asked to be."""

    seed: int = Field(0, ge=-(2**63), le=2**63 - 1, description="which level")
    difficulty: int = Field(0, ge=0, le=100, description="odds of creatures, gaps and cannons")
    type: int = Field(0, ge=0, le=2, description="0 overground, 1 underground, 2 castle")
    width: int = Field(150, ge=16, le=100_000, description="columns")
    height: int = Field(16, ge=8, le=256, description="rows")


def _build(options: NotchFrameworkOptions) -> Level:
    text, _, _ = _native.generate("notch-framework", list(options))
    return Level(tuple(text.split("\n")))


GENERATOR = Generator(
    name="notch-framework",
    version=1,
    summary="the notch generator of the framework, as level texts",
    options=NotchFrameworkOptions,
    build=_build,
)
