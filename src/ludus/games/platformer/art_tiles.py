"""The drawn tiles: earth, masonry, columns, chests, coins and what a map reveals of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludus.games.platformer.art_bitmap import Pixels, bitmap, over, tint

__all__ = [
    "GROUND",
    "PHASES",
    "PLATFORM_OVER_BACKGROUND",
    "REVEALED",
    "SIZE",
    "TUFTS",
    "TUFT_KINDS",
    "tile_pictures",
]

SIZE = 16
PHASES = 4
"""Pictures in the cycle of a tile that moves."""

# Codes that no level has: art_scenery.dress puts them where a tile's neighbours matter.
GROUND = 128
"""Ground with open sides: this plus 1 above, 2 left, 4 right, 8 below."""
PLATFORM_OVER_BACKGROUND = 144
"""Platform 43 + n with background under it: this plus n."""
TUFTS = 148
"""Something that grows on the grass: this plus 0 ... ``TUFT_KINDS`` - 1."""
TUFT_KINDS = 4

_EARTH = """
tttttttttttttttt
tttttttttdtttttt
tdtttttttttttTtt
tttTTttttttttttt
ttTTTttttttttttt
tttttttttdtttttt
ttttttttttttttdt
ttttdttttTtttttt
tttttttTTTTttttt
tttttttttttttttt
tdtttttttttttTTt
ttttTtttttdttttt
tttttttttttttttt
ttttttdttttttttt
tttttttttttTtttd
tTtttttttTTTtttt
"""
_GRASS = """
llgllllglllllgll
glllgllllglgllgl
ggglggglggggglgg
gGgggGggggGggggG
GhGgGhGggGhGgGhG
h.hGh.hGGhThGhTh
...h...hh...h...
"""
_BLOCK = """
jjjjjjjjjjjjjjjq
jJJJJJJJJJJJJJqq
jJJjJJJJJJJJJJqq
jJjJJJJJJJJJJJqq
jJJJJJJJJJJJqJqq
jJJJJJJJJJJJJJqq
jJJJJJqJJJJJJJqq
jJJJJJJJJJJJJJqq
jJJJJJJJJJjJJJqq
jJJJJJJJJJJJJJqq
jJqJJJJJJJJJJJqq
jJJJJJJJJJJJqJqq
jJJJJJJJJJJqJJqq
jJJJJJJJJJJJJJqq
jqqqqqqqqqqqqqqX
qqqqqqqqqqqqqqXX
"""
_BRICK = """
eeeeeeeFeeeeeeeF
eEEEEEEFeEEEEEEF
EEEEEEEFEEEEEEEF
FFFFFFFFFFFFFFFF
eeeFeeeeeeeFeeee
EEEFeEEEEEEFeEEE
EEEFEEEEEEEFEEEE
FFFFFFFFFFFFFFFF
eeeeeeeFeeeeeeeF
eEEEEEEFeEEEEEEF
EEEEEEEFEEEEEEEF
FFFFFFFFFFFFFFFF
eeeFeeeeeeeFeeee
EEEFeEEEEEEFeEEE
EEEFEEEEEEEFEEEE
FFFFFFFFFFFFFFFF
"""
_CHEST = """
KKKKKKKKKKKKKKKK
KzzzzzzzzzzzzzYK
KzKyyyyyyyyyyKYK
KzyyyyyYYyyyyyOK
KzyyyyYBBYyyyyOK
KzyyyYBccBYyyyOK
KzyyYBccbbBYyyOK
KzyYBccbbbbBYyOK
KzyYBbbbbbbBYyOK
KzyyYBbbbbBYyyOK
KzyyyYBbbBYyyyOK
KzyyyyYBBYyyyyOK
KzyyyyyYYyyyyyOK
KzKyyyyyyyyyyKOK
KYYOOOOOOOOOOOOK
KKKKKKKKKKKKKKKK
"""
_GLEAMS: tuple[Mapping[str, str], ...] = (
    {},
    {"B": "b", "b": "c", "c": "W"},
    {"b": "c"},
    {},
)
_USED = """
KKKKKKKKKKKKKKKK
KqqqqqqqqqqqqqTK
KqKTTTTTTTTTTKDK
KqTTTTTTTTTTTTDK
KqTTTTTDDTTTTTDK
KqTTTTDTTqTTTTDK
KqTTTDTTTTqTTTDK
KqTTDTTTTTTqTTDK
KqTTDTTTTTTqTTDK
KqTTTDTTTTqTTTDK
KqTTTTDTTqTTTTDK
KqTTTTTqqTTTTTDK
KqTTTTTTTTTTTTDK
KqKTTTTTTTTTTKDK
KTDDDDDDDDDDDDDK
KKKKKKKKKKKKKKKK
"""
_COINS = (
    """
................
.....KKKKKK.....
....KzzzzyyK....
...KzzyyyyyYK...
..KzyyyyyyyyYK..
..KzyOyyyyOyOK..
..KzyyOyyOyYOK..
..KyyyyOOyyYOK..
..KyyyyOOyyYOK..
..KyyyOyyOyYOK..
..KyyOyyyyOYOK..
..KyyyyyyyYYOK..
...KyyyyYYYOK...
....KYYYOOOK....
.....KKKKKK.....
................
""",
    """
................
......KKKK......
.....KzzyyK.....
....KzzyyyYK....
....KzyyyyYK....
....KzOyyOOK....
....KyyOOYOK....
....KyyOOYOK....
....KyyOOYOK....
....KyyOOYOK....
....KyOyyOOK....
....KyyyyYOK....
....KyyyYYOK....
.....KYYOOK.....
......KKKK......
................
""",
    """
................
.......KK.......
......KzYK......
......KzYK......
......KzYK......
......KyOK......
......KyOK......
......KyOK......
......KyOK......
......KyOK......
......KyOK......
......KyOK......
......KYOK......
......KYOK......
.......KK.......
................
""",
)
_CAPITAL = """
KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK
KWWWWWWWWWWWWWWWWWWWWWWWwwwwwxxK
KWwwwwwwwwwwwwwwwwwwwwwwwwxxxXXK
KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK
KWWWWKWWwwwwwwwwwwwwwwwwwwKxxxXK
KWKKKwKWwwwwwwwwwwwwwwwxxKxKKKXK
KWKwKwKKKKKKKKKKKKKKKKKKKKxKxKXK
KWKKwwKyyyyyyyyyyyyyyyYYYKxxKKXK
KWwwwwKOOOOOOOOOOOOOOOOOOKxxxxXK
.KKKKKKKKKKKKKKKKKKKKKKKKKKKKKK.
..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK.
..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK.
..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK.
..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK.
..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK.
..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK.
"""
_SHAFT = "..KWWxWWwxWwwxwwwxwwwxwwxxwxXXK."
_SLIM_CAPITAL = """
KKKKKKKKKKKKKKKK
KWWWWWWWWWwwwxxK
KWwwwwwwwwwxxXXK
KKKKKKKKKKKKKKKK
KWWKWWwwwwwwKxXK
KWKKKwwwwwxKKKXK
KWWKKKKKKKKKKxXK
KWwKyyyyyyYYKxXK
.KKKKKKKKKKKKKK.
..KWWxWwxwwxXK..
..KWWxWwxwwxXK..
..KWWxWwxwwxXK..
..KWWxWwxwwxXK..
..KWWxWwxwwxXK..
..KWWxWwxwwxXK..
..KWWxWwxwwxXK..
"""
_SLIM_SHAFT = "..KWWxWwxwwxXK.."
_CANNON_HEAD = """
KKKK........KKKK
KzYOKKKKKKKKzYOK
KzYOKiiiiaaKzYOK
KyYOKiaaaaaKyYOK
KyYOKiaaaaAKyYOK
KKKOKaaaaaAKyKKK
KKKOKaaKKaAKYKKK
KKKOKaKprKAKYKKK
KKKOKaKrRKAKYKKK
KKKOKaaKKaAKYKKK
KKKOKaaaaAAKOKKK
KyYOKaaaaAAKyYOK
KYYOKaaaAAAKYYOK
KYOOKAAAAAAKYOOK
KKKKKKKKKKKKKKKK
....KttttTTK....
"""
_CANNON_NECK = """
....KttttTTK....
...KKttttTTKK...
..KdtttttTTTTK..
..KttttttTTTTK..
..KKKKKKKKKKKK..
...KdttttTTTK...
...KttKKKKTTK...
...KtKyyYOKTK...
...KtKyYYOKTK...
...KtKYYOOKTK...
...KttKKKKTTK...
...KttttTTTTK...
..KKKKKKKKKKKK..
..KdtttttTTTTK..
.KdttttttTTTTTK.
.KKKKKKKKKKKKKK.
"""
_CANNON_BODY = """
.KjJJJJJJJJJJqK.
.KjJJJJJJJJJJqK.
.KjJJJqJJJJJJqK.
.KqqqqqqqqqqqXK.
.KjJJqjJJJJJqqK.
.KjJJqjJJJJJqqK.
.KjJJqjJJJJJqqK.
.KqqqqqqqqqqqXK.
.KjJJJJJqjJJJqK.
.KjJJJJJqjJJJqK.
.KjJJJJJqjJJJqK.
.KqqqqqqqqqqqXK.
.KjJJqjJJJJJqqK.
.KjJJqjJJJJJqqK.
.KjJJqjJJJJJqqK.
.KqqqqqqqqqqqXK.
"""
_POLE_TOP = """
................
......KKKK......
.....KzzyYK.....
....KzzyyyYK....
....KzyyyYOK....
....KyyyYYOK....
.....KYYOOK.....
......KKKK......
....KKKYOKKK....
....KzyyYYOK....
....KKKKKKKK....
......KtTK......
......KtTK......
......KtTK......
......KtTK......
......KtTK......
"""
_POLE = "......KtTK......"

_PLATFORM = """
KKKKKKKKKKKKKKKK
dddddddddddddddd
ttttttTtttttttTt
TTTTTTDTTTTTTTDT
KKKKKKKKKKKKKKKK
prrrWWwwprrrWWww
rrrRWwwxrrrRWwwx
rrrRWwwxrrrRWwwx
rrrRWwwxrrrRWwwx
KrRKKwxKKrRKKwxK
.KK..KK..KK..KK.
"""
_POSTS = """
.tT..........tT.
.tTT........TtT.
.tTTT......TTtT.
.tT.TT....TT.tT.
.tT..TT..TT..tT.
.tT...TTTT...tT.
.tT....TT....tT.
.tT....TT....tT.
.tT...TTTT...tT.
.tT..TT..TT..tT.
.tT.TT....TT.tT.
.tTTT......TTtT.
.tTT........TtT.
.tT..........tT.
tttttttttttttttt
TTTTTTTTTTTTTTTT
"""
_TUFTS = (
    """
.....l..........
..l..g..l...l...
...g.lg.g..lg...
...gggGlg..gG.l.
..Ggggggg.ggGGg.
""",
    """
....p...........
...pWp.....f....
....p.....fWf...
....g..l...f....
..lgg..gl.gg....
..GgGg.GgggGg...
""",
    """
...........l....
..l.......lg....
...g....l.gG....
..lgG..gG.gGg...
""",
    """
.....XX.........
....xwxX....XX..
...xwwxxX..xwxX.
..Xxxxxxxg.xxxX.
""",
)
_ICONS = {
    "coin": """
.KKKKK.
KyzzyYK
KzyOyOK
KyyOyOK
KyyOyOK
KYyyYOK
.KKKKK.
""",
    "power": """
.KKKKK.
KofoooK
KooofoK
KOOOOOK
.KKKKK.
.KWwxK.
.KKKKK.
""",
    "life": """
.KK.KK.
KvVKVVK
KvVVVRK
KVVVVRK
.KVVRK.
..KRK..
...K...
""",
}
REVEALED = {7: "coin", 8: "power", 11: "coin", 48: "life", 49: "coin", 50: "power", 51: "life"}
"""Tile code → what it holds."""


def _tile(text: str, swaps: Mapping[str, str] | None = None) -> Pixels:
    """Return a full tile; a text of fewer than 16 rows fills the top."""
    picture = bitmap(text, swaps)
    tile = np.zeros((SIZE, SIZE, 4), np.uint8)
    tile[: picture.shape[0], : picture.shape[1]] = picture
    return tile


def _grown(text: str) -> Pixels:
    """Return a full tile with the text's picture on its bottom."""
    picture = bitmap(text)
    return over(np.zeros((SIZE, SIZE, 4), np.uint8), picture, 0, SIZE - picture.shape[0])


def _rows(text: str, rows: int = SIZE) -> str:
    return "\n".join([text] * rows)


def _ground(sides: int) -> Pixels:
    tile = _tile(_EARTH)
    if sides & 2:
        tile = over(tile, bitmap(_rows("Dd")), 0, 0)
    if sides & 4:
        tile = over(tile, bitmap(_rows("TD")), SIZE - 2, 0)
    if sides & 8:
        tile = over(tile, bitmap("T" * SIZE + "\n" + "D" * SIZE), 0, SIZE - 2)
    if sides & 1:
        tile = over(tile, bitmap(_GRASS), 0, 0)
    return tile


def _ghost(icon: str) -> Pixels:
    """Return a hidden block as a map shows it: a pale dashed frame around what it holds."""
    dashes = "WW..WWW..WWW..WW"
    sides = ["W".ljust(SIZE - 1) + "W" if dash == "W" else "" for dash in dashes[1:-1]]
    frame = _tile("\n".join([dashes, *sides, dashes]))
    content = tint(bitmap(_ICONS[icon]), "ffffff", 0.25, alpha=200)
    return over(tint(frame, "ffffff", 0.5, alpha=170), content, 4, 4)


def tile_pictures() -> tuple[dict[int, tuple[Pixels, ...]], dict[int, Pixels]]:
    """Return the pictures of the tile codes, and those that show on a map instead.

    A code has one picture, or ``PHASES`` of them that follow each other. Codes without a picture
    (the empty tile, hidden blocks) show nothing.
    """
    pillar, shaft = bitmap(_CAPITAL), bitmap(_rows(_SHAFT))
    coins = tuple(_tile(_COINS[n]) for n in (0, 1, 2, 1))
    chests = tuple(_tile(_CHEST, swaps) for swaps in _GLEAMS)
    brick, posts = _tile(_BRICK), tint(_tile(_POSTS), "92a9b8", 0.25)
    middle = _tile(_PLATFORM)
    left = over(middle, bitmap(_rows("K", 10)))
    right = over(middle, bitmap(_rows("K", 10)), SIZE - 1)
    platforms = (over(left, bitmap(_rows("K", 10)), SIZE - 1), left, right, middle)
    pictures: dict[int, tuple[Pixels, ...]] = {
        1: (_ground(0),),
        2: (_tile(_BLOCK),),
        3: (_tile(_CANNON_HEAD),),
        4: (_tile(_CANNON_NECK),),
        5: (_tile(_CANNON_BODY),),
        8: chests,
        11: chests,
        14: (_tile(_USED),),
        15: coins,
        18: (pillar[:, :SIZE],),
        19: (pillar[:, SIZE:],),
        20: (shaft[:, :SIZE],),
        21: (shaft[:, SIZE:],),
        39: (_tile(_POLE_TOP),),
        40: (_tile(_rows(_POLE)),),
        47: (posts,),
        52: (_tile(_SLIM_CAPITAL),),
        53: (_tile(_rows(_SLIM_SHAFT)),),
    }
    pictures |= dict.fromkeys((6, 7, 50, 51), (brick,))
    pictures |= {GROUND + sides: (_ground(sides),) for sides in range(16)}
    for n, platform in enumerate(platforms):
        pictures[43 + n] = (platform,)
        pictures[PLATFORM_OVER_BACKGROUND + n] = (over(posts, platform),)
    pictures |= {TUFTS + n: (_grown(text),) for n, text in enumerate(_TUFTS)}
    revealed = {
        code: over(pictures[code][0], bitmap(_ICONS[icon]), 8, 8)
        if code in pictures
        else _ghost(icon)
        for code, icon in REVEALED.items()
    }
    return pictures, revealed
