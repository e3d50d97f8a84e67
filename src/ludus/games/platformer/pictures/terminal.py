"""Draws worlds as text, for the terminal: in colour or plain."""

from __future__ import annotations

from math import floor

import numpy as np

from ludus.errors import OptionError
from ludus.games.media.half_blocks import half_blocks
from ludus.games.platformer._native import ForwardModel, World
from ludus.games.platformer.art.figures import TILE
from ludus.games.platformer.art.map_tiles import COIN_CHEST, drawn_tiles
from ludus.games.platformer.codes import Kind
from ludus.games.platformer.pictures.frames import SCREEN, camera_edge, frame

__all__ = ["ansi", "world_text"]


def ansi(world: World | ForwardModel, columns: int = 80, *, theme: str | None = None) -> str:
    r"""Return a frame for a terminal with 24-bit colour, in half blocks: two pixels a character.

    Args:
        world: Any world; it is not changed.
        columns: Characters in a line; there will be half as many lines.
        theme: ``overground``, ``underground`` or ``castle``; without one, that of the level.

    Raises:
        OptionError: If there are fewer than 2 columns, or more than the frame has, or there is no
            such theme.

    Example:
        >>> from ludus.games.platformer.levels.level import Level
        >>> ansi(World(Level.parse("M-F\nXXX")), 20).count("▀")
        200
    """
    if not 2 <= columns <= SCREEN:
        raise OptionError(f"{columns} columns cannot hold a frame; try 80")
    side = columns - columns % 2
    edges = np.arange(side) * SCREEN // side
    sizes = np.diff(edges, append=SCREEN)
    pixels = frame(world, (SCREEN, SCREEN), theme=theme).astype(np.int64)
    sums = np.add.reduceat(np.add.reduceat(pixels, edges, 0), edges, 1)
    return half_blocks(sums // (sizes[:, None] * sizes)[..., None])


_LETTERS = {
    **dict.fromkeys((0, 48, 49), " "),
    1: "X", 2: "#", 3: "B", 4: "b", 5: "b", 6: "S", 7: "S", 50: "S", 51: "S", 8: "?", 11: "?",
    14: "D", 15: "o", 18: "<", 19: ">", 20: "[", 21: "]", 39: "F", 40: "|", 43: "%", 44: "%",
    45: "%", 46: "%", 47: ":", 52: "t", 53: "t", 64: "l", 65: "l",
    **dict(enumerate("hijHIJnpznpzNPZ()_", 66)),
    COIN_CHEST: "?",
}  # fmt: skip
_CREATURE_LETTERS = " .gGrRkKyY*vmfcuxwPu"


def world_text(world: World | ForwardModel, columns: int = 80) -> str:
    r"""Return the level around the hero as text without colour, one character a tile.

    Tiles and walkers have the letters of the level format; blocks that look alike share one, ``:``
    is a platform's background, ``|`` the exit's pole, ``=`` a moving platform. Further ``*`` is a
    bullet bill, ``v`` a piranha flower, ``m`` a mushroom, ``f`` a fire flower, ``c`` a shell, ``u``
    a 1-up or green mushroom, ``x`` a fireball, ``w`` a goomba on waves, ``P`` the princess, and
    ``M`` the hero.

    Args:
        world: Any world; it is not changed.
        columns: The most tiles to show side by side.

    Raises:
        OptionError: If there is no column.

    Example:
        >>> from ludus.games.platformer.levels.level import Level
        >>> print(world_text(World(Level.parse("-o-g-\nM---F\nXXXXX"))))
         o g
        M   F
        XXXXX
    """
    if columns < 1:
        raise OptionError(f"{columns} columns cannot hold a picture; try 80")
    tiles, mario = drawn_tiles(world.level, world.tiles), world.mario
    width, height = tiles.shape
    first = camera_edge(floor(mario.x) // TILE - columns // 2, columns, width)
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
