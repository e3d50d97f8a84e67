"""Ground, bricks and blocks in every theme: meadow, cave, castle."""

from __future__ import annotations

from collections.abc import Mapping

from ludus.games.platformer.art.bitmap import SIZE, Pixels, bitmap, overlay, repeat_row, tile
from ludus.games.platformer.art.dress import GROUND, TUFTS
from ludus.games.platformer.art.themes import Theme

__all__ = ["terrain_pictures"]

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

_ROCK = """
2222222222322222
2112222222222222
2222223222222222
2222233222221122
2222222222222222
2222222233222232
2322222233322222
2222122222222222
2221122222222222
2222222222222332
3222222322222232
2222222222112222
2222332222222222
2222233222222222
2222222222222232
2222222223222222
"""
_ROCK_RIM = """
1101111110111011
1211111121111211
2222121222221222
2232222232222232
3343323343233243
.44.34..4.34..4.
"""
_ASHLAR = """
0111111111111114
1222222222222234
1222232222222234
1222222222222234
1222222222322234
1222222222222234
2333333333333334
4444444444444444
1111111401111111
2222223412222222
2222223412222322
2322223412222222
2222223412222222
2222223412232222
3333333423333333
4444444444444444
"""
_COPING = """
0000000000000000
0111111111111112
1222222222222223
2333333333333334
4444444444444444
"""
_CAVE_TUFTS = (
    """
.....c..........
....cWb.........
....cbb...c.....
..c.cbB..cWb....
.cWbcbBb.cbB.c..
.cbBbbBbBcbBcbB.
""",
    """
................
..KKKK..........
.KnnmmK...KK....
.KmmmMK..KnmK...
..KwxK...KKKK...
...wx.....wx....
...wx.....wx....
""",
    """
....1...........
....12..........
...122.....1....
...1223...122...
..112233..1223..
""",
    """
................
....11......1...
...1222...1122..
..122233.122233.
""",
)
_HALL_TUFTS = (
    """
...f............
...o............
...z.....f......
..Wwx....o......
..Wwx....z......
..Wwx...Wwx.....
..Wwx...Wwx.....
.Wwwxx.Wwwxx....
""",
    """
................
...0111.........
..011122..011...
..1222230122233.
""",
    """
...WWWw.........
..WWWWwx........
..WKWKwx..ww.ww.
..WWKWwxwwwwwwx.
...WxWx..ww.wx..
""",
    """
................
..............1.
..011......0112.
.0112233..112233
""",
)
_CAVE = {"0": "a9bbd0", "1": "7f92b0", "2": "5b6c8f", "3": "45537a", "4": "2e3859"}
_HALL = {"0": "d39a74", "1": "a3634d", "2": "7f463b", "3": "5f322f", "4": "3c1e22"}
_BRICKS: Mapping[Theme, Mapping[str, str]] = {
    "overground": {},
    "underground": {"e": "8fc0c9", "E": "5b8f9f", "F": "345a70"},
    "castle": {"e": "cfb49a", "E": "a0836f", "F": "604840"},
}
_BLOCKS: Mapping[Theme, Mapping[str, str]] = {
    "overground": {},
    "underground": {"j": "cbd5e2", "J": "9aa8bf", "q": "66738f", "X": "49536f"},
    "castle": {"j": "dcc3a4", "J": "b0917a", "q": "7a5d53", "X": "573f3c"},
}


def _add_edge(inside: Pixels, top: Pixels, light: str, shade: str, dark: str, sides: int) -> Pixels:
    """Return ground with edges on its open sides; a side is 1 above, 2 left, 4 right, 8 below."""
    colours = {"l": light, "s": shade, "d": dark}
    result = inside
    if sides & 2:
        result = overlay(result, bitmap(repeat_row("dl"), colours), 0, 0)
    if sides & 4:
        result = overlay(result, bitmap(repeat_row("sd"), colours), SIZE - 2, 0)
    if sides & 8:
        result = overlay(result, bitmap("s" * SIZE + "\n" + "d" * SIZE, colours), 0, SIZE - 2)
    if sides & 1:
        result = overlay(result, top)
    return result


def _ground(theme: Theme, sides: int) -> Pixels:
    if theme == "overground":
        return _add_edge(tile(_EARTH), bitmap(_GRASS), "d", "T", "D", sides)
    if theme == "underground":
        rim = bitmap(_ROCK_RIM, _CAVE)
        return _add_edge(tile(_ROCK, _CAVE), rim, _CAVE["1"], _CAVE["3"], _CAVE["4"], sides)
    coping = bitmap(_COPING, _HALL)
    return _add_edge(tile(_ASHLAR, _HALL), coping, _HALL["1"], _HALL["3"], _HALL["4"], sides)


def _tufts(theme: Theme) -> list[Pixels]:
    texts = {"overground": _TUFTS, "underground": _CAVE_TUFTS, "castle": _HALL_TUFTS}[theme]
    colours = {"overground": {}, "underground": _CAVE, "castle": _HALL}[theme]
    return [tile(text, colours, bottom=True) for text in texts]


def terrain_pictures(theme: Theme) -> dict[int, tuple[Pixels, ...]]:
    """Return the pictures of ground, bricks, blocks and what grows, by tile code."""
    pictures: dict[int, tuple[Pixels, ...]] = {
        GROUND + sides: (_ground(theme, sides),) for sides in range(16)
    }
    pictures |= {1: pictures[GROUND], 2: (tile(_BLOCK, _BLOCKS[theme]),)}
    pictures |= dict.fromkeys((6, 7, 50, 51), (tile(_BRICK, _BRICKS[theme]),))
    pictures |= {TUFTS + n: (tuft,) for n, tuft in enumerate(_tufts(theme))}
    return pictures
