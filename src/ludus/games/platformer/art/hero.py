"""The hero: a small gladiator in three forms, small, large and fire."""

from __future__ import annotations

from ludus.games.platformer.art.bitmap import Pixels, bitmap, stack, tint

__all__ = ["hero_pictures"]

_SMALL_HEAD = """
....KKKKKK......
..KKrrrrrrKK....
.KrrrppprrrrK...
.KrRKKKKKKKrK...
.KRKyzyyyyyKK...
.KRKyyyyyYYYK...
..KKYYYOOOOOOK..
...KYYSsKsKsK...
...KOYSsKsKsK...
....KOSsssssK...
"""
_SMALL_BODIES = {
    "stand": """
...KKKSSSSKK....
..KbbbbbbbBsK...
..KsBbbbbbBsK...
...KyyYYyyYK....
...KsSK.KsSK....
...KTTTKKTTTK...
""",
    "walk-0": """
...KKKSSSSKK....
.KsbbbbbbbBKK...
.KsKbbbbbbBssK..
..KKyyYYyyYKK...
..KsSSKKKsssK...
.KTTTK...KTTTK..
""",
    "walk-1": """
...KKKSSSSKK....
...KbbbbbbBK....
...KbbsSbbBK....
...KyysSyyYK....
....KsSsSKK.....
....KTTKTTTK....
""",
    "jump": """
...KKKSSSSKKsK..
..KbbbbbbbbbsK..
.KssbbbbbbBBK...
.KKKyyYYyyYKKK..
.KTTsSKKKsSTTK..
..KKKK...KKKK...
""",
    "slide": """
...KKKSSSSKKKK..
..KbbbbbbbbssSK.
..KbbbbbbbBBKK..
...KyyYYyyYKsSTK
....KsSKKsSsSTTK
...KTTTK.KKKKKK.
""",
    "lost": """
.KsKKKSSSSKKsK..
.KsbbbbbbbbbsK..
..KbbbbbbbBBK...
...KyyYYyyYK....
..KsSK...KsSK...
.KTTK.....KTTK..
""",
}
_LARGE_HEAD = """
.....KKKKKK.....
...KKrrrrrrKK...
..KrrrppppprrK..
.KrrRKKKKKKKrrK.
.KrRKyzzyyyyKrK.
.KRKyzyyyyyYYKK.
.KRKyyyyyYYYYYK.
.KRKYYYYOOOOOOOK
.KRKYYYSsKssKsK.
..KKYYOSsKssKsK.
...KOYOSssssssK.
...KKOOKSsSSsK..
"""
_LARGE_TORSOS = {
    "stand": """
....KKKKSSSKK...
...KbbbbbbbbBK..
..KsbcbbbbbbBsK.
..KsKcbbbbbBKsK.
..KsKbbbbbBBKsK.
..KSKyyYzyYYKSK.
...KKbBbBbBBKK..
...KwxwxwxwxwK..
""",
    "swing": """
....KKKKSSSKK...
..KKbbbbbbbbBK..
.KssbcbbbbbbBsK.
.KsKKcbbbbbBKssK
.KSKKbbbbbBBKKSK
..KKKyyYzyYYK.K.
...KKbBbBbBBKK..
...KwxwxwxwxwK..
""",
    "pass": """
....KKKKSSSKK...
....KbbbbbbbBK..
....KbcbKbbbBK..
....KbbKsKbBBK..
....KbbKsKbBBK..
....KyyKSKYYYK..
....KbBbKbBBKK..
....KwxwxwxwxK..
""",
    "jump": """
....KKKKSSSKKsK.
...KbbbbbbbbKssK
.KKsbcbbbbbbbsSK
KssKbcbbbbbBKKK.
KsKKbbbbbbBBK...
KKKKyyYzyYYYK...
...KbBbBbBbBBK..
..KwxwxwxwxwxwK.
""",
    "slide": """
....KKKKSSSKKKK.
...KbbbbbbbbKssK
..KbbcbbbbbbsSSK
..KbbcbbbbbBKKK.
...KbbbbbbBBKKK.
...KyyYzyYYsssSK
...KbBbBbBBBKKK.
...KwxwxwxwxwK..
""",
    "carry": """
....KKKKSSSKK...
...KbbbbbbbbBK..
...KbcbbbbbbBKKK
...KbcbbKKKKKssK
...KbbbKsssssssK
...KyyYKSSSSSSK.
...KKbBbKKKKKK..
...KwxwxwxwxwK..
""",
    "lost": """
.KsKKKKKSSSKKsK.
.KssbbbbbbbbssK.
..KsbcbbbbbbBK..
...KbcbbbbbBK...
....KbbbbbBBK...
....KyyYzyYYK...
...KKbBbBbBBKK..
...KwxwxwxwxwK..
""",
}
_LARGE_LEGS = {
    "stand": """
....KsSKKKsSK...
....KsSK.KsSK...
....KsSK.KsSK...
....KTTK.KTTK...
....KTTTKKTTTK..
....KKKKKKKKKK..
""",
    "stride": """
...KssSKKKssSK..
..KssSK..KKssSK.
.KTTSK.....KsSK.
.KTTK......KTTK.
.KKTTK.....KTTTK
...KK......KKKKK
""",
    "pass": """
.....KsSsSKK....
.....KsSsSK.....
.....KsSKTTK....
.....KTTKTTK....
.....KTTTKK.....
.....KKKKK......
""",
    "slide": """
...KssSKKKssSKK.
..KsSK...KKsSTTK
..KsSK.....KKTTK
..KTTK.......KK.
..KTTTK.........
..KKKKK.........
""",
    "jump": """
.KssSKKKKKssSK..
KTsSK....KKssSK.
KTTK.......KTTK.
.KTTK......KTTTK
..KK........KKK.
................
""",
}
_DUCK = """
.....KKKKKK.....
...KKrrrrrrKK...
..KrrrppppprrK..
.KrrRKKKKKKKrrK.
.KrRKyzzyyyyKrK.
.KRKyzyyyyyYYKK.
.KRKYYYYOOOOOOOK
..KKYYOSsKKKKKK.
..KKOYOSKKyyyYKK
.KbbKOOKKyzyyYYK
.KbbbbKKyzbbbYOK
.KsbbbbKyybyBYOK
KsSKyyYKyYbBBYOK
KsSwxwxKKYYYYOKK
KKTTKxwxKKOOOKK.
.KTTTKKKKKKKKK..
"""
_SMALL_CLIMB = """
......KKKK......
.....KrrrrK.....
....KKrprrKK....
...KzyKrrKyYK...
.KKzyyKrrKyYYK..
KsKyyyKrRKYYYK..
KsKyyyKrRKYYOK..
KsKYYYKRRKYOOK..
KssKKKKRRKKKK...
.KsbbbbRRbbBK...
..KbbbbbbbbBsK..
...KbbbbbbBBsK..
...KyyYYyyYKKK..
...KsSKKKsSK....
..KTTK..KsSK....
..KKKK..KTTK....
"""
_LARGE_CLIMB = """
......KKKK......
.....KrrrrK.....
....KKrprrKK....
...KzKrrrrKYK...
..KzyyKrrKyYYK..
..KyyyKrRKyYYK..
KKKyyyKrRKYYYK..
KsKyyyKrRKYYOK..
KsKYYYKrRKYYOK..
KsKYYYKrRKYOOK..
KsKOYYKRRKYOOK..
KssKKKKRRKKKK...
KSsbbbbRRbbbBK..
.KKbbcbbbbbbBsK.
...KbcbbbbbBKsK.
...KbbbbbbBBKsK.
...KbbbbbbBBKSK.
...KyyYYYyYYKK..
...KbBbBbBBBK...
..KwxwxwxwxwxK..
...KsSKKKKsSK...
...KsSK..KsSK...
..KTTK...KsSK...
..KTTK...KsSK...
..KKKK...KTTK...
.........KKKK...
"""
_POSES = {
    "stand": ("stand", "stand"),
    "walk-0": ("swing", "stride"),
    "walk-1": ("pass", "pass"),
    "jump": ("jump", "jump"),
    "lost": ("lost", "stride"),
    "slide": ("slide", "slide"),
    "carry-stand": ("carry", "stand"),
    "carry-walk-0": ("carry", "stride"),
    "carry-walk-1": ("carry", "pass"),
    "carry-jump": ("carry", "jump"),
}
"""Pose of the large hero → torso and legs."""

_FIRE = {"b": "r", "B": "R", "c": "p", "r": "o", "R": "r", "p": "f", "w": "z", "x": "y"}


def hero_pictures() -> dict[str, Pixels]:
    """Return the hero in all forms and poses by name, once as he is and once pale."""
    texts = {f"small-{pose}": stack(_SMALL_HEAD, body) for pose, body in _SMALL_BODIES.items()}
    for pose, (torso, legs) in _POSES.items():
        text = stack(_LARGE_HEAD, _LARGE_TORSOS[torso], _LARGE_LEGS[legs])
        texts |= {f"large-{pose}": text, f"fire-{pose}": text}
    texts |= {"large-duck": _DUCK, "fire-duck": _DUCK}
    texts |= {
        "small-climb": _SMALL_CLIMB,
        "large-climb": _LARGE_CLIMB,
        "fire-climb": _LARGE_CLIMB,
    }
    heroes = {
        name: bitmap(text, _FIRE if name.startswith("fire") else None)
        for name, text in texts.items()
    }
    return heroes | {f"{name}-pale": tint(heroes[name], "ffffff", 0.6) for name in heroes}
