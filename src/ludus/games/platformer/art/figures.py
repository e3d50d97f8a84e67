"""Which frame goes where: the hero, creatures, things, moving platforms and the keys he holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer._native import ForwardModel, World
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.art.elements import SLAB_HEIGHT, TRACK
from ludus.games.platformer.art.fallen import UPSIDE_DOWN
from ludus.games.platformer.art.map_tiles import pole_rows
from ludus.games.platformer.codes import Kind, Status
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.records import Mario, Platform, Sprite

__all__ = [
    "TILE",
    "Figure",
    "creatures",
    "flags",
    "hero",
    "initial_figures",
    "key_icons",
    "platforms",
    "tracks",
]

Figure = tuple[int, int, int, int]
"""A sprite to draw: frame, x and y of its feet in level pixels, bits (mirrored, behind tiles)."""

TILE = 16
MIRRORED, BEHIND = 1, 2

_MODES = ("small", "large", "fire")
_CREATURES: dict[int, str] = {
    Kind.GOOMBA: "blob",
    Kind.GOOMBA_WINGED: "blob",
    Kind.RED_KOOPA: "snail-red",
    Kind.RED_KOOPA_WINGED: "snail-red",
    Kind.GREEN_KOOPA: "snail-green",
    Kind.GREEN_KOOPA_WINGED: "snail-green",
    Kind.SPIKY: "urchin",
    Kind.SPIKY_WINGED: "urchin",
    Kind.BULLET_BILL: "bolt",
    Kind.ENEMY_FLOWER: "snapdragon",
    Kind.MUSHROOM: "mushroom",
    Kind.FIRE_FLOWER: "fire-flower",
    Kind.SHELL: "shell-red",
    Kind.LIFE_MUSHROOM: "life-mushroom",
    Kind.FIREBALL: "fireball",
    Kind.WAVE_GOOMBA: "wave-blob",
    Kind.PRINCESS: "princess",
    Kind.GREEN_MUSHROOM: "poison-mushroom",
}
"""Kind → what its frames are called; those that move have two, ending in -0 and -1."""
_WALKERS = (*range(Kind.GOOMBA, Kind.BULLET_BILL), Kind.WAVE_GOOMBA)
_TALL = (Kind.RED_KOOPA_WINGED, Kind.GREEN_KOOPA_WINGED)
_ITEMS = (Kind.MUSHROOM, Kind.FIRE_FLOWER, Kind.LIFE_MUSHROOM, Kind.GREEN_MUSHROOM)
_FLAT = {"snail-red": "snail-flat", "snail-green": "snail-flat"}
"""What lies flat as something else than its own flat picture."""
_PACE = {Kind.PRINCESS: 16}
"""Ticks from one frame to the next, where they are not four."""
_STEM = 10  # how far a flower's stem goes on below the feet the game knows
_FLOWER_UP = 21  # how far it comes up
_USED = 14
_LADDERS = (64, 65)
_GRIP = 8  # pixels of a ladder from one grip to the next
_ICON_EDGE, _ICON_STEP, _ICON_HEIGHT = 5, 10, 13


def _tile(tiles: NDArray[np.uint8], x: float, y: float) -> int:
    """Return the tile at a point, 0 outside the level."""
    column, row = floor(x) // TILE, floor(y) // TILE
    inside = 0 <= column < tiles.shape[0] and 0 <= row < tiles.shape[1]
    return int(tiles[column, row]) if inside else 0


def _creature(sprite: Sprite, tick: int, behind: bool) -> Iterator[Figure]:
    """Yield what it takes to draw one creature or thing, alive or fallen."""
    kind = sprite.kind
    x, y = floor(sprite.x), floor(sprite.y) + (_STEM if kind == Kind.ENEMY_FLOWER else 0)
    flip = MIRRORED if sprite.facing < 0 else 0
    yield _frame(sprite, tick), x, y, flip | (BEHIND if behind else 0)
    if sprite.winged and not sprite.dead_time:
        lift = 6 if kind in _TALL else 3
        yield atlas().sprites[f"wings-{tick // 2 % 2}"], x + (7 if flip else -7), y - lift, flip


def _frame(sprite: Sprite, tick: int) -> int:
    frames, kind = atlas().sprites, sprite.kind
    name = "shell-green" if kind == Kind.SHELL and sprite.aux else _CREATURES[kind]
    step = f"{name}-{tick // _PACE.get(Kind(kind), 4) % 2}"
    wanted = [step, name]
    if sprite.dead_time and kind in _WALKERS and not sprite.flying:
        wanted.insert(0, _FLAT.get(name, f"{name}-flat"))
    elif sprite.dead_time:
        wanted = [f"{name}-0-{UPSIDE_DOWN}", f"{name}-{UPSIDE_DOWN}", *wanted]
    return next(frames[word] for word in wanted if word in frames)


def creatures(world: World | ForwardModel, tiles: NDArray[np.uint8]) -> Iterator[Figure]:
    """Yield every sprite but the hero; flowers and rising things are behind what they rise from."""
    for sprite in world.sprites:
        behind = sprite.kind == Kind.ENEMY_FLOWER and not sprite.dead_time
        if sprite.kind in _ITEMS:
            behind = _tile(tiles, sprite.x, sprite.y) == _USED
        yield from _creature(sprite, world.tick, behind)


def _climbs(mario: Mario, tiles: NDArray[np.uint8]) -> bool:
    """Whether the hero holds on to a ladder: nothing else keeps him from falling in the air."""
    if mario.climbing:
        return True
    in_the_air = not mario.on_ground and mario.vy == 0
    return in_the_air and _tile(tiles, mario.x, mario.y) in _LADDERS


def _pose(world: World | ForwardModel, mario: Mario, tiles: NDArray[np.uint8]) -> str:
    if world.status == Status.LOSE:
        return "lost"
    if _climbs(mario, tiles):
        return "climb"
    if mario.ducking and mario.mode > 0:
        return "duck"
    if mario.sliding and not mario.on_ground:
        return "slide"
    carries = "carry-" if mario.carrying and mario.mode > 0 else ""
    if not mario.on_ground:
        return f"{carries}jump"
    if abs(mario.vx) < 0.5:
        return f"{carries}stand"
    pace = 2 if abs(mario.vx) > 6 else 3
    return f"{carries}walk-{world.tick // pace % 2}"


def hero(world: World | ForwardModel, tiles: NDArray[np.uint8]) -> Iterator[Figure]:
    """Yield the hero, pale at every other moment in which nothing can hurt him."""
    mario = world.mario
    if not mario.listed:
        return
    mirrored = mario.facing < 0
    pose = _pose(world, mario, tiles)
    if pose == "climb":
        mirrored = floor(mario.y) // _GRIP % 2 == 1
    pale = "-pale" if (mario.invulnerable | world.pause) & 2 else ""
    drawn = atlas().sprites[f"{_MODES[mario.mode]}-{pose}{pale}"]
    yield drawn, floor(mario.x), floor(mario.y), MIRRORED if mirrored else 0


def flags(level: Level) -> Iterator[Figure]:
    """Yield the banner at the top of the exit's pole, if there is a pole and no princess."""
    if level.rules != "2010":
        column, _ = level.exit
        top, _ = pole_rows(level)
        yield atlas().sprites["standard"], column * TILE + TILE // 2, top * TILE + 26, 0


def initial_figures(level: Level) -> Iterator[Figure]:
    """Yield the creatures of a level at their cells, up and looking to the left, and the hero."""
    for column, row, kind in level.templates:
        x, y = column * TILE + 8, row * TILE + 15
        flower = kind == Kind.ENEMY_FLOWER
        if flower:
            x, y = column * TILE + 17, row * TILE + 18 - _FLOWER_UP
        winged = kind < Kind.BULLET_BILL and kind % 2 == 1
        yield from _creature(Sprite(kind, x, y, 0, 0, -1, True, winged, 0), 0, flower)
    column, row = level.start
    yield atlas().sprites["small-stand"], column * TILE + 8, row * TILE + 15, 0


def platforms(places: Iterable[Platform]) -> Iterator[Figure]:
    """Yield the moving platforms, slab by slab."""
    frames = atlas().sprites
    for left, top, width in places:
        last = width // TILE - 1
        for n in range(last + 1):
            part = "middle" if 0 < n < last else "left" if n < last else "right" if n else "single"
            x = left + n * TILE + TILE // 2
            yield frames[f"slab-{part}"], x, top + SLAB_HEIGHT - 1, 0


def tracks(level: Level) -> Iterator[Figure]:
    """Yield dots along the way of every moving platform."""
    rows = level.text.split("\n") if level.platforms else []
    frames = atlas().sprites
    for left, top, width in level.platforms:
        column, row, length = left // TILE, top // TILE, width // TILE
        middle = top + SLAB_HEIGHT // 2
        if rows[row][column] == "=":
            back, ahead = _track(rows[row], ".", column, column + length)
            for x in range(left - back * TILE, left + width + ahead * TILE, TRACK):
                yield frames["track-across"], x + TRACK // 2, middle, BEHIND
        else:
            line = "".join(text[column] for text in rows)
            back, ahead = _track(line, ":", row, row + 1)
            for y in range(middle - back * TILE, middle + ahead * TILE, TRACK):
                yield frames["track-down"], left + width // 2, y + TRACK - 1, BEHIND


def _track(line: str, mark: str, start: int, end: int) -> tuple[int, int]:
    """Return how many marks there are right before the start and from the end on."""
    before, after = line[:start], line[end:]
    return len(before) - len(before.rstrip(mark)), len(after) - len(after.lstrip(mark))


def key_icons(keys: Iterable[int], camera: tuple[int, int], width: int) -> Iterator[Figure]:
    """Yield the hero's keys, side by side in the upper left corner, as many as there is room."""
    frames, (left, top) = atlas().sprites, camera
    icons = [colour for colour, count in enumerate(keys) for _ in range(count)]
    for n, colour in enumerate(icons[: (width - _ICON_EDGE) // _ICON_STEP]):
        x = left + _ICON_EDGE + n * _ICON_STEP + _ICON_STEP // 2
        yield frames[f"key-{colour}"], x, top + _ICON_EDGE + _ICON_HEIGHT - 1, 0
