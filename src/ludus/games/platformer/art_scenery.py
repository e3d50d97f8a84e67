"""What lies behind and around the tiles: sky, hills, clouds, grass edges.

Nothing here belongs to the game; it makes pictures pleasant and gives the camera's motion a depth.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.art_bitmap import Pixels
from ludus.games.platformer.art_tiles import (
    GROUND,
    PLATFORM_OVER_BACKGROUND,
    TUFT_KINDS,
    TUFTS,
)

__all__ = ["backdrop", "dress", "scenery", "scenery_pictures"]

_WIDTH, _HEIGHT = 16, 32  # of a sprite frame
_SKY = ("59abe8", "a0d6f3", "def4ef")
_SKY_SHADES = 23
_FAR, _FAR_LIT = "a9cfdd", "b8d9e2"
_NEAR, _NEAR_LIT, _TREE = "93c9a9", "a4d4b0", "74b096"
_DEPTHS = ("8cc3a6", "82b9a3", "77ada0", "6b9f9b", "5e9094")
_CLOUD, _CLOUD_SHADE, _CLOUD_LOW = "ffffff", "eaf5fb", "d3e9f5"

_STRIP = 256  # pixels after which a range of hills repeats
_HORIZON = 66  # the far hills' foot, in pixels from the bottom of the picture
_NEAR_FOOT = 56
_CLOUDS = ((20, 44, "a"), (150, 84, "b"), (262, 30, "b"), (330, 70, "a"), (452, 52, "b"))
"""Left edge, foot and shape of the clouds, and how they repeat: every ``_SKY_WIDTH`` pixels."""
_SKY_WIDTH = 560
_PUFFS = {
    "a": (48, ((9, 22, 8), (21, 16, 11), (34, 20, 9), (40, 23, 7))),
    "b": (32, ((7, 24, 6), (16, 20, 8), (24, 23, 7))),
}
"""Cloud shape → width and its discs: x, y, radius."""
_CLOUD_FOOT = 27
_BEHIND = 2  # the sprite record's bit for "behind the tiles"


def _rgb(hexadecimal: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(hexadecimal))


def _cut(strip: Pixels, name: str) -> dict[str, Pixels]:
    return {
        f"{name}-{n}": strip[:, n * _WIDTH : (n + 1) * _WIDTH]
        for n in range(strip.shape[1] // _WIDTH)
    }


def _hills(
    waves: tuple[tuple[int, float, float], ...], base: float, colour: str, lit: str
) -> Pixels:
    """Return a strip of hills; a wave is periods per strip, height, phase."""
    x = np.arange(_STRIP)
    ridge = base + sum(
        height * np.sin(2 * np.pi * (periods * x / _STRIP + phase))
        for periods, height, phase in waves
    )
    depth = np.arange(_HEIGHT)[:, None] - np.rint(_HEIGHT - ridge)[None, :]
    strip = np.zeros((_HEIGHT, _STRIP, 4), np.uint8)
    strip[depth >= 0] = (*_rgb(colour), 255)
    rising = np.gradient(ridge) > -0.12
    strip[(depth >= 0) & (depth < 3) & rising[None, :]] = (*_rgb(lit), 255)
    return strip


def _plant(strip: Pixels, x: int, height: int) -> None:
    """Put a cypress on the ridge at x."""
    ridge = int(np.argmax(strip[:, x, 3] > 0))
    for y in range(max(ridge - height, 0), ridge + 2):
        half = min(2, (y - (ridge - height)) // 2)
        strip[y, x - half : x + half + 1] = (*_rgb(_TREE), 255)


def _cloud(shape: str) -> Pixels:
    width, discs = _PUFFS[shape]
    y, x = np.mgrid[:_HEIGHT, :width]
    body = np.zeros((_HEIGHT, width), bool)
    lit = np.zeros_like(body)
    for cx, cy, radius in discs:
        body |= (x - cx) ** 2 + (y - cy) ** 2 <= radius**2 + 1
        lit |= (x - cx + 1) ** 2 + (y - cy + 3) ** 2 <= (radius - 1) ** 2 + 1
    feet = (discs[0][0] <= x) & (x <= discs[-1][0]) & (y > _CLOUD_FOOT - 5)
    body = (body | feet) & (y <= _CLOUD_FOOT)
    cloud = np.zeros((_HEIGHT, width, 4), np.uint8)
    cloud[body] = (*_rgb(_CLOUD_SHADE), 255)
    cloud[body & (y > _CLOUD_FOOT - 2)] = (*_rgb(_CLOUD_LOW), 255)
    cloud[body & lit & (y <= _CLOUD_FOOT - 2)] = (*_rgb(_CLOUD), 255)
    return cloud


def scenery_pictures() -> dict[str, Pixels]:
    """Return the frames of hills and clouds, 32 × 16 RGBA, by their names."""
    far = _hills(((1, 7.0, 0.1), (3, 4.0, 0.4), (5, 1.5, 0.7)), 19, _FAR, _FAR_LIT)
    near = _hills(((2, 3.2, 0.3), (3, 2.0, 0.85), (7, 0.7, 0.2)), 17, _NEAR, _NEAR_LIT)
    for x, height in ((38, 9), (44, 7), (131, 8), (196, 10), (202, 8), (209, 6)):
        _plant(near, x, height)
    pictures = _cut(far, "far") | _cut(near, "near")
    for shape in _PUFFS:
        pictures |= _cut(_cloud(shape), f"cloud-{shape}")
    return pictures


@cache
def backdrop(height: int) -> NDArray[np.uint8]:
    """Return the colour of every row behind a picture of this height, read-only."""
    rows = np.empty((height, 3), np.uint8)
    sky = max(height - _HORIZON, 1)
    stops = np.array([_rgb(colour) for colour in _SKY])
    shades = np.linspace(0, len(_SKY) - 1, _SKY_SHADES)
    ramp = np.stack([np.interp(shades, range(len(_SKY)), stops[:, n]) for n in range(3)], axis=1)
    for y in range(height):
        if y < height - _HORIZON:
            rows[y] = np.rint(ramp[y * _SKY_SHADES // sky])
        elif y < height - _NEAR_FOOT:
            rows[y] = _rgb(_FAR)
        else:
            rows[y] = _rgb(_DEPTHS[(y - height + _NEAR_FOOT) * len(_DEPTHS) // _NEAR_FOOT])
    rows.flags.writeable = False
    return rows


def scenery(
    index: Mapping[str, int], left: int, width: int, height: int, *, deep: bool = True
) -> list[tuple[int, int, int, int]]:
    """Return the sprite records of hills and clouds for a picture of this size.

    Args:
        index: Frame of a name.
        left: The picture's left edge in the level; records are relative to the picture.
        width: Of the picture.
        height: Of the picture.
        deep: Whether what is far moves slower than the camera.
    """
    records: list[tuple[int, int, int, int]] = []
    middle = _WIDTH // 2
    offset = left // 8 if deep else left
    for repeat in range(offset // _SKY_WIDTH, (offset + width) // _SKY_WIDTH + 1):
        for x, foot, shape in _CLOUDS:
            for n in range(_PUFFS[shape][0] // _WIDTH):
                at = repeat * _SKY_WIDTH + x + n * _WIDTH - offset
                if -_WIDTH < at < width:
                    frame = index[f"cloud-{shape}-{n}"]
                    records.append((frame, at + middle, foot + _HEIGHT // 2, _BEHIND))
    for name, slowness, foot in (("far", 4, _HORIZON), ("near", 2, _NEAR_FOOT)):
        offset = left // slowness if deep else left
        first = index[f"{name}-0"]
        for column in range(offset // _WIDTH, (offset + width - 1) // _WIDTH + 1):
            frame = first + column % (_STRIP // _WIDTH)
            at = column * _WIDTH - offset + middle
            records.append((frame, at, height - foot - 1, _BEHIND))
    return records


@cache
def _growth() -> NDArray[np.uint8]:
    """Return what grows in a column where there is grass: a tile code, or 0."""
    kinds = np.array([(n * n * 40503 >> 7) % (3 * TUFT_KINDS) for n in range(509)])
    return np.where(kinds < TUFT_KINDS, TUFTS + kinds, 0).astype(np.uint8)


def dress(tiles: NDArray[np.uint8], first_column: int = 0) -> NDArray[np.uint8]:
    """Return the grid with grass on open ground, edges on its sides, and tufts.

    Args:
        tiles: Tile codes, column by column; the level or a piece of it.
        first_column: Where in the level the piece begins.
    """
    ground = (tiles == 1).view(np.uint8)
    codes = np.full(tiles.shape, GROUND - 1 + 15, np.uint8)  # open on all four sides
    codes[:, 1:] -= ground[:, :-1]
    codes[1:] -= ground[:-1] << 1
    codes[:-1] -= ground[1:] << 2
    codes[:, :-1] -= ground[:, 1:] << 3
    codes[:, 0] -= 1  # the level ends there, the ground does not
    codes[0] -= 2
    codes[-1] -= 4
    codes[:, -1] -= 8
    codes *= ground
    codes += tiles

    growth = _growth().take(range(first_column, first_column + len(tiles)), mode="wrap")
    codes[:, :-1] += (tiles[:, :-1] == 0) * ground[:, 1:] * growth[:, None]
    platforms = tiles[:, :-1] - np.uint8(43)
    propped = (platforms < 4) & (tiles[:, 1:] == 47)
    if propped.any():
        codes[:, :-1][propped] = PLATFORM_OVER_BACKGROUND + platforms[propped]
    return codes
