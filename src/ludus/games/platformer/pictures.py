"""Pictures of worlds and levels: frames, maps with an agent's path, text for the terminal.

>>> from ludus.games.platformer import World
>>> from ludus.games.platformer.bundled import bundled_level
>>> world = World(bundled_level("sprint-01"))
>>> frame(world).shape
(256, 256, 3)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import floor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError
from ludus.games.platformer._native import ForwardModel, World, draw_frame
from ludus.games.platformer.art import atlas
from ludus.games.platformer.art_scenery import backdrop, dress, scenery
from ludus.games.platformer.codes import Kind, Status
from ludus.games.platformer.level import Level
from ludus.games.platformer.png import write_png
from ludus.games.platformer.records import Sprite
from ludus.games.platformer.trail import draw_trail

__all__ = ["ansi", "frame", "level_picture", "plain", "record", "write_png"]

Picture = NDArray[np.uint8]
"""RGB, shape ``(height, width, 3)``."""
Figure = tuple[int, int, int, int]
"""A sprite to draw: frame, x and y of its feet in level pixels, bits (mirrored, behind tiles)."""

TILE = 16
SCREEN = 256
MIRRORED, BEHIND = 1, 2
PIECE = 1024  # pixels of a map drawn at a time: sprite records hold 16-bit places

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
}
"""Kind → what its frames are called; those that move have two, ending in -0 and -1."""
_TALL = (Kind.RED_KOOPA_WINGED, Kind.GREEN_KOOPA_WINGED)
_ITEMS = (Kind.MUSHROOM, Kind.FIRE_FLOWER, Kind.LIFE_MUSHROOM)
_STEM = 10  # how far a flower's stem goes on below the feet the game knows
_FLOWER_UP = 21  # how far it comes up
_USED = 14


def _creature(sprite: Sprite, tick: int, behind: bool) -> Iterator[Figure]:
    """Yield what it takes to draw one creature or thing."""
    frames = atlas().sprites
    kind = sprite.kind
    name = "shell-green" if kind == Kind.SHELL and sprite.aux else _CREATURES[kind]
    step = f"{name}-{tick // 4 % 2}"
    x, y = floor(sprite.x), floor(sprite.y) + (_STEM if kind == Kind.ENEMY_FLOWER else 0)
    flip = MIRRORED if sprite.facing < 0 else 0
    yield frames[step if step in frames else name], x, y, flip | (BEHIND if behind else 0)
    if sprite.winged:
        lift = 6 if kind in _TALL else 3
        yield frames[f"wings-{tick // 2 % 2}"], x + (7 if flip else -7), y - lift, flip


def _creatures(world: World | ForwardModel, tiles: NDArray[np.uint8]) -> Iterator[Figure]:
    """Yield every sprite but the hero; flowers and rising things are behind what they rise from."""
    for sprite in world.sprites:
        behind = sprite.kind == Kind.ENEMY_FLOWER
        if sprite.kind in _ITEMS:
            column, row = floor(sprite.x) // TILE, floor(sprite.y) // TILE
            inside = 0 <= column < tiles.shape[0] and 0 <= row < tiles.shape[1]
            behind = inside and bool(tiles[column, row] == _USED)
        yield from _creature(sprite, world.tick, behind)


def _hero(world: World | ForwardModel) -> Iterator[Figure]:
    """Yield the hero, pale at every other moment in which nothing can hurt him."""
    mario = world.mario
    if not mario.listed:
        return
    if world.status == Status.LOSE:
        pose = "lost"
    elif mario.ducking and mario.mode > 0:
        pose = "duck"
    elif not mario.on_ground:
        pose = "jump"
    elif abs(mario.vx) >= 0.5:
        pace = 2 if abs(mario.vx) > 6 else 3
        pose = ("walk-0", "walk-1")[world.tick // pace % 2]
    else:
        pose = "stand"
    pale = "-pale" if (mario.invulnerable | world.pause) & 2 else ""
    drawn = atlas().sprites[f"{_MODES[mario.mode]}-{pose}{pale}"]
    yield drawn, floor(mario.x), floor(mario.y), MIRRORED if mario.facing < 0 else 0


def _standard(level: Level) -> Figure:
    """Return the banner at the top of the exit's pole."""
    column, row = level.exit
    top = max(1, row - 11)
    return atlas().sprites["standard"], column * TILE + TILE // 2, top * TILE + 26, 0


def _draw(
    tiles: NDArray[np.uint8],
    tile_index: NDArray[np.uint8],
    figures: Iterable[Figure],
    camera: tuple[int, int],
    size: tuple[int, int],
    deep: bool,
) -> Picture:
    """Return what the camera sees of a grid with figures in it."""
    (left, top), (width, height) = camera, size
    art = atlas()
    first = max(left // TILE - 1, 0)
    last = (left + width) // TILE + 2
    origin = first * TILE
    dressed = dress(tiles[first:last], first)
    records = [
        (drawn, x + left - origin, y + top, flip)
        for drawn, x, y, flip in scenery(art.sprites, left, width, height, deep=deep)
    ]
    records += [
        (drawn, x - origin, y, flip)
        for drawn, x, y, flip in figures
        if left - TILE < x < left + width + TILE and top - TILE < y < top + height + 2 * TILE
    ]
    rgb = np.empty((height, width, 3), np.uint8)
    draw_frame(
        rgb,
        dressed,
        left - origin,
        top,
        art.tile_frames,
        tile_index,
        backdrop(height),
        art.sprite_frames,
        np.array(records, np.int16).reshape(-1, 4),
    )
    return rgb


def frame(world: World | ForwardModel, size: tuple[int, int] = (SCREEN, SCREEN)) -> Picture:
    """Return the world as its camera sees it.

    Args:
        world: Any world; it is not changed.
        size: Width and height in pixels. The game's own screen is 256 × 256; another size shows
            more or less around the same middle.

    Raises:
        OptionError: If a side of the picture is not positive.
    """
    width, height = size
    if width < 1 or height < 1:
        raise OptionError(f"a picture of {width} × {height} pixels has no room; try (256, 256)")
    level, (x, y) = world.level, world.camera
    camera = (
        _placed(floor(x) + (SCREEN - width) // 2, width, level.width * TILE),
        _placed(floor(y) + (SCREEN - height) // 2, height, level.height * TILE),
    )
    tiles = world.tiles
    tile_index = atlas().tile_index[world.tick // 4 % len(atlas().tile_index)]
    figures = [_standard(level), *_creatures(world, tiles), *_hero(world)]
    return _draw(tiles, tile_index, figures, camera, size, deep=True)


def _placed(edge: int, length: int, whole: int) -> int:
    """Return the camera's edge, moved so that it shows as little outside the level as it can."""
    return max(min(edge, whole - length), 0)


def level_picture(
    level_or_world: Level | World | ForwardModel,
    path: ArrayLike | None = None,
    *,
    reveal_hidden: bool = True,
) -> Picture:
    """Return a whole level as one picture, with an agent's path over it.

    A level is drawn as it begins, with its creatures where they will appear; a world as it stands.

    Args:
        level_or_world: What to draw.
        path: Points (x, y) of the feet, shape ``(n, 2)``; the line runs at the height of the body.
        reveal_hidden: Whether hidden blocks, and what blocks hold, are shown.

    Raises:
        OptionError: If the path does not have that shape.
    """
    if isinstance(level_or_world, Level):
        level = level_or_world
        tiles = level.tiles
        figures = [_standard(level), *_beginning(level)]
    else:
        level, tiles = level_or_world.level, level_or_world.tiles
        hero = _hero(level_or_world)
        figures = [_standard(level), *_creatures(level_or_world, tiles), *hero]
    art = atlas()
    tile_index = art.map_index if reveal_hidden else art.tile_index[0]
    width, height = level.width * TILE, level.height * TILE
    rgb = np.concatenate(
        [
            _draw(tiles, tile_index, figures, (x, 0), (min(PIECE, width - x), height), deep=False)
            for x in range(0, width, PIECE)
        ],
        axis=1,
    )
    if path is not None:
        points = np.asarray(path, np.float64)
        if points.ndim != 2 or points.shape[1] != 2:
            raise OptionError(f"a path has the shape (n, 2), not {points.shape}")
        draw_trail(rgb, points - (0, 6))
    return rgb


def _beginning(level: Level) -> Iterator[Figure]:
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


def record(
    level: Level,
    actions: Iterable[int],
    *,
    size: tuple[int, int] = (SCREEN, SCREEN),
    **world_options: Any,
) -> Iterator[Picture]:
    """Yield the frames of an episode: its start, then one for every action until it is over."""
    world = World(level, **world_options)
    yield frame(world, size)
    for action in actions:
        if world.status:
            return
        world.step(int(action))
        yield frame(world, size)


def ansi(world: World | ForwardModel, columns: int = 80) -> str:
    """Return a frame for a terminal with 24-bit colour, in half blocks: two pixels a character.

    Args:
        world: Any world; it is not changed.
        columns: Characters in a line; there will be half as many lines.

    Raises:
        OptionError: If there are fewer than 2 columns, or more than the frame has.
    """
    if not 2 <= columns <= SCREEN:
        raise OptionError(f"{columns} columns cannot hold a frame; try 80")
    side = columns - columns % 2
    edges = np.arange(side) * SCREEN // side
    sizes = np.diff(edges, append=SCREEN)
    sums = np.add.reduceat(np.add.reduceat(frame(world).astype(np.int64), edges, 0), edges, 1)
    pixels = sums // (sizes[:, None] * sizes)[..., None]
    lines = []
    for upper, lower in zip(pixels[::2].tolist(), pixels[1::2].tolist(), strict=True):
        line, before = [], None
        for (r, g, b), (lower_r, lower_g, lower_b) in zip(upper, lower, strict=True):
            colours = f"\x1b[38;2;{r};{g};{b};48;2;{lower_r};{lower_g};{lower_b}m"
            line.append("▀" if colours == before else f"{colours}▀")
            before = colours
        lines.append("".join(line) + "\x1b[0m")
    return "\n".join(lines)


_LETTERS = {
    **dict.fromkeys((0, 48, 49), " "),
    1: "X", 2: "#", 3: "B", 4: "b", 5: "b", 6: "S", 7: "S", 50: "S", 51: "S", 8: "?", 11: "?",
    14: "D", 15: "o", 18: "<", 19: ">", 20: "[", 21: "]", 39: "F", 40: "|", 43: "%", 44: "%",
    45: "%", 46: "%", 47: ":", 52: "t", 53: "t",
}  # fmt: skip
_CREATURE_LETTERS = " .gGrRkKyY=vmfclx"


def plain(world: World | ForwardModel, columns: int = 80) -> str:
    """Return the level around the hero as text without colour, one character a tile.

    Tiles and walkers have the letters of the level format; blocks that look alike share one, ``:``
    is a platform's background, ``|`` the exit's pole. Further ``=`` is a bullet bill, ``v`` a
    piranha flower, ``m`` a mushroom, ``f`` a fire flower, ``c`` a shell, ``l`` a 1-up mushroom,
    ``x`` a fireball, and ``M`` the hero.

    Args:
        world: Any world; it is not changed.
        columns: The most tiles to show side by side.

    Raises:
        OptionError: If there is no column.
    """
    if columns < 1:
        raise OptionError(f"{columns} columns cannot hold a picture; try 80")
    tiles, mario = world.tiles, world.mario
    width, height = tiles.shape
    first = _placed(floor(mario.x) // TILE - columns // 2, columns, width)
    rows = [
        [_LETTERS.get(int(code), " ") for code in tiles[first : first + columns, row]]
        for row in range(height)
    ]

    def put(letter: str, x: float, y: float) -> None:
        column, row = floor(x) // TILE - first, floor(y) // TILE
        if 0 <= row < height and 0 <= column < len(rows[row]):
            rows[row][column] = letter

    for sprite in world.sprites:
        kind = sprite.kind
        lost_wings = kind < Kind.BULLET_BILL and not sprite.winged
        put(_CREATURE_LETTERS[kind & ~1 if lost_wings else kind], sprite.x, sprite.y)
    put("M", mario.x, mario.y)
    return "\n".join("".join(row).rstrip() for row in rows)
