"""The underground scene: a cave with stalactites, stalagmites and crystals that glow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.art.bitmap import Pixels, bitmap
from ludus.games.platformer.art.scene import Layer, Scene, paint

__all__ = ["cave"]

_WIDTH = 256  # pixels after which the rock repeats
_AIR, _SHADES = ("0f1529", "18213c", "24324f", "2d3f5e"), 20
_FAR, _FAR_LIT, _FAR_DARK = "1f2b48", "2a395a", "19233c"
_NEAR, _NEAR_LIT, _NEAR_DARK = "141c33", "1f2a48", "0e1526"
_FLOOR = ("182239", "141d32", "10172a")
_FOOT = 52  # the near rocks' foot, in pixels from the bottom of the picture

_HANGING = (
    ((10, 26, 9), (34, 40, 8), (61, 18, 10), (92, 50, 11), (120, 24, 8), (150, 34, 9),
     (178, 16, 10), (205, 44, 9), (233, 28, 10)),
    ((4, 20, 10), (47, 30, 9), (84, 12, 12), (128, 38, 10), (163, 16, 9), (190, 24, 8),
     (222, 14, 12)),
)  # fmt: skip
"""Stalactites, far and near: middle, length, half the width at the root."""
_STANDING = (
    ((18, 30, 10), (52, 16, 12), (79, 40, 9), (112, 20, 12), (140, 28, 9), (171, 14, 12),
     (199, 36, 10), (236, 18, 12)),
    ((30, 18, 12), (66, 10, 14), (101, 26, 10), (149, 12, 14), (186, 20, 11), (214, 28, 9),
     (245, 10, 12)),
)  # fmt: skip

_CRYSTALS = """
.......1........
......1W2.......
......122...1...
..1...122..1W2..
.1W2..123..122..
.122.11232.123..
.1232122321223..
..123122312233..
...12312232233..
....123223233...
"""
_CYAN = {"W": "c4f3ff", "1": "7fd6ee", "2": "3f97bf", "3": "26618c"}
_VIOLET = {"W": "f0d4ff", "1": "bf93e6", "2": "8156b0", "3": "503780"}
_STRATA = """
..........1111111111111.........................
....111111.............11111111.................
1111...........................1111111111.......
................1111111..................1111111
.........1111111.......1111111111...............
................................................
..............................111111111.........
.......111111111111.....111111.........111111...
"""


def _outline(spikes: tuple[tuple[int, int, int], ...], base: int) -> NDArray[np.float64]:
    """Return how far the rock reaches in every column."""
    x = np.arange(_WIDTH)
    turn = 2 * np.pi * x / _WIDTH
    reach: NDArray[np.float64] = np.rint(base + 2 * np.sin(3 * turn) + np.sin(7 * turn))
    for middle, length, half in spikes:
        away = abs((x - middle + _WIDTH // 2) % _WIDTH - _WIDTH // 2)
        spike = base + length * np.clip(1 - away / half, 0, 1) ** 1.4
        reach = np.maximum(reach, np.rint(spike))
    return reach


def _rock(
    spikes: tuple[tuple[int, int, int], ...], base: int, height: int, colours: tuple[str, str, str]
) -> Pixels:
    """Return a strip of rock that hangs from the top, lit from the left."""
    middle, lit, dark = colours
    reach = _outline(spikes, base)
    y = np.arange(height)[:, None]
    strip = np.zeros((height, _WIDTH, 4), np.uint8)
    body = y < reach
    paint(strip, body, middle)
    paint(strip, body & ~np.roll(body, 2, axis=1), lit)
    paint(strip, body & ~np.roll(body, -2, axis=1), dark)
    return strip


def _glow(crystals: Pixels, hexadecimal: str) -> Pixels:
    """Return crystals with the light that they shed on the rock behind."""
    size = 48
    y, x = np.mgrid[:size, :size]
    away = np.hypot(x - size / 2 + 0.5, (y - size / 2 + 0.5) * 1.15)
    picture = np.zeros((size, size, 4), np.uint8)
    for radius, alpha in ((23, 14), (16, 26), (10, 40)):
        paint(picture, away < radius, hexadecimal, alpha)
    opaque = crystals[..., 3] > 0
    top, left = size // 2 - 4, size // 2 - 8
    picture[top : top + len(crystals), left : left + 16][opaque] = crystals[opaque]
    return picture


def cave() -> Scene:
    """Return the scene of the underground."""
    far, near = (_FAR, _FAR_LIT, _FAR_DARK), (_NEAR, _NEAR_LIT, _NEAR_DARK)
    pictures = {
        "roof-far": _rock(_HANGING[0], 12, 64, far),
        "roof-near": _rock(_HANGING[1], 7, 64, near),
        "floor-far": _rock(_STANDING[0], 14, 64, far)[::-1],
        "floor-near": _rock(_STANDING[1], 10, 64, near)[::-1],
        "cyan": _glow(bitmap(_CRYSTALS, _CYAN), "62c8e8"),
        "violet": _glow(bitmap(_CRYSTALS, _VIOLET)[:, ::-1], "a877dc"),
        "strata": bitmap(_STRATA, {"1": "2a3856"}),
    }
    wall = (
        ("strata", 24, 88), ("strata", 150, 62), ("strata", 236, 124), ("strata", 330, 76),
        ("strata", 402, 116),
    )  # fmt: skip
    floor = (("cyan", 58, 96), ("violet", 234, 94), ("cyan", 400, 96))
    return Scene(
        pictures,
        (
            Layer(8, 480, (wall,), every=160, margin=_FOOT + 16),
            Layer(4, _WIDTH, ((("roof-far", 0, 0),),)),
            Layer(4, _WIDTH, ((("floor-far", 0, _FOOT + 64),),), from_bottom=True),
            Layer(2, _WIDTH, ((("roof-near", 0, 0),),)),
            Layer(2, 2 * _WIDTH, (floor,), from_bottom=True),
            Layer(2, _WIDTH, ((("floor-near", 0, _FOOT + 64),),), from_bottom=True),
        ),
        ((_FOOT, _AIR, _SHADES), (0, _FLOOR, len(_FLOOR))),
    )
