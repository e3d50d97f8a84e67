"""The tunable generator of the 2010 benchmark, exact to the seed.

Its options can be given by name or, as the benchmark does, in one string:
``generate("tunable-2010", options="-lde on -lhb on -ld 4 -ls 211")``. Options of the benchmark
that say nothing about the level (``-mm``, ``-tl``, ``-vis`` …) may stand in the string; they
change nothing. A name given beside the string goes before the string.
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from pydantic import Field, field_validator, model_validator

from ludus.errors import OptionError
from ludus.games.platformer.generators.generator import Generator, Options
from ludus.games.platformer.generators.reference import generate_map
from ludus.games.platformer.levels.level import Level

__all__ = ["GENERATOR", "Tunable2010Options"]

_LEAST_HEIGHT = 15

KINDS = ("g", "gw", "rk", "rkw", "gk", "gkw", "s", "sw", "gww")
"""Creatures that can be asked for: goombas, red and green koopas, spikies, w with wings."""

ALWAYS_ON = "f"
"""Piranhas come with tubes, asked for or not."""

_NUMBERS = {
    "-ls": "seed",
    "-ld": "difficulty",
    "-lt": "type",
    "-ll": "width",
    "-lh": "height",
    "-ex": "exit_x",
    "-ey": "exit_y",
}
_SWITCHES = {
    "-lde": "dead_ends",
    "-lca": "cannons",
    "-lhs": "platforms",
    "-ltb": "tubes",
    "-lco": "coins",
    "-lb": "blocks",
    "-lg": "gaps",
    "-lhb": "hidden_blocks",
    "-lla": "ladders",
    "-lf": "flat",
}
_CREATURES = {"-le": "creatures"}
_NOT_OF_THE_LEVEL = """
    -gmm -mix -miy -mm -tl -mgr -cgr -jp -w -ice -fc -i -pr -stop -rfw -rfh -mer -mec -zs -ze -punj
    -vis -fps -vlx -vly -vw -vh -vaot -z -srf -gv -gvc -rec -s -llf -trace
"""
_ON_OFF = {"on": True, "true": True, "off": False, "false": False}


class Tunable2010Options(Options):
    """What the levels of the 2010 benchmark can be asked to be."""

    seed: int = Field(0, ge=0, le=2**31 - 1, description="-ls: which level")
    difficulty: int = Field(0, ge=0, le=100, description="-ld: odds, gaps, kinds of creatures")
    type: int = Field(0, ge=0, le=2, description="-lt: 0 overground, 1 underground, 2 castle")
    width: int = Field(256, ge=16, le=100_000, description="-ll: columns")
    height: int = Field(_LEAST_HEIGHT, ge=_LEAST_HEIGHT, le=256, description="-lh: rows")
    creatures: str = Field(
        "off",
        description="-le: off, empty for kinds by difficulty, or a list such as g:5,rkw of "
        "kinds with how many there may be",
    )
    dead_ends: bool = Field(False, description="-lde: double corridors, one of them blocked")
    cannons: bool = Field(True, description="-lca: cannons")
    platforms: bool = Field(True, description="-lhs: hills to jump through")
    tubes: bool = Field(True, description="-ltb: tubes, some with piranhas")
    coins: bool = Field(True, description="-lco: coins in the air")
    blocks: bool = Field(True, description="-lb: bricks and question blocks")
    gaps: bool = Field(True, description="-lg: gaps")
    hidden_blocks: bool = Field(False, description="-lhb: blocks that show when hit")
    ladders: bool = Field(False, description="-lla: ladders")
    flat: bool = Field(False, description="-lf: even ground and nothing on it")
    exit_x: int = Field(0, ge=0, le=100_000, description="-ex: exit column, 0 for the last")
    exit_y: int = Field(0, ge=0, le=256, description="-ey: exit row, 0 for on the ground")

    @model_validator(mode="before")
    @classmethod
    def _read_string(cls, values: dict[str, Any]) -> dict[str, Any]:
        string = values.pop("options", None)
        return values if string is None else {**_parse(string), **values}

    @field_validator("creatures")
    @classmethod
    def _check_creatures(cls, creatures: str) -> str:
        _parse_creatures(creatures)
        return creatures

    @model_validator(mode="after")
    def _check_exit(self) -> Tunable2010Options:
        if self.exit_x >= self.width or self.exit_y >= self.height:
            raise OptionError(
                f"the exit ({self.exit_x}, {self.exit_y}) is out of range: give columns 0 to "
                f"{self.width - 1} and rows 0 to {self.height - 1}"
            )
        return self


def _parse(string: str) -> dict[str, bool | int | str]:
    """Return the level's options in an option string of the benchmark; later ones win."""
    words, ignored = _words(string), frozenset(_NOT_OF_THE_LEVEL.split())
    if len(words) % 2:
        raise OptionError(f"options {string!r} come in pairs: {words[-1]!r} has no value")
    options: dict[str, bool | int | str] = {}
    for flag, value in zip(words[::2], words[1::2], strict=True):
        if flag not in ignored:
            name, parsed = _option(flag, value)
            options[name] = parsed
    return options


def _words(string: str) -> list[str]:
    try:
        return shlex.split(string)
    except (ValueError, AttributeError):
        raise OptionError(f"options {string!r} cannot be read: give a text of pairs") from None


def _option(flag: str, value: str) -> tuple[str, bool | int | str]:
    if flag in _CREATURES:
        return _CREATURES[flag], value
    if flag in _SWITCHES:
        if value.lower() not in _ON_OFF:
            raise OptionError(f"{flag} {value!r} is no switch: give on or off")
        return _SWITCHES[flag], _ON_OFF[value.lower()]
    if flag in _NUMBERS:
        return _NUMBERS[flag], _number(flag, value)
    known = ", ".join([*_NUMBERS, *_SWITCHES, *_CREATURES])
    raise OptionError(f"no option {flag!r} in the benchmark; for levels there are {known}")


def _number(flag: str, value: str) -> int:
    if not re.fullmatch(r"[+-]?\d+", value):
        raise OptionError(f"{flag} {value!r} is no whole number")
    return max(int(value), _LEAST_HEIGHT) if flag == "-lh" else int(value)


def _parse_creatures(creatures: str) -> list[tuple[int, int]] | None:
    """Return each kind's number with how many there may be, 0 for any; None if off."""
    if creatures == "off":
        return None
    counts: dict[str, int] = {}
    for word in filter(None, re.split(r"[,\s]+", creatures)):
        match = re.fullmatch(r"(\w+?)(?::([1-9]\d{0,8}))?", word)
        if match is None or match[1] not in (*KINDS, ALWAYS_ON):
            raise OptionError(
                f"creatures {creatures!r}: {word!r} is out of range: give off, or a list of "
                f"{' '.join(KINDS)}, each with :count from 1 if it is to be limited"
            )
        counts[match[1]] = int(match[2] or 0)
    return [(KINDS.index(kind), count) for kind, count in counts.items() if kind != ALWAYS_ON]


def _build(options: Tunable2010Options) -> Level:
    values = [(name, value) for name, value in options if name != "creatures"]
    facts = {"height": options.height, "type": options.type, "difficulty": options.difficulty}
    return generate_map("tunable-2010", values + _creatures(options), "2010", **facts)


def _creatures(options: Tunable2010Options) -> list[tuple[str, int]]:
    """Return the engine's options for the creatures: none, any, or each kind with its count."""
    listed = _parse_creatures(options.creatures)
    if not listed:
        return [("creatures", int(listed is not None))]
    return [(f"creature_{kind}", count) for kind, count in listed]


GENERATOR = Generator(
    name="tunable-2010",
    version=1,
    summary="the levels of the 2010 benchmark, with dead ends, hidden blocks and ladders",
    options=Tunable2010Options,
    build=_build,
)
