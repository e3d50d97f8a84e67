"""The records that a world returns.

The engine fills these; their fields are in its order. Positions are pixels, (x, y) is the middle
of a body's feet, y grows downwards, speeds are pixels a tick. Floats are exact single-precision
values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "BITMAP_CHARACTERS",
    "COURSE_FIELDS",
    "INFO_FIELDS",
    "STATE_FIELDS",
    "VECTOR_FIELDS",
    "Event",
    "Mario",
    "Platform",
    "Result",
    "Sprite",
]


class Mario(NamedTuple):
    """Mario after the last tick."""

    x: float
    y: float
    vx: float
    vy: float
    mode: int  #: 0 small, 1 large, 2 fire
    on_ground: bool
    was_on_ground: bool  #: on the ground when his last update began
    may_jump: bool
    ducking: bool
    can_shoot: bool  #: SPEED was up, so that pressing it shoots
    jump_time: int  #: ticks that holding JUMP still lifts him
    invulnerable: int
    facing: int  #: 1 right, -1 left
    height: int
    alive: bool
    jump_start_x: float  #: where the jump began, -100 if there is none to land from
    listed: bool  #: False once a fall has taken him out of the sprite list
    sliding: bool = False  #: down a wall, under the rules of 2009 and 2010
    climbing: bool = False  #: on a ladder, under the rules of 2010
    carrying: bool = False  #: a shell, under the rules of 2009 and 2010


class Sprite(NamedTuple):
    """A creature, item or projectile."""

    kind: int  #: one of :class:`ludus.games.platformer.codes.Kind`
    x: float
    y: float
    vx: float
    vy: float
    facing: int
    on_ground: bool
    winged: bool
    aux: int  #: flower: ticks waited; mushroom and fire flower: life; shell: 0 red, 1 green
    dead_time: int = 0  #: ticks that a corpse stays, under the rules of 2009 and 2010
    flying: bool = False  #: a corpse that falls
    carried: bool = False  #: a shell that Mario has picked up


class Platform(NamedTuple):
    """A moving platform: left and top pixel, and how wide it is."""

    x: int
    y: int
    width: int


class Event(NamedTuple):
    """Something that happened, with Mario's place and mode at that moment."""

    kind: int  #: one of :class:`ludus.games.platformer.codes.EventKind`
    param: int
    x: float
    y: float
    mode: int
    tick: int


class Result(NamedTuple):
    """The figures of an episode so far.

    They follow the reference, which logs the events of the last executed tick once more for every
    call that executes none: while the world stands still after a power change, and at a time-out.
    """

    status: int  #: 0 running, 1 win, 2 lose, 3 time out
    completion: float  #: Mario's x over the exit's
    remaining_time: int  #: clock units, 1000 a second
    mode: int
    kills_total: int
    kills_by_fire: int
    kills_by_stomp: int
    kills_by_shell: int
    kills_by_fall: int
    hurts: int  #: harmful contacts, those that did no harm included
    bump_question: int
    bump_brick: int
    destroyed_bricks: int  #: bricks broken while large or fire
    jumps: int
    max_x_jump: float  #: pixels
    max_jump_air_time: int  #: ticks
    lives: int
    coins: int
    mushrooms: int
    flowers: int
    tile_coins: int  #: always 0, as in the reference
    total_coins: int  #: coins that the level holds
    ticks: int  #: calls of ``step``
    kills_by_kind: Mapping[int, int]  #: by stomp, fire and shell


#: What the numbers of ``World.state()`` mean.
STATE_FIELDS = (
    "x",
    "y",
    "vx",
    "vy",
    "status",
    "mode",
    "on_ground",
    "may_jump",
    "may_shoot",
    "carrying",
    "can_jump_higher",
    "ducking",
    "invulnerable",
    "timer",
    "kills_total",
    "kills_by_fire",
    "kills_by_stomp",
    "kills_by_shell",
    "kills_by_fall",
    "coins",
    "keys",
)

#: The integers of an environment's ``info``.
INFO_FIELDS = ("status", "tick", "timer", "mode", "coins", "lives", "kills", "level")

#: What a course of levels adds to them.
COURSE_FIELDS = (
    "stage",
    "life",
    "coins_counted",
    "max_x_pos",
    "steps",
    "ticks",
    "deaths",
    "levels_completed",
    "time",
    "flag_get",
)

#: Characters of the packed bitmap of 2009, each of 16 cells.
BITMAP_CHARACTERS = 31

#: What the numbers of the state vector of 2010 mean.
VECTOR_FIELDS = (
    "status",
    "mode",
    "on_ground",
    "may_jump",
    "speed_was_up",
    "carrying",
    "kills_total",
    "kills_by_fire",
    "kills_by_stomp",
    "kills_by_shell",
    "time_left",
)
