"""Draws worlds and levels: frames, and maps with an agent's path.

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
from ludus.games.media.palette import Picture
from ludus.games.platformer._native import ForwardModel, World, draw_frame
from ludus.games.platformer.art.atlas import atlas
from ludus.games.platformer.art.dress import dress
from ludus.games.platformer.art.figures import (
    TILE,
    Figure,
    creatures,
    flags,
    hero,
    initial_figures,
    key_icons,
    platforms,
    tracks,
)
from ludus.games.platformer.art.map_tiles import drawn_tiles
from ludus.games.platformer.art.scenery import backdrop, scenery
from ludus.games.platformer.art.themes import Theme, find_theme
from ludus.games.platformer.art.trail import draw_trail
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.reference import FORMATS

__all__ = ["SCREEN", "camera_edge", "episode_frames", "frame", "level_picture", "screen_size"]

SCREEN = 256
OLD_SCREEN = (320, 240)
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
    dressed = dress(tiles[first:last], first, drawn_tiles(level, level.tiles)[first:last])
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


def screen_size(rules: str) -> tuple[int, int]:
    """Return width and height of the screen that the camera of a rule set is made for.

    Example:
        >>> screen_size("framework"), screen_size("2009")
        ((256, 256), (320, 240))
    """
    return OLD_SCREEN if rules in FORMATS else (SCREEN, SCREEN)


def frame(
    world: World | ForwardModel,
    size: tuple[int, int] | None = None,
    *,
    theme: str | None = None,
) -> Picture:
    r"""Return the world as its camera sees it, the keys that the hero holds in a corner.

    Args:
        world: Any world; it is not changed.
        size: Width and height in pixels; by default those of the game's own screen, 256 × 256, or
            320 × 240 under the rules of 2009 and 2010. Another size shows more or less around the
            same middle.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.

    Raises:
        OptionError: If a side of the picture is not positive, or there is no such theme.

    Example:
        >>> frame(World(Level.parse("M-F\nXXX")), (64, 32)).shape
        (32, 64, 3)
    """
    screen = screen_size(world.rules)
    width, height = size or screen
    if width < 1 or height < 1:
        raise OptionError(f"a picture of {width} × {height} pixels has no room; try (256, 256)")
    level, (x, y) = world.level, world.camera
    look = find_theme(level, theme)
    camera = (
        camera_edge(floor(x) + (screen[0] - width) // 2, width, level.width * TILE),
        camera_edge(floor(y) + (screen[1] - height) // 2, height, level.height * TILE),
    )
    tiles, tick = drawn_tiles(level, world.tiles), world.tick
    phases = atlas(look).tile_index
    figures = [
        *flags(level),
        *platforms(world.platforms),
        *creatures(world, tiles),
        *hero(world, tiles),
        *key_icons(world.keys, camera, width),
    ]
    index = phases[tick // 4 % len(phases)]
    return _draw(level, tiles, index, figures, camera, (width, height), look, tick)


def camera_edge(edge: int, length: int, level_length: int) -> int:
    """Return the camera's edge, moved so that it shows as little outside the level as it can."""
    return max(min(edge, level_length - length), 0)


def level_picture(
    level_or_world: Level | World | ForwardModel,
    path: ArrayLike | None = None,
    *,
    reveal_hidden: bool = True,
    theme: str | None = None,
) -> Picture:
    r"""Return a whole level as one picture, with an agent's path over it.

    A level is drawn as it begins, with its creatures where they will appear; a world as it stands.
    Dots show the ways of moving platforms.

    Args:
        level_or_world: What to draw.
        path: Points (x, y) of the feet, shape ``(n, 2)``; the line runs at the height of the body.
        reveal_hidden: Whether hidden blocks, and what blocks hold, are shown.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.

    Raises:
        OptionError: If the path does not have that shape, or there is no such theme.

    Example:
        >>> level_picture(Level.parse("M-F\nXXX"), path=[(8, 15), (40, 15)]).shape
        (32, 48, 3)
    """
    drawn = level_or_world
    level = drawn if isinstance(drawn, Level) else drawn.level
    figures = [*flags(level), *tracks(level), *platforms(drawn.platforms), *_figures(drawn)]
    tiles = drawn_tiles(level, drawn.tiles)
    look = find_theme(level, theme)
    index = atlas(look).map_index if reveal_hidden else atlas(look).tile_index[0]
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


def _figures(drawn: Level | World | ForwardModel) -> Iterator[Figure]:
    """Yield the hero and the creatures: at the start of a level, or as a world has them."""
    if isinstance(drawn, Level):
        yield from initial_figures(drawn)
    else:
        tiles = drawn_tiles(drawn.level, drawn.tiles)
        yield from creatures(drawn, tiles)
        yield from hero(drawn, tiles)


def episode_frames(
    level: Level,
    actions: Iterable[int],
    *,
    size: tuple[int, int] | None = None,
    theme: str | None = None,
    **world_options: Any,
) -> Iterator[Picture]:
    r"""Yield the frames of an episode: its start, then one for every action until it is over.

    Example:
        >>> len(list(episode_frames(Level.parse("M----F\nXXXXXX"), [0, 2, 2])))
        4
    """
    world = World(level, **world_options)
    yield frame(world, size, theme=theme)
    for action in actions:
        if world.status:
            return
        world.step(int(action))
        yield frame(world, size, theme=theme)
