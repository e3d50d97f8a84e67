"""Pictures of worlds and levels: frames, maps with an agent's path, text for the terminal.

A level whose labels name a theme — ``underground``, ``castle`` — is drawn in it.

>>> from ludus.games.platformer import World
>>> from ludus.games.platformer.levels.bundled import bundled_level
>>> world = World(bundled_level("sprint-01"))
>>> frame(world).shape
(256, 256, 3)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import floor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.errors import OptionError
from ludus.games.media.png import write_png
from ludus.games.platformer._native import ForwardModel, World, draw_frame
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.art.dress import dress
from ludus.games.platformer.art.figures import (
    TILE,
    Figure,
    beginning,
    creatures,
    hero,
    keys_held,
    platforms,
    standard,
    tracks,
)
from ludus.games.platformer.art.scenery import backdrop, scenery
from ludus.games.platformer.art.themes import Theme, theme_of
from ludus.games.platformer.art.trail import draw_trail
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.levels.level import Level

__all__ = ["ansi", "frame", "level_picture", "plain", "record", "write_png"]

Picture = NDArray[np.uint8]
"""RGB, shape ``(height, width, 3)``."""

SCREEN = 256
PIECE = 1024  # pixels of a map drawn at a time: sprite records hold 16-bit places


def _draw(
    level: Level,
    tiles: NDArray[np.uint8],
    tile_index: NDArray[np.uint8],
    figures: Sequence[Figure],
    camera: tuple[int, int],
    size: tuple[int, int],
    theme: Theme,
    tick: int | None = None,
) -> Picture:
    """Return what the camera sees of a level's tiles and figures; a map has no tick."""
    (left, top), (width, height) = camera, size
    art = atlas(theme)
    first = max(left // TILE - 1, 0)
    last = (left + width) // TILE + 2
    origin = first * TILE
    dressed = dress(tiles[first:last], first, level.tiles[first:last])
    behind = scenery(left, width, height, theme, tick=tick or 0, deep=tick is not None)
    behind += np.array((art.scenery, left - origin, top, 0), np.int16)
    records = [
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
        backdrop(height, theme),
        art.sprite_frames,
        np.concatenate([behind, np.array(records, np.int16).reshape(-1, 4)]),
    )
    return rgb


def frame(
    world: World | ForwardModel,
    size: tuple[int, int] = (SCREEN, SCREEN),
    *,
    theme: str | None = None,
) -> Picture:
    """Return the world as its camera sees it, the keys that the hero holds in a corner.

    Args:
        world: Any world; it is not changed.
        size: Width and height in pixels. The game's own screen is 256 × 256; another size shows
            more or less around the same middle.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.

    Raises:
        OptionError: If a side of the picture is not positive, or there is no such theme.
    """
    width, height = size
    if width < 1 or height < 1:
        raise OptionError(f"a picture of {width} × {height} pixels has no room; try (256, 256)")
    level, (x, y) = world.level, world.camera
    look = theme_of(level, theme)
    camera = (
        _placed(floor(x) + (SCREEN - width) // 2, width, level.width * TILE),
        _placed(floor(y) + (SCREEN - height) // 2, height, level.height * TILE),
    )
    tiles, tick = world.tiles, world.tick
    phases = atlas(look).tile_index
    figures = [
        standard(level),
        *platforms(world.platforms),
        *creatures(world, tiles),
        *hero(world, tiles),
        *keys_held(world.keys, camera, width),
    ]
    return _draw(level, tiles, phases[tick // 4 % len(phases)], figures, camera, size, look, tick)


def _placed(edge: int, length: int, whole: int) -> int:
    """Return the camera's edge, moved so that it shows as little outside the level as it can."""
    return max(min(edge, whole - length), 0)


def level_picture(
    level_or_world: Level | World | ForwardModel,
    path: ArrayLike | None = None,
    *,
    reveal_hidden: bool = True,
    theme: str | None = None,
) -> Picture:
    """Return a whole level as one picture, with an agent's path over it.

    A level is drawn as it begins, with its creatures where they will appear; a world as it stands.
    Dots show the ways of moving platforms.

    Args:
        level_or_world: What to draw.
        path: Points (x, y) of the feet, shape ``(n, 2)``; the line runs at the height of the body.
        reveal_hidden: Whether hidden blocks, and what blocks hold, are shown.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.

    Raises:
        OptionError: If the path does not have that shape, or there is no such theme.
    """
    if isinstance(level_or_world, Level):
        level = level_or_world
        tiles = level.tiles
        figures = [*platforms(level.platforms), *beginning(level)]
    else:
        level, tiles = level_or_world.level, level_or_world.tiles
        figures = [
            *platforms(level_or_world.platforms),
            *creatures(level_or_world, tiles),
            *hero(level_or_world, tiles),
        ]
    figures = [standard(level), *tracks(level), *figures]
    look = theme_of(level, theme)
    art = atlas(look)
    index = art.map_index if reveal_hidden else art.tile_index[0]
    width, height = level.width * TILE, level.height * TILE
    rgb = np.concatenate(
        [
            _draw(level, tiles, index, figures, (x, 0), (min(PIECE, width - x), height), look)
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


def record(
    level: Level,
    actions: Iterable[int],
    *,
    size: tuple[int, int] = (SCREEN, SCREEN),
    theme: str | None = None,
    **world_options: Any,
) -> Iterator[Picture]:
    """Yield the frames of an episode: its start, then one for every action until it is over."""
    world = World(level, **world_options)
    yield frame(world, size, theme=theme)
    for action in actions:
        if world.status:
            return
        world.step(int(action))
        yield frame(world, size, theme=theme)


def ansi(world: World | ForwardModel, columns: int = 80, *, theme: str | None = None) -> str:
    """Return a frame for a terminal with 24-bit colour, in half blocks: two pixels a character.

    Args:
        world: Any world; it is not changed.
        columns: Characters in a line; there will be half as many lines.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.

    Raises:
        OptionError: If there are fewer than 2 columns, or more than the frame has, or there is no
            such theme.
    """
    if not 2 <= columns <= SCREEN:
        raise OptionError(f"{columns} columns cannot hold a frame; try 80")
    side = columns - columns % 2
    edges = np.arange(side) * SCREEN // side
    sizes = np.diff(edges, append=SCREEN)
    pixels = frame(world, theme=theme).astype(np.int64)
    sums = np.add.reduceat(np.add.reduceat(pixels, edges, 0), edges, 1)
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
    45: "%", 46: "%", 47: ":", 52: "t", 53: "t", 64: "l", 65: "l",
    **dict(enumerate("hijHIJnpznpzNPZ()_", 66)),
}  # fmt: skip
_CREATURE_LETTERS = " .gGrRkKyY*vmfcux"


def plain(world: World | ForwardModel, columns: int = 80) -> str:
    """Return the level around the hero as text without colour, one character a tile.

    Tiles and walkers have the letters of the level format; blocks that look alike share one, ``:``
    is a platform's background, ``|`` the exit's pole, ``=`` a moving platform. Further ``*`` is a
    bullet bill, ``v`` a piranha flower, ``m`` a mushroom, ``f`` a fire flower, ``c`` a shell, ``u``
    a 1-up mushroom, ``x`` a fireball, and ``M`` the hero.

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

    for left, top, length in world.platforms:
        for x in range(left, left + length, TILE):
            put("=", x + TILE // 2, top + TILE // 2)
    for sprite in world.sprites:
        kind = sprite.kind
        lost_wings = kind < Kind.BULLET_BILL and not sprite.winged
        put(_CREATURE_LETTERS[kind & ~1 if lost_wings else kind], sprite.x, sprite.y)
    put("M", mario.x, mario.y)
    return "\n".join("".join(row).rstrip() for row in rows)
