"""Counts what happened in recorded lives: what a player's record is made of.

A mario second is 15 ticks under all rules. What a life did to the level is told by comparing its
tiles at the start and at the end, so nothing is counted twice; what happened to creatures is told
by events and, under the rules of 2009 and 2010, by the corpses that appear.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.codes import EventKind, Kind, Status, buttons_of
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.recordings.recording import (
    COMPETITION_RULES,
    Recording,
    Tick,
    play_life,
)
from ludus.games.platformer.records import Event, Sprite

__all__ = ["CREATURES", "LifeCount", "classify_tiles", "count_lives", "count_placed"]

CREATURES = {
    Kind.GOOMBA: "goomba",
    Kind.GOOMBA_WINGED: "goomba",
    Kind.WAVE_GOOMBA: "goomba",
    Kind.RED_KOOPA: "red_turtle",
    Kind.RED_KOOPA_WINGED: "red_turtle",
    Kind.GREEN_KOOPA: "green_turtle",
    Kind.GREEN_KOOPA_WINGED: "green_turtle",
    Kind.SPIKY: "armored_turtle",
    Kind.SPIKY_WINGED: "armored_turtle",
    Kind.BULLET_BILL: "cannon_ball",
    Kind.ENEMY_FLOWER: "jump_flower",
}
"""What the record calls each kind; the engines have one kind of flower."""

_TILES = {"coins": (15,), "empty": (6,), "coin": (7, 11, 49), "power": (8, 48, 50, 51)}
_BYTES = {
    "coins": (32, 33, 34, 35),
    "empty": (0x10, 0x13),
    "coin": (0x01, 0x11, 0x14, 0x15, 0x17),
    "power": (0x02, 0x12, 0x16),
}
"""Free coins, bricks that hold nothing, blocks with coins, blocks with an item."""

_LOWEST = 240 + 64  # the competitions' engines drop creatures that are so far down
_STOMPED, _THROWN = 10, 100  # ticks that a corpse stays, when it has just appeared

Cells = set[tuple[int, int]]


@dataclass(slots=True)
class LifeCount:
    """What one life counted; times are in ticks.

    Attributes:
        ticks: How long it took.
        status: How it ended.
        cause: What ended it: ``gap``, ``time``, ``shell``, a creature's name, ``other``, or empty.
        jumps: Jumps from the ground.
        ducks: Times that he ducked.
        time_ducking: Ticks ducked.
        run_presses: Times that SPEED went down.
        time_running: Ticks with SPEED down.
        time_right: Ticks with RIGHT down.
        time_left: Ticks with LEFT down.
        kicks: Shells kicked or thrown.
        stomps: Creatures stomped.
        fire_kills: Creatures killed by fireballs.
        shell_kills: Creatures killed by shells.
        modes: Ticks small, large and with fire.
        mode_periods: Times that a mode began, the start's included.
        killed: Dead creatures by name, whatever killed them.
        taken: Cells of coins and blocks by what they held.
    """

    ticks: int = 0
    status: Status = Status.RUNNING
    cause: str = ""
    jumps: int = 0
    ducks: int = 0
    time_ducking: int = 0
    run_presses: int = 0
    time_running: int = 0
    time_right: int = 0
    time_left: int = 0
    kicks: int = 0
    stomps: int = 0
    fire_kills: int = 0
    shell_kills: int = 0
    modes: list[int] = field(default_factory=lambda: [0, 0, 0])
    mode_periods: int = 1
    killed: Counter[str] = field(default_factory=Counter)
    taken: dict[str, Cells] = field(default_factory=dict)


def count_lives(recording: Recording) -> list[LifeCount]:
    """Return the counts of every life."""
    return [_count_life(recording, life) for life in recording.lives]


def count_placed(level: Level) -> dict[str, int]:
    """Return how many coins and blocks of each sort, and how many creatures, a level has."""
    kinds = [kind for _, _, kind in level.templates]
    placed = {sort: len(cells) for sort, cells in classify_tiles(level).items()}
    return {**placed, "enemies": sum(kind in CREATURES for kind in kinds)}


def classify_tiles(level: Level) -> dict[str, Cells]:
    """Return the cells of free coins, empty bricks, coin blocks and power blocks."""
    codes = _BYTES if level.rules in COMPETITION_RULES else _TILES
    return {sort: _cells(np.isin(level.tiles, known)) for sort, known in codes.items()}


def _cells(mask: NDArray[np.bool_]) -> Cells:
    return {(int(x), int(y)) for x, y in np.argwhere(mask)}


def _count_life(recording: Recording, life: bytes) -> LifeCount:
    count, held, tick = LifeCount(), 0, None
    for tick in play_life(recording, life):
        _count_keys(count, tick, held)
        _count_events(count, tick)
        _count_corpses(count, tick)
        count.killed += _find_fallen(tick)
        held = tick.buttons
    if tick is not None:
        level = recording.scenario.level
        changed = _cells(tick.world.tiles != level.tiles)
        count.taken = {sort: cells & changed for sort, cells in classify_tiles(level).items()}
        count.status = Status(tick.world.status)
        count.cause = _cause_of_death(tick)
    count.taken = count.taken or {sort: set() for sort in _TILES}
    return count


def _count_keys(count: LifeCount, tick: Tick, held_before: int) -> None:
    buttons = buttons_of(tick.world.rules)
    count.ticks += 1
    count.time_right += bool(tick.buttons & buttons.RIGHT)
    count.time_left += bool(tick.buttons & buttons.LEFT)
    count.time_running += bool(tick.buttons & buttons.SPEED)
    count.run_presses += bool(tick.buttons & ~held_before & buttons.SPEED)
    count.time_ducking += tick.after.ducking
    count.ducks += tick.after.ducking and not tick.before.ducking
    count.modes[tick.after.mode] += 1
    count.mode_periods += tick.after.mode != tick.before.mode
    lets_go = tick.before.carrying and not tick.after.carrying
    count.kicks += lets_go and not tick.buttons & buttons.SPEED


def _count_events(count: LifeCount, tick: Tick) -> None:
    for event in tick.events:
        kills = event.param in CREATURES
        count.jumps += event.kind == EventKind.JUMP and tick.after.was_on_ground
        count.kicks += event.kind == EventKind.KICK
        count.stomps += event.kind == EventKind.STOMP_KILL
        count.fire_kills += event.kind == EventKind.FIRE_KILL and kills
        count.shell_kills += event.kind == EventKind.SHELL_KILL and kills
        if event.kind in _KILLS and kills and tick.world.rules not in COMPETITION_RULES:
            count.killed[CREATURES[Kind(event.param)]] += 1


_KILLS = (EventKind.STOMP_KILL, EventKind.FIRE_KILL, EventKind.SHELL_KILL)


def _count_corpses(count: LifeCount, tick: Tick) -> None:
    """Count who died in this tick, under the rules that show corpses."""
    if tick.world.rules not in COMPETITION_RULES:
        return
    dead = _new_corpses(tick.sprites)
    if tick.paused:  # nobody else moves then, so corpses stay as new as they were
        dead -= _new_corpses(tick.sprites_before)
    count.killed += dead
    if tick.world.rules == "2010":  # which tells of no bills that shells hit
        count.shell_kills += dead["cannon_ball"] - _stomped_bills(tick.events)


def _find_fallen(tick: Tick) -> Counter[str]:
    """Return the creatures that the engine dropped in this tick because they fell so far."""
    competition = tick.world.rules in COMPETITION_RULES
    if tick.paused and not competition:
        return Counter()
    lowest = _LOWEST if competition else 16 * tick.world.level.height + 32
    return Counter(
        CREATURES[Kind(sprite.kind)]
        for sprite in tick.sprites_before
        if sprite.kind in CREATURES and not sprite.dead_time and sprite.y > lowest
    )


def _stomped_bills(events: list[Event]) -> int:
    return sum(e.kind == EventKind.STOMP_KILL and e.param == Kind.BULLET_BILL for e in events)


def _new_corpses(sprites: list[Sprite]) -> Counter[str]:
    return Counter(
        CREATURES[Kind(sprite.kind)]
        for sprite in sprites
        if sprite.kind in CREATURES and sprite.dead_time == _first_dead_time(sprite)
    )


def _first_dead_time(sprite: Sprite) -> int:
    thrown = sprite.flying or sprite.kind == Kind.BULLET_BILL
    return _THROWN if thrown else _STOMPED


def _cause_of_death(tick: Tick) -> str:
    """Return what ended the life: the event right before the loss tells it."""
    if tick.world.status == Status.TIME_OUT:
        return "time"
    if tick.world.status != Status.LOSE:
        return ""
    if tick.after.y > 16 * tick.world.level.height:
        return "gap"
    kinds = [event.kind for event in tick.events]
    last = kinds.index(EventKind.LOSE) - 1 if EventKind.LOSE in kinds else -1
    if last < 0 or kinds[last] != EventKind.HURT:
        return "other"
    killer = tick.events[last].param
    return "shell" if killer == Kind.SHELL else CREATURES.get(Kind(killer), "other")
