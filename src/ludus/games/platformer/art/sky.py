"""The overground scene: hills with cypresses under a summer sky."""

from __future__ import annotations

import numpy as np

from ludus.games.platformer.art.bitmap import Pixels
from ludus.games.platformer.art.scene import Layer, Scene, paint

__all__ = ["sky"]

_HEIGHT = 32  # of hills and clouds
_SKY, _SHADES = ("59abe8", "a0d6f3", "def4ef"), 23
_FAR, _FAR_LIT = "a9cfdd", "b8d9e2"
_NEAR, _NEAR_LIT, _TREE = "93c9a9", "a4d4b0", "74b096"
_DEPTHS = ("8cc3a6", "82b9a3", "77ada0", "6b9f9b", "5e9094")
_CLOUD, _CLOUD_SHADE, _CLOUD_LOW = "ffffff", "eaf5fb", "d3e9f5"

_STRIP = 256  # pixels after which a range of hills repeats
_FAR_FOOT, _NEAR_FOOT = 66, 56  # in pixels from the bottom of the picture
_CLOUDS = (("a", 20, 29), ("b", 150, 69), ("b", 262, 15), ("a", 330, 55), ("b", 452, 37))
_SKY_WIDTH = 560
_PUFFS = {
    "a": (48, ((9, 22, 8), (21, 16, 11), (34, 20, 9), (40, 23, 7))),
    "b": (32, ((7, 24, 6), (16, 20, 8), (24, 23, 7))),
}
"""Cloud shape → width and its discs: x, y, radius."""
_CLOUD_FOOT = 27


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
    paint(strip, depth >= 0, colour)
    rising = np.gradient(ridge) > -0.12
    paint(strip, (depth >= 0) & (depth < 3) & rising[None, :], lit)
    return strip


def _plant(strip: Pixels, x: int, height: int) -> None:
    """Put a cypress on the ridge at x."""
    ridge = int(np.argmax(strip[:, x, 3] > 0))
    y, columns = np.mgrid[:_HEIGHT, :_STRIP]
    half = np.minimum(2, (y - (ridge - height)) // 2)
    tree = (y >= ridge - height) & (y < ridge + 2) & (abs(columns - x) <= half)
    paint(strip, tree, _TREE)


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
    paint(cloud, body, _CLOUD_SHADE)
    paint(cloud, body & (y > _CLOUD_FOOT - 2), _CLOUD_LOW)
    paint(cloud, body & lit & (y <= _CLOUD_FOOT - 2), _CLOUD)
    return cloud


def sky() -> Scene:
    """Return the scene of the open country."""
    far = _hills(((1, 7.0, 0.1), (3, 4.0, 0.4), (5, 1.5, 0.7)), 19, _FAR, _FAR_LIT)
    near = _hills(((2, 3.2, 0.3), (3, 2.0, 0.85), (7, 0.7, 0.2)), 17, _NEAR, _NEAR_LIT)
    for x, height in ((38, 9), (44, 7), (131, 8), (196, 10), (202, 8), (209, 6)):
        _plant(near, x, height)
    return Scene(
        {"far": far, "near": near, "a": _cloud("a"), "b": _cloud("b")},
        (
            Layer(8, _SKY_WIDTH, (_CLOUDS,)),
            Layer(4, _STRIP, ((("far", 0, _FAR_FOOT + _HEIGHT),),), from_bottom=True),
            Layer(2, _STRIP, ((("near", 0, _NEAR_FOOT + _HEIGHT),),), from_bottom=True),
        ),
        (
            (_FAR_FOOT, _SKY, _SHADES),
            (_NEAR_FOOT, (_FAR,), 1),
            (0, _DEPTHS, len(_DEPTHS)),
        ),
    )
