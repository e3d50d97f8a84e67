"""What the generators for a player have in common: their options, demands, and the proof.

A function draws a canvas for a record. What comes out is given the numbers that were demanded, and
the solver has to find a way through it with a small Mario. If it finds none, the level is drawn
again by other chance; from the fourth time on it is also eased: gaps get narrower, pipes lower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pydantic import Field

from ludus.errors import OptionError
from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.generators.personal.canvas import HEIGHT, Canvas
from ludus.games.platformer.generators.personal.demands import meet_demands
from ludus.games.platformer.generators.personal.dice import Dice
from ludus.games.platformer.levels.constraints import Constraints
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.solver import solve
from ludus.games.platformer.recordings.player_record import PlayerRecord

__all__ = ["Draw", "PersonalOptions", "personal_generator"]

Draw = Callable[[PlayerRecord, Dice, int], Canvas]
"""Draws a level of some width for a player."""

TRIES, EASED_FROM = 12, 3
BUDGET = 300_000
EASY_GAP, EASY_PIPE = 3, 2


class PersonalOptions(Options):
    """What levels for a player can be asked to be."""

    seed: int = Field(0, ge=0, le=2**63 - 1, description="which level")
    profile: PlayerRecord = Field(
        "average", validate_default=True, description="beginner, average, expert, or JSON"
    )
    width: int = Field(320, ge=64, le=4096, description="columns")
    gaps: int | None = Field(None, ge=0, le=1000, description="how many gaps; None: any")
    turtles: int | None = Field(None, ge=0, le=1000, description="how many turtles; None: any")
    coin_blocks: int | None = Field(
        None, ge=0, le=1000, description="how many coin blocks; None: any"
    )

    @property
    def constraints(self) -> Constraints:
        """What is demanded."""
        return Constraints(
            width=self.width, gaps=self.gaps, turtles=self.turtles, coin_blocks=self.coin_blocks
        )


def personal_generator(
    name: str, summary: str, draw: Draw, version: int = 1
) -> Generator[PersonalOptions]:
    """Return the generator that draws levels for players and proves them playable."""

    def build(options: PersonalOptions) -> Level:
        for level in _candidates(name, draw, options):
            if options.constraints.find_faults(level):
                continue
            if solve(level, budget=BUDGET).outcome == "solved":
                return level
        raise OptionError(
            f"none of {TRIES} levels of {name} meets the demands and can be won: demand less, "
            f"or give another seed than {options.seed}"
        )

    return Generator(name, version, summary, PersonalOptions, build)


def _candidates(name: str, draw: Draw, options: PersonalOptions) -> Iterator[Level]:
    for number in range(TRIES):
        dice = Dice(name, options.seed, number)
        canvas = draw(options.profile, dice, options.width)
        if number >= EASED_FROM:
            _ease(canvas)
        meet_demands(canvas, options.constraints, dice)
        yield canvas.to_level()


def _ease(canvas: Canvas) -> None:
    """Narrow wide gaps, and lower tall pipes and cannons."""
    for start, width in canvas.find_gaps():
        canvas.fill(start, max(0, width - EASY_GAP))
    for (x, row), sign in list(canvas.cells.items()):
        tall = canvas.ground[x] - row
        if sign in "tT*" and tall > EASY_PIPE and canvas.ground[x] != HEIGHT:
            del canvas.cells[x, row]
