"""Ladders, keys, locks, levers, portcullises and moving slabs.

The three colours are gems of three shapes, so that they can be told apart by either: round rubies,
sapphires cut to a lozenge, square emeralds. In the texts ``1``, ``2`` and ``3`` are a gem's light,
its colour and its shade.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludus.games.platformer.art.bitmap import (
    SIZE,
    Pixels,
    bitmap,
    overlay,
    repeat_row,
    stack,
    tile,
    tint,
)
from ludus.games.platformer.art.dress import COLOURS, DOOR_FOOT, DOORWAY

__all__ = ["SLAB_HEIGHT", "TRACK", "element_pictures", "element_sprites"]

SLAB_HEIGHT = 9
"""Pixels from a moving platform's top to its lower edge."""
TRACK = 16
"""Pixels of a track that one picture shows."""

_LADDER, _LADDER_TOP, _KEY, _LOCK = 64, 65, 66, 69
_SWITCH, _SWITCH_PRESSED, _DOOR_CLOSED, _DOOR_OPEN = 72, 75, 78, 81

_HUES: tuple[Mapping[str, str], ...] = (
    {"1": "p", "2": "r", "3": "R"},
    {"1": "c", "2": "b", "3": "B"},
    {"1": "l", "2": "g", "3": "G"},
)
_GEMS = (
    """
..KKKK..
.K1112K.
K1W1222K
K112222K
K122223K
K222233K
.K2333K.
..KKKK..
""",
    """
...KK...
..K12K..
.K1122K.
K1W1223K
K112233K
.K2233K.
..K33K..
...KK...
""",
    """
.KKKKKK.
K111112K
K1W1223K
K112223K
K112223K
K122233K
K233333K
.KKKKKK.
""",
)
_KNOBS = (
    """
.KKKK.
K1112K
K1W23K
K1223K
K2333K
.KKKK.
""",
    """
..KK..
.K12K.
K1W23K
K1233K
.K33K.
..KK..
""",
    """
KKKKKK
K1112K
K1W23K
K1223K
K2333K
KKKKKK
""",
)
_HOLE = """
KK
KK
"""
_GOLD = {"W": "z", "1": "z", "2": "y", "3": "Y"}

_RUNGS = """
.KdTK......KdTK.
.KdTKKKKKKKKdTK.
.KdtddddddddtTK.
.KdtTTTTTTTTtTK.
.KdTKKKKKKKKdTK.
.KdTK......KdTK.
.KdTK......KdTK.
.KdTK......KdTK.
"""
_LANDING = """
KKKKKKKKKKKKKKKK
KddddddddddddttK
KtTttttttttttTTK
KKKKKKKKKKKKKKKK
.KdTK......KdTK.
"""
_SHANK = """
.....KK12KK.....
......K12K......
......K12KKK....
......K1222K....
......K12KKK....
......K1222K....
......K23KK.....
.......KK.......
"""
_GATE = """
KKKKKKKKKKKKKKKK
KzyyyyyyyyyyyYOK
KyKKKKKKKKKKKKOK
KyK1111111112KOK
KyK1222222223KOK
KyK1222222223KOK
KyK1222222223KOK
KyK1222222223KOK
KyK1222222223KOK
KyK1222222223KOK
KyK1222222223KOK
KYK1222222223KOK
KYK2333333333KOK
KYKKKKKKKKKKKKOK
KYOOOOOOOOOOOOOK
KKKKKKKKKKKKKKKK
"""
_KEYHOLE = """
.KK.
KKKK
.KK.
.KK.
"""
_LEVER_BASE = """
....KKKKKKKK....
..KKWWwwwwwxKK..
.KWw12222223xXK.
.KxxxxxxxxXXXXK.
.KKKKKKKKKKKKKK.
"""
_ARM = """
....KyYK........
....KzYK........
.....KyYK.......
.....KzYK.......
......KyYK......
......KyYK......
"""
_ARM_PRESSED = """
................
................
................
.........KyYK...
........KzYK....
.......KyYK.....
"""
_BARS = ".KiAK.KiAK.KiAK."
_BAND = """
KKKKKKKKKKKKKKKK
K11111111111112K
K12222222222223K
K23333333333333K
KKKKKKKKKKKKKKKK
"""
_SPIKES = """
.KiAK.KiAK.KiAK.
.KaAK.KaAK.KaAK.
..KK...KK...KK..
"""
_LINTEL = """
KKKKKKKKKKKKKKKK
K11111111111112K
K23333333333333K
KKKKKKKKKKKKKKKK
"""
_JAMBS = """
2..............2
2..............2
................
................
"""

_PLANKS = """
KKKKKKKKKKKKKKKK
zzyyyyyyyyyyyyyY
YYYYYYYYYYYYYYYO
KKKKKKKKKKKKKKKK
ddddddTKdddddddT
ttttttDKtttttttD
ttttTtDKttTttttD
TTTTTTDKTTTTTTTD
KKKKKKKKKKKKKKKK
"""
_CAP = """
.KKK
KzyK
KyYK
KyYK
KyzK
KyYK
KYOK
KOOK
.KKK
"""
_ICON_SHANK = """
..K12K..
..K12KK.
..K1223K
..K12KK.
..K1223K
...KKKK.
"""


def _clear() -> Pixels:
    return np.zeros((SIZE, SIZE, 4), np.uint8)


def _key(colour: int, shank: str, hues: Mapping[str, str]) -> Pixels:
    """Return a key, its bow cut like the gem."""
    bow = overlay(bitmap(_GEMS[colour], hues), bitmap(_HOLE), 3, 3)
    blade = bitmap(shank, hues)
    height, width = len(bow) - 1 + len(blade), blade.shape[1]
    bare = overlay(np.zeros((height, width, 4), np.uint8), blade, 0, len(bow) - 1)
    return overlay(bare, bow, width // 2 - 4, 0)


def _keys(colour: int) -> tuple[Pixels, ...]:
    """Return a key that hovers and gleams."""
    hue = _HUES[colour]
    bright = {"1": "W", "2": hue["1"], "3": hue["2"]}
    steady, gleaming = (
        overlay(_clear(), _key(colour, _SHANK, hues), 0, 1) for hues in (hue, bright)
    )
    lifted = np.roll(steady, -1, axis=0)
    return steady, gleaming, lifted, lifted


def _lock(colour: int) -> Pixels:
    plate = overlay(bitmap(_GEMS[colour], _GOLD), bitmap(_KEYHOLE), 2, 2)
    return overlay(tile(_GATE, _HUES[colour]), plate, 4, 4)


def _lever(colour: int, pressed: bool) -> Pixels:
    arm = overlay(_clear(), bitmap(_ARM_PRESSED if pressed else _ARM), 0, 5)
    base = overlay(arm, tile(_LEVER_BASE, _HUES[colour], bottom=True))
    left, top = (10, 3) if pressed else (1, 0)
    return overlay(base, bitmap(_KNOBS[colour], _HUES[colour]), left, top)


def _closed_door(colour: int) -> Pixels:
    band = overlay(tile(repeat_row(_BARS)), bitmap(_BAND, _HUES[colour]), 0, 5)
    return overlay(band, bitmap(_GEMS[colour], _HUES[colour]), 4, 4)


def _doorway(colour: int) -> Pixels:
    jambs = tile(stack(*[_JAMBS] * 4), _HUES[colour])
    return tint(jambs, "ffffff", 0.2, alpha=150)


def element_pictures() -> dict[int, tuple[Pixels, ...]]:
    """Return the pictures of the tile codes that only levels with elements have."""
    pictures: dict[int, tuple[Pixels, ...]] = {
        _LADDER: (tile(stack(_RUNGS, _RUNGS)),),
        _LADDER_TOP: (overlay(tile(stack(_RUNGS, _RUNGS)), bitmap(_LANDING)),),
    }
    for colour in range(COLOURS):
        door, doorway = _closed_door(colour), _doorway(colour)
        raised = overlay(doorway, bitmap(stack(_LINTEL, _SPIKES), _HUES[colour]))
        foot = door.copy()
        foot[-len(bitmap(_SPIKES)) :] = bitmap(_SPIKES)
        pictures |= {
            _KEY + colour: _keys(colour),
            _LOCK + colour: (_lock(colour),),
            _SWITCH + colour: (_lever(colour, False),),
            _SWITCH_PRESSED + colour: (_lever(colour, True),),
            _DOOR_CLOSED + colour: (door,),
            DOOR_FOOT + colour: (foot,),
            _DOOR_OPEN + colour: (raised,),
            DOORWAY + colour: (doorway,),
        }
    return pictures


def _dots(across: bool) -> Pixels:
    """Return a piece of a track, its line along the bottom or down the middle."""
    dots = np.zeros((2 if across else TRACK, SIZE, 4), np.uint8)
    for at in range(3, TRACK, 8):
        dots[(slice(None), slice(at, at + 2)) if across else (slice(at, at + 2), slice(7, 9))] = 255
    return tint(dots, "ffffff", 1.0, alpha=150)


def element_sprites() -> dict[str, Pixels]:
    """Return the pieces of moving platforms, their tracks, and the keys that the hero holds."""
    middle, cap = bitmap(_PLANKS), bitmap(_CAP)
    left = overlay(middle, cap)
    left[0, 0] = left[-1, 0] = 0
    right = overlay(middle, cap[:, ::-1], SIZE - cap.shape[1])
    right[0, -1] = right[-1, -1] = 0
    single = right.copy()
    single[:, : SIZE // 2] = left[:, : SIZE // 2]
    pictures = {
        "slab-single": single,
        "slab-left": left,
        "slab-middle": middle,
        "slab-right": right,
        "track-across": _dots(across=True),
        "track-down": _dots(across=False),
    }
    for colour in range(COLOURS):
        pictures[f"key-{colour}"] = _key(colour, _ICON_SHANK, _HUES[colour])
    return pictures
