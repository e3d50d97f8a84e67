"""What lies behind the tiles, ready to be drawn: sky and hills, a cave, halls lit by torches.

Nothing here belongs to the game; it makes pictures pleasant and gives the camera's motion a depth.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.art.bitmap import Pixels
from ludus.games.platformer.art.castle import castle
from ludus.games.platformer.art.cave import cave
from ludus.games.platformer.art.scene import Scene, rgb
from ludus.games.platformer.art.sky import sky
from ludus.games.platformer.art.themes import Theme

__all__ = ["PIECE", "backdrop", "scenery", "scenery_pictures"]

PIECE = "scenery-"
"""How the names of the scenery's frames begin; a number follows."""
_WIDTH, _HEIGHT = 16, 32  # of a sprite frame
_BEHIND = 2  # the sprite record's bit for "behind the tiles"
_FLICKER = 4  # ticks that a moment lasts


@cache
def _scene(theme: Theme) -> Scene:
    return {"overground": sky, "underground": cave, "castle": castle}[theme]()


def _cut(picture: Pixels) -> list[tuple[int, int, Pixels]]:
    """Return a picture's pieces that show something, and where they are in it."""
    height, width = picture.shape[:2]
    padded = np.pad(picture, ((0, -height % _HEIGHT), (0, -width % _WIDTH), (0, 0)))
    pieces = (
        (x, y, padded[y : y + _HEIGHT, x : x + _WIDTH])
        for y in range(0, height, _HEIGHT)
        for x in range(0, width, _WIDTH)
    )
    return [piece for piece in pieces if piece[2][..., 3].any()]


@cache
def _pieces(theme: Theme) -> tuple[dict[str, list[tuple[int, int, int]]], list[Pixels]]:
    """Return the pieces of every picture — x, y, number — and the frames with these numbers."""
    places: dict[str, list[tuple[int, int, int]]] = {}
    frames: list[Pixels] = []
    for name, picture in _scene(theme).pictures.items():
        pieces = _cut(picture)
        places[name] = [(x, y, len(frames) + n) for n, (x, y, _) in enumerate(pieces)]
        frames += [piece for _, _, piece in pieces]
    return places, frames


def scenery_pictures(theme: Theme) -> dict[str, Pixels]:
    """Return the frames of a theme's scenery, 32 × 16 RGBA, by their names."""
    return {f"{PIECE}{n}": frame for n, frame in enumerate(_pieces(theme)[1])}


@cache
def backdrop(height: int, theme: Theme = "overground") -> NDArray[np.uint8]:
    """Return the colour of every row behind a picture of this height, read-only."""
    rows = np.empty((height, 3), np.uint8)
    top = 0
    for above_bottom, colours, count in _scene(theme).bands:
        end = max(height - above_bottom, top)
        stops = np.array([rgb(colour) for colour in colours])
        shades = np.linspace(0, len(stops) - 1, count)
        ramp = [np.interp(shades, range(len(stops)), stops[:, n]) for n in range(3)]
        if end > top:
            steps = np.arange(end - top) * count // (end - top)
            rows[top:end] = np.rint(np.stack(ramp, axis=1))[steps]
        top = end
    rows.flags.writeable = False
    return rows


@lru_cache(maxsize=256)
def _line(theme: Theme, number: int, moment: int, width: int, height: int) -> NDArray[np.int16]:
    """Return the records of a layer as far as a picture of this size can ever see it."""
    layer, places = _scene(theme).layers[number], _pieces(theme)[0]
    records = []
    for name, left, top in layer.moments[moment]:
        first = height - top if layer.from_bottom else top
        tops = range(first, height - layer.margin, layer.every) if layer.every else (first,)
        for repeat in range(-1, width // layer.period + 2):
            for below in tops:
                for x, y, piece in places[name]:
                    at, foot = repeat * layer.period + left + x, below + y + _HEIGHT - 1
                    if 0 <= foot < height + _HEIGHT - 1:
                        records.append((piece, at + _WIDTH // 2, foot, _BEHIND))
    return np.array(records, np.int16).reshape(-1, 4)


@lru_cache(maxsize=2048)
def _layer(
    theme: Theme, number: int, moment: int, shift: int, width: int, height: int
) -> NDArray[np.int16]:
    """Return the records of a layer whose left edge is this far left of the picture's."""
    records = _line(theme, number, moment, width, height) - np.array((0, shift, 0, 0), np.int16)
    middles = records[:, 1]
    return records[(middles > -_WIDTH // 2) & (middles < width + _WIDTH // 2)]


def scenery(
    left: int,
    width: int,
    height: int,
    theme: Theme = "overground",
    *,
    tick: int = 0,
    deep: bool = True,
) -> NDArray[np.int16]:
    """Return the sprite records of what lies behind a picture of this size.

    Frames are numbered as in ``scenery_pictures``; places are relative to the picture.

    Args:
        left: The picture's left edge in the level.
        width: Of the picture.
        height: Of the picture.
        theme: The level's look.
        tick: The moment: torches flicker.
        deep: Whether what is far moves slower than the camera.
    """
    parts = []
    for number, layer in enumerate(_scene(theme).layers):
        shift = (left // layer.slowness if deep else left) % layer.period
        moment = tick // _FLICKER % len(layer.moments)
        parts.append(_layer(theme, number, moment, shift, width, height))
    return np.concatenate(parts)
