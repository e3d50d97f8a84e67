"""The scene of a castle: walls of old brick, pillars, banners, windows to the night, torches."""

from __future__ import annotations

import numpy as np

from ludus.games.platformer.art.bitmap import Pixels, bitmap, repeat_row, stack
from ludus.games.platformer.art.scene import Layer, Scene, paint, rgb

__all__ = ["castle"]

_WALL, _SHADES = ("1b0e13", "2a1519", "3a1e1e"), 12
_PLINTH = ("271316", "1f0f13")
_FOOT = 48  # height of the plinth along the wall's bottom
_HALL = 256  # pixels from one bay of the hall to the same bay again
_STOREY = 224

_COLOURS = {
    "1": "4c2a27", "2": "3d2020", "3": "2d1618", "4": "1f0f13",  # masonry
    "5": "1d2748", "6": "141b34", "7": "8fa3cf",  # the night
    "8": "7a2029", "9": "5a1722", "0": "9c6a2a",  # cloth
}  # fmt: skip

_PATCHES = (
    """
.....1111111.1111111....
.....222222242222222....
.....222222242222222....
.....444444444444444....
1111.1111111.1111111.111
2224222222242222222.....
2224222222242222222.....
4444444444444444444.....
.....1111111............
.....22222224...........
.....22222224...........
.....4444444............
""",
    """
........1111111.1111....
........22222224222.....
........22222224222.....
........44444444444.....
....1111111.1111111.....
....2222222422222224....
....2222222422222224....
....4444444444444444....
""",
)
_SHAFT = "4311222222233344"
_CAPITAL = """
4111111111111111111111111114
4122222222222222222222222334
.41222222222222222222222334.
..444444444444444444444444..
...4122222222222222222334...
....44444444444444444444....
"""
_ARCH = """
.........111111.........
......111222222111......
....1122244444422211....
...122244666666442223...
..12224666666666642223..
..12246665566665564223..
.1224666556666556664223.
.1224665566666556664223.
"""
_PANE = """
.1224655466665466664223.
.1224655466655466664223.
.1224654466655446664223.
.1224654466554466664223.
"""
_BAR = ".1224444444444444444223."
_SILL = """
.1224444444444444444223.
111111111111111111111111
122222222222222222222233
.4444444444444444444444.
"""
_BANNER_TOP = """
.44444444444444.
4000000000000004
.44444444444444.
"""
_BANNER = """
..888888888889..
..888888888889..
"""
_WREATH = """
..888880088889..
..888808808889..
..888080080889..
..888088880889..
..888080080889..
..888808808889..
..888880088889..
"""
_FRINGE = """
..888888888889..
..888888888889..
..888889888889..
..88889.988889..
..0000...00000..
"""
_BRACKET = """
.....KKKKKK.....
....KzyyyYOK....
.....KyYYOK.....
......KYOK......
......KtTK......
......KtTK......
......KtTK......
.....KKtTKK.....
.....KAtTAK.....
......KtTK......
.......KK.......
"""
_FLAMES = (
    """
........r.......
.......rr.......
......rro.r.....
......roorr.....
.....rroorr.....
.....roofor.....
....rroffor.....
....rooffoor....
....roffzfor....
.....offzzo.....
.....offzfo.....
""",
    """
.......r........
.......rr.......
.....r.orr......
.....rroor......
.....rroorr.....
.....rofoor.....
.....roffoorr...
....rooffoor....
....rofzffor....
.....ozzffo.....
.....ofzffo.....
""",
)


def _window() -> Pixels:
    panes = (_PANE, _PANE, _BAR, _PANE, _PANE, _BAR, _PANE, _PANE)
    return bitmap(stack(_ARCH, *panes, _SILL), _COLOURS)


def _banner() -> Pixels:
    text = stack(_BANNER_TOP, *[_BANNER] * 4, _WREATH, *[_BANNER] * 6, _FRINGE)
    return bitmap(text, _COLOURS)


def _light(radius: float) -> Pixels:
    """Return the light around a torch in rings."""
    size = 80
    y, x = np.mgrid[:size, :size]
    away = np.hypot(x - size / 2 + 0.5, y - size / 2 + 0.5)
    picture = np.zeros((size, size, 4), np.uint8)
    for share, alpha in ((1.0, 18), (0.72, 34), (0.46, 54), (0.26, 80)):
        paint(picture, away < radius * share, "ff9a3d", alpha)
    return picture


def _plinth() -> Pixels:
    """Return the strip along the wall's bottom: a moulding, then large stones."""
    strip = np.zeros((_FOOT, _HALL, 4), np.uint8)
    y, x = np.mgrid[:_FOOT, :_HALL]
    strip[...] = (*rgb(_COLOURS["3"]), 255)
    course = (y - 6) // 14
    joint = ((x + 16 * (course % 2)) % 32 == 31) | ((y - 6) % 14 == 13)
    lit = ((x + 16 * (course % 2)) % 32 == 0) | ((y - 6) % 14 == 0)
    paint(strip, lit, "351b1c")
    paint(strip, joint, _COLOURS["4"])
    for row, colour in enumerate(("1", "2", "2", "3", "4", "4")):
        strip[row] = (*rgb(_COLOURS[colour]), 255)
    return strip


def castle() -> Scene:
    """Return the scene of a castle's halls."""
    torches = {f"torch-{n}": bitmap(stack(flame, _BRACKET)) for n, flame in enumerate(_FLAMES)}
    pictures = torches | {
        "light-0": _light(38),
        "light-1": _light(35),
        "patch-0": bitmap(_PATCHES[0], _COLOURS),
        "patch-1": bitmap(_PATCHES[1], _COLOURS),
        "pillar": bitmap(repeat_row(_SHAFT, 32), _COLOURS),
        "capital": bitmap(_CAPITAL, _COLOURS),
        "window": _window(),
        "banner": _banner(),
        "plinth": _plinth(),
    }
    patches = (
        ("patch-0", 12, 34), ("patch-1", 98, 12), ("patch-0", 160, 108), ("patch-1", 238, 64),
        ("patch-0", 300, 20), ("patch-1", 52, 146), ("patch-1", 312, 150),
    )  # fmt: skip
    hall = (("window", 60, 52), ("banner", 192, 44))
    torch = tuple((("light-" + n, 8 - 40, 86 + 6 - 40), ("torch-" + n, 0, 86)) for n in "01")
    return Scene(
        pictures,
        (
            Layer(4, 360, (patches,), every=192),
            Layer(2, _HALL, (hall,), every=_STOREY, margin=_FOOT + 64),
            Layer(2, _HALL // 2, ((("pillar", 0, 0),),), every=32),
            Layer(2, _HALL // 2, ((("capital", -6, 0),),)),
            Layer(2, _HALL // 2, torch, every=_STOREY, margin=_FOOT + 64),
            Layer(2, _HALL, ((("plinth", 0, _FOOT),),), from_bottom=True),
        ),
        ((_FOOT, _WALL, _SHADES), (0, _PLINTH, 2)),
    )
