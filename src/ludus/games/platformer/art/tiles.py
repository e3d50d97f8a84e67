"""The drawn tiles: columns, chests, coins, cannons, platforms, and what a map reveals of them."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.games.platformer.art.bitmap import SIZE, Pixels, bitmap, overlay, repeat_row, tile, tint
from ludus.games.platformer.art.dress import PLATFORM_OVER_BACKGROUND
from ludus.games.platformer.art.elements import element_pictures
from ludus.games.platformer.art.map_tiles import COIN_CHEST
from ludus.games.platformer.art.terrain import terrain_pictures
from ludus.games.platformer.art.themes import THEMES, Theme

__all__ = ["PHASES", "REVEALED", "tile_pictures"]

PHASES = 4
"""Pictures in the cycle of a tile that moves."""

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
_SLOT = """
KKKKKKKK
KODDDDOK
KKKKKKKK
"""
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
REVEALED = {
    7: "coin", 8: "power", 11: "coin", 48: "life", 49: "coin", 50: "power", 51: "life",
    COIN_CHEST: "coin",
}  # fmt: skip
"""Tile code → what it holds."""
_FAINT: Mapping[Theme, tuple[str, float]] = {
    "overground": ("92a9b8", 0.25),
    "underground": ("2a3553", 0.45),
    "castle": ("3a1f20", 0.45),
}
"""Theme → the colour into which the posts behind the hero recede, and how far."""


def _ghost(icon: str) -> Pixels:
    """Return a hidden block as a map shows it: a pale dashed frame around what it holds."""
    dashes = "WW..WWW..WWW..WW"
    sides = ["W".ljust(SIZE - 1) + "W" if dash == "W" else "" for dash in dashes[1:-1]]
    frame = tile("\n".join([dashes, *sides, dashes]))
    content = tint(bitmap(_ICONS[icon]), "ffffff", 0.25, alpha=200)
    return overlay(tint(frame, "ffffff", 0.5, alpha=170), content, 4, 4)


def tile_pictures(
    theme: Theme = THEMES[0],
) -> tuple[dict[int, tuple[Pixels, ...]], dict[int, Pixels]]:
    """Return the pictures of the tile codes, and those that show on a map instead.

    A code has one picture, or ``PHASES`` of them that follow each other. Codes without a picture
    (the empty tile, hidden blocks) show nothing.
    """
    pillar, shaft = bitmap(_CAPITAL), bitmap(repeat_row(_SHAFT))
    coins = tuple(tile(_COINS[n]) for n in (0, 1, 2, 1))
    chests = tuple(tile(_CHEST, swaps) for swaps in _GLEAMS)
    posts = tint(tile(_POSTS), *_FAINT[theme])
    middle = tile(_PLATFORM)
    left = overlay(middle, bitmap(repeat_row("K", 10)))
    right = overlay(middle, bitmap(repeat_row("K", 10)), SIZE - 1)
    platforms = (overlay(left, bitmap(repeat_row("K", 10)), SIZE - 1), left, right, middle)
    pictures: dict[int, tuple[Pixels, ...]] = {
        3: (tile(_CANNON_HEAD),),
        4: (tile(_CANNON_NECK),),
        5: (tile(_CANNON_BODY),),
        8: chests,
        11: chests,
        COIN_CHEST: tuple(overlay(chest, bitmap(_SLOT), 4, 1) for chest in chests),
        14: (tile(_USED),),
        15: coins,
        18: (pillar[:, :SIZE],),
        19: (pillar[:, SIZE:],),
        20: (shaft[:, :SIZE],),
        21: (shaft[:, SIZE:],),
        39: (tile(_POLE_TOP),),
        40: (tile(repeat_row(_POLE)),),
        47: (posts,),
        52: (tile(_SLIM_CAPITAL),),
        53: (tile(repeat_row(_SLIM_SHAFT)),),
    }
    pictures |= terrain_pictures(theme) | element_pictures()
    for n, platform in enumerate(platforms):
        pictures[43 + n] = (platform,)
        pictures[PLATFORM_OVER_BACKGROUND + n] = (overlay(posts, platform),)
    revealed = {
        code: overlay(pictures[code][0], bitmap(_ICONS[icon]), 8, 8)
        if code in pictures
        else _ghost(icon)
        for code, icon in REVEALED.items()
    }
    return pictures, revealed
