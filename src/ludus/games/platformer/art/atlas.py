"""The platformer's pictures as atlases of frames, ready to be drawn.

The art is our own and is drawn in code: ``tiles``, ``terrain``, ``elements``,
``hero`` and ``sprites`` hold it as text, one letter a pixel, ``bitmap`` the palette;
``dress`` fits tiles to their neighbours, ``scenery`` draws what lies behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.art.bitmap import Pixels
from ludus.games.platformer.art.scenery import PIECE, scenery_pictures
from ludus.games.platformer.art.sprites import sprite_pictures
from ludus.games.platformer.art.themes import Theme
from ludus.games.platformer.art.tiles import PHASES, tile_pictures

__all__ = ["NOTHING", "Atlas", "atlas"]

NOTHING = 255
"""Stands in a tile index for a code that shows nothing."""


@dataclass(frozen=True, slots=True)
class Atlas:
    """All frames of a theme, and where to find them; the arrays are read-only.

    Attributes:
        tile_frames: RGBA frames, shape ``(n, 16, 16, 4)``.
        tile_index: Frame of a tile code in play, shape ``(phases, 256)``: coins turn, gems gleam.
        map_index: Frame of a tile code where nothing is secret, shape ``(256,)``.
        sprite_frames: RGBA frames, shape ``(m, 32, 16, 4)``, their feet in the bottom row.
        sprites: Frame of a sprite's name; it is the same in every theme.
        scenery: Frame of the scenery's first piece.
    """

    tile_frames: NDArray[np.uint8]
    tile_index: NDArray[np.uint8]
    map_index: NDArray[np.uint8]
    sprite_frames: NDArray[np.uint8]
    sprites: Mapping[str, int]
    scenery: int


@cache
def atlas(theme: Theme = "overground") -> Atlas:
    """Return a theme's one atlas, drawn at the first call."""
    pictures, revealed = tile_pictures(theme)
    frames: list[Pixels] = []
    tile_index = np.full((PHASES, 256), NOTHING, np.uint8)
    for code, phases in pictures.items():
        for phase in range(PHASES):
            tile_index[phase, code] = len(frames) + phase % len(phases)
        frames += phases
    map_index = tile_index[0].copy()
    for code, picture in revealed.items():
        map_index[code] = len(frames)
        frames.append(picture)
    sprites = sprite_pictures() | scenery_pictures(theme)
    arrays = (np.stack(frames), tile_index, map_index, np.stack(list(sprites.values())))
    for array in arrays:
        array.flags.writeable = False
    tile_frames, _, _, sprite_frames = arrays
    names = MappingProxyType({name: n for n, name in enumerate(sprites)})
    return Atlas(tile_frames, tile_index, map_index, sprite_frames, names, names[f"{PIECE}0"])
