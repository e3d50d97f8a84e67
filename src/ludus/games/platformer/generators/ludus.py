"""The generator of Ludus: levels of zones, added from left to right, with many options.

Frequencies weigh kinds of zones against each other and against flat ground. Shares are percent of
what could have it. Blocks, coins, creatures and the ceiling are drawn by chances of their own, so
that their knobs leave the terrain as it was.

What jumps can do is computed from the physics of the level: no wall is higher and no gap wider than
Mario can pass, whatever the gravity, and creatures that no jump gets over come only if counted.
Zones of other rules, such as ladders and locks, make the level one of the rule set ``ludus``.

A level that is impossible on purpose, and labelled so, has a gap thrice as wide as any flight, a
wall under a thick ceiling, or a lock without a key; the rest of it is as usual.

A dead end is a fork into two ways, one above the other, of which one is blocked more than half a
screen later: whoever took it has to come back.

The rules know no block with more than one coin; rows of coin blocks stand in for it.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from ludus.errors import OptionError
from ludus.games.platformer import _native
from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.generators.reach import find_reach
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.physics import Physics

__all__ = ["GENERATOR", "LudusOptions"]

_RUN = 26
"""Least columns from the start to the exit."""

_REFERENCE = Physics()
_KNOWN = frozenset(_native.generator_options("ludus")) - {"ceiling"}
"""The options that the engine takes as they are."""


def _frequency(default: int, description: str) -> int:
    value: int = Field(default, ge=0, le=100, description=description)
    return value


class LudusOptions(Options):
    """What the levels of Ludus can be asked to be."""

    seed: int = Field(0, ge=0, le=2**64 - 1, description="which level")
    difficulty: int = Field(2, ge=0, le=20, description="creatures, gaps, walls and their odds")
    type: Literal["overground", "underground", "castle"] = Field(
        "overground", description="the look; the latter two have a ceiling"
    )
    length: int = Field(200, ge=50, le=4096, description="columns")
    height: int = Field(16, ge=16, le=64, description="rows")
    time_limit: int = Field(200, ge=0, le=100_000, description="clock seconds, 0 for no limit")
    start_column: int = Field(3, ge=0, le=4096, description="where Mario starts")
    exit_column: int | None = Field(
        None, ge=0, le=4096, description="where the exit is; None: 9 columns before the end"
    )
    exit_row: int | None = Field(
        None, ge=2, le=62, description="height of the exit; None: on the ground"
    )

    ceiling: bool | None = Field(None, description="whether there is one; None: as the type has it")
    flat: bool = Field(False, description="even ground: no zones of any other kind")
    relief: int = _frequency(60, "how far the ground goes up and down")
    gaps: int = _frequency(20, "frequency of gaps")
    gap_width: int = Field(10, ge=2, le=32, description="widest gap at difficulty 17, in columns")
    stairs: int = _frequency(20, "frequency of stairs and pyramids")
    tubes: int = _frequency(20, "frequency of tubes")
    piranhas: int = _frequency(35, "share of tubes with a piranha")
    cannons: int = _frequency(20, "frequency of cannons")
    hills: int = _frequency(20, "frequency of hills to jump through")
    platforms: int = _frequency(20, "frequency of platforms over pits")
    dead_ends: int = _frequency(5, "frequency of forks with a dead end")
    dead_end_depth: int = Field(
        16, ge=10, le=64, description="most columns from a fork to the wall of its dead end"
    )

    blocks: int = _frequency(55, "share of even ground with blocks above it")
    power_ups: int = _frequency(10, "share of blocks with a power-up")
    coin_blocks: int = _frequency(44, "share of blocks with a coin")
    one_ups: int = _frequency(1, "share of blocks with an extra life")
    hidden_blocks: int = _frequency(8, "share of even ground with hidden blocks above it")
    coins: int = _frequency(50, "share of places for coins that have some")

    creatures: int = _frequency(50, "density of walkers")
    goombas: int = _frequency(10, "weight of goombas among the walkers, 0 for none")
    green_koopas: int = _frequency(5, "weight of green koopas, 0 for none")
    red_koopas: int = _frequency(5, "weight of red koopas, 0 for none")
    spikies: int = _frequency(3, "weight of spikies, 0 for none")
    goomba_count: int | None = Field(
        None, ge=0, le=4096, description="how many goombas, while there is room; None: by weight"
    )
    green_koopa_count: int | None = Field(None, ge=0, le=4096, description="green koopas, likewise")
    red_koopa_count: int | None = Field(None, ge=0, le=4096, description="red koopas, likewise")
    spiky_count: int | None = Field(None, ge=0, le=4096, description="spikies, likewise")
    winged: int = _frequency(8, "share of walkers with wings")

    gravity: float = Field(1.0, ge=0.1, le=4, description="factor on Mario's fall")
    creature_gravity: float = Field(1.0, ge=0, le=4, description="factor on the creatures' fall")
    jump_power: float = Field(7.0, ge=0, le=30, description="ticks of thrust in a jump")
    ice: float = Field(0.0, ge=0, le=0.1, description="share of speed that is kept in addition")
    wind: float = Field(0.0, ge=-0.1, le=0.1, description="as ice, to the right; less to the left")

    impossible: bool = Field(False, description="a wall or a gap that nobody can pass")
    ladders: int = _frequency(0, "frequency of cliffs with a ladder, and of ladders at forks")
    moving_platforms: int = _frequency(0, "frequency of pits with moving platforms")
    switches: int = _frequency(0, "frequency of doors with a switch")
    keys: int = _frequency(0, "frequency of locks with a key")
    puzzles: int = _frequency(0, "frequency of chains of doors, locks, switches and keys")

    @model_validator(mode="after")
    def _check(self) -> Self:
        first = self.start_column + _RUN
        last = self.length - 1
        if first > last - 8 if self.exit_column is None else first > last:
            raise OptionError(
                f"start_column {self.start_column} is out of range: give 0 to "
                f"{self.length - (35 if self.exit_column is None else 27)} in {self.length} columns"
            )
        if self.exit_column is not None and not first <= self.exit_column <= last:
            raise OptionError(
                f"exit_column {self.exit_column} is out of range: give {first} to {last}"
            )
        if self.exit_row is not None and self.exit_row > self.height - 2:
            raise OptionError(
                f"exit_row {self.exit_row} is out of range: give 2 to {self.height - 2}"
            )
        if self.power_ups + self.coin_blocks + self.one_ups > 100:
            raise OptionError(
                f"power_ups {self.power_ups}, coin_blocks {self.coin_blocks} and one_ups "
                f"{self.one_ups} are more than all blocks: let them be at most 100 together"
            )
        self.physics()
        return self

    def physics(self) -> Physics:
        """Return the physics that travels with the level."""
        return Physics(
            gravity=self.gravity,
            creature_gravity=self.creature_gravity,
            jump_power=self.jump_power,
            ice=self.ice,
            wind=self.wind,
        )


def _build(options: LudusOptions) -> Level:
    physics = options.physics()
    text, rules, _ = _native.generate("ludus", _native_options(options, physics))
    labels = {options.type} | ({"impossible"} if options.impossible else set())
    return Level(
        tuple(text.split("\n")),
        rules=rules,
        physics=None if physics == _REFERENCE else physics,
        time_limit=options.time_limit,
        labels=frozenset(labels),
    )


def _native_options(options: LudusOptions, physics: Physics) -> list[tuple[str, int]]:
    """Return the engine's options: what was not given has the same default there."""
    ceiling = options.type != "overground" if options.ceiling is None else options.ceiling
    reach = find_reach(physics, options.height)
    names = options.model_fields_set & _KNOWN
    values = [(name, getattr(options, name)) for name in names]
    return [
        *(pair for pair in values if pair[1] is not None),
        ("ceiling", ceiling),
        ("reach_up", reach.up),
        ("reach_across", reach.across),
        ("reach_far", reach.far),
    ]


GENERATOR = Generator(
    name="ludus",
    version=1,
    summary="levels with a knob for everything, from strolls to puzzles; the default",
    options=LudusOptions,
    build=_build,
)
