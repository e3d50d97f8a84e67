"""The drawn figures: the hero, creatures, things and the standard at the exit.

Jelly blobs, snails, urchins and snapdragons stand in a gladiator's way. All look to the right.
Pictures are 16 wide, at most 32 high, and stand on their bottom row.
"""

from __future__ import annotations

import numpy as np

from ludus.games.platformer.art.bitmap import Pixels, bitmap, overlay, stack
from ludus.games.platformer.art.elements import element_sprites
from ludus.games.platformer.art.fallen import UPSIDE_DOWN, fallen_sprites, turn_over
from ludus.games.platformer.art.hero import hero_pictures

__all__ = ["HEIGHT", "WIDTH", "sprite_pictures"]

WIDTH, HEIGHT = 16, 32

_BLOB = """
.....KKKKKK.....
...KKnnnmmmKK...
..KnnWnmmmmmMK..
.KnnWnmmmmmmmMK.
.KnnnmKKmmKKmMK.
.KnmmmWKKKKWmMK.
.KnmmmWKmmKWmMK.
.KmmmmmmmmmmmMK.
.KmmmKWKKWKmmMK.
.KMmmmKKKKmmMMK.
..KMMmmmmmmMMK..
"""
_BLOB_FEET = {
    0: """
..KKMMMMMMMMKK..
.KVVVKKKKKKVVVK.
.KKKKK....KKKKK.
""",
    1: """
...KKMMMMMMKK...
...KVVVKKVVVK...
...KKKKK.KKKKK..
""",
}

_SNAIL = """
.........KK..KK.
........KWWKKWWK
........KWKKKWKK
.........KKK.KK.
..........KsKSK.
..........KsKSK.
....KKKKK.KssSK.
..KKrrrrrKKsssSK
.KrrpprrrrRKsKsK
.KrpprRRRrrRKsKK
KrpprRKKKRrRKssK
KrprRKrrrKRrKsSK
KrrrRKrRrRRrKsSK
KrrrRKKrRRrRKsSK
KRrrrRKKKrrRKsSK
.KRrrrrrrrRKssSK
.KKRRrrrrRKsssSK
.KsKKRRRRKssssK.
"""
_SNAIL_FEET = {
    0: """
KsssSKKKKsssSSK.
KSsSSKSsSSKSSK..
.KKKKKKKKKKKK...
""",
    1: """
.KsssKKKKsssSK..
KssSKSssSKsSSSK.
KKKKKKKKKKKKKK..
""",
}
_SHELL = """
....KKKKKKK.....
..KKpprrrrrKK...
.KpprrrrrrrrRK..
.KprrRRRRRrrrRK.
KprrRKKKKKRrrRK.
KprRKrrrrrKRrRRK
KrrRKrRRRrKRrrRK
KrrRKrRKKRRKrrRK
KrrrRKrKrRRKrRRK
KRrrrRKKKKKrrRRK
.KRrrrrrrrrrRRK.
.KKRRRRRRRRRRKK.
..KwwwwwwwwxxK..
...KKKKKKKKKK...
"""
_GREEN = {"p": "l", "r": "g", "R": "G"}

_URCHIN = """
.......KK.......
.......KWK......
..KK..KWwK..KK..
..KWK.KWwK.KWK..
..KWwKKBBKKwwK..
KKKwBBBbbBBBwKKK
KWWBBbcbbbBBBWWK
.KwBbcbbbbbBBwK.
..KBbbbbbbbbBK..
KKKBbyyKbyyKBKKK
KWwBbyKKbyKKBwWK
.KKBBbbbbbbBBKK.
..KBBBKKKKBBBK..
"""
_URCHIN_FEET = {
    0: """
...KKBBBBBBKK...
..KooK....KooK..
..KKKK....KKKK..
""",
    1: """
...KKBBBBBBKK...
....KooKKooK....
....KKKKKKKK....
""",
}

_SNAPDRAGON = {
    0: """
..KK........KK..
.KvVK......KVvK.
KvVVVK....KVVVvK
KvVVRWK..KWRVVVK
KvVVRK....KRVVVK
KvVVVRWK.KWRVVVK
.KvVVRRK.KRRVVK.
.KvVVVRRKRRVVVK.
..KVVVVRRRVVVK..
...KKVVVVVVKK...
..KllKKggKKllK..
.KlggggggggggGK.
..KKGGKggKGGKK..
....KKKlgKKK....
.......lG.......
......KlGK......
""",
    1: """
................
....KKK..KKK....
...KvVVKKVVvK...
..KvVVKWWKVVVK..
..KvVVKKKKVVVK..
.KvVVVKWWKVVVVK.
.KvVVVVKKVVVVVK.
.KvVVVVKKVVVVVK.
..KVVVVVVVVVVK..
...KKVVVVVVKK...
..KllKKggKKllK..
.KlggggggggggGK.
..KKGGKggKGGKK..
....KKKlgKKK....
.......lG.......
......KlGK......
""",
}
_STEM = """
......KlGK......
"""

_BOLT = """
........KK......
KKKK....KiKK....
KpprK...KiaaKK..
.KrrrKKKKiiaaaK.
.KKrrKddKKiiaaaK
.KdddddttTKiaaAK
.KKRRKTTKKaaAAAK
.KRRRKKKKaaAAAK.
KrRRK...KaAAKK..
KKKK....KAKK....
........KK......
"""

_WINGS = {
    0: """
..KKK...
.KWWWK..
KWWWWWK.
KWWwWWWK
KWwWWwWK
.KKWwWwK
..KWWwWK
...KKwwK
.....KKK
""",
    1: """
...KKKK.
.KKWWWWK
KWWWwWWK
KWwWWwWK
.KKWWwWK
...KKKK.
""",
}

_MUSHROOM = """
.....KKKKKK.....
...KKooooooKK...
..KooffoooooYK..
.KoofffooffooOK.
.KoooffooffooOK.
KooooooooooooYOK
KoffoooofffooYOK
KooooooofffooOOK
.KOOOOYYYYYOOOK.
..KKKKKKKKKKKK..
....KWWwwwxK....
....KWWwwwxK....
...KWWwwwwxxK...
...KWwwwwwxxK...
....KKKKKKKK....
"""
_LIFE = """
..KKKK....KKKK..
.KvvVVK..KVVVVK.
KvvvVVVKKVVVVVRK
KvvVVVVVVVVVVVRK
KvVVVVWWWWVVVVRK
KVVVVVWWWWVVVVRK
KVVVWWWWWWWWVVRK
.KVVWWWWWWWWVRK.
.KVVVVWWWWVVVRK.
..KVVVWWWWVVRK..
...KKVVVVVRKK...
....KKKKKKKK....
....KWWwwwxK....
...KWWwwwwxxK...
....KKKKKKKK....
"""
_FIRE_FLOWER = {
    0: """
.......KK.......
......KrK..K....
..K..KrrK.KrK...
.KrKKrrorKrrK...
.KrrKrooorroK...
.KroroofoooroK..
.KrooffffoorK...
.KroofzzfoorK...
..KroozzfoorK...
...KKroooKKK....
.....KKgK..KK...
..KKK.KgK.KlGK..
.KllGKKgKKlGK...
..KglGKgKgGK....
...KKgGgGKK.....
.....KKKK.......
""",
    1: """
........KK......
...K...KrK......
..KrK.KrrK.K....
..KrrKrorKKrK...
..KorrooorrrK...
.KrooofooroorK..
..KroofffoorK...
.KroofzzffoorK..
..KroozzfoorK...
...KKroooKKK....
.....KKgK..KK...
..KKK.KgK.KlGK..
.KllGKKgKKlGK...
..KglGKgKgGK....
...KKgGgGKK.....
.....KKKK.......
""",
}
_FIREBALL = {
    0: """
..KKKK..
.KroorK.
KroffrrK
KrofzfoK
KoffzfoK
KrooffrK
.KrrorK.
..KKKK..
""",
    1: """
..KKKK..
.KrrorK.
KrooffrK
KoffzfoK
KrofzfoK
KroffrrK
.KroorK.
..KKKK..
""",
}
_STANDARD = """
.KKKKKKKKKKKKKKK
KyYYyYYyYYyYYyYO
.KKKKKKKKKKKKKKK
..KrrrrrrrrrrrRK
..KrrrrzyyrrrrRK
..KrrryrrrYrrrRK
..KrryrrYrrYrrRK
..KrryrYYYrYrrRK
..KrryrrYrrYrrRK
..KrrryrrrYrrrRK
..KrrrryYYrrrrRK
..KrrrrrrrrrrrRK
..KyrKyrrKyrRKRK
..KYyKYyyKYyYKYK
...K.KK.KK.KK.K.
"""


_TURNED = (
    "blob-0", "wave-blob-0", "snail-red-0", "snail-green-0", "urchin-0", "snapdragon-0", "bolt",
    "shell-red", "shell-green",
)  # fmt: skip
"""Frames of what falls upside down once it was hit."""


def _standing(picture: Pixels) -> Pixels:
    """Return a full frame in which the picture stands in the middle of the bottom."""
    height, width = picture.shape[:2]
    frame = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    return overlay(frame, picture, (WIDTH - width) // 2, HEIGHT - height)


def sprite_pictures() -> dict[str, Pixels]:
    """Return every sprite frame, 32 × 16 RGBA, by its name."""
    pictures = hero_pictures() | element_sprites()
    for step in (0, 1):
        snail = stack(_SNAIL, _SNAIL_FEET[step])
        pictures |= {
            f"blob-{step}": bitmap(stack(_BLOB, _BLOB_FEET[step])),
            f"snail-red-{step}": bitmap(snail),
            f"snail-green-{step}": bitmap(snail, _GREEN),
            f"urchin-{step}": bitmap(stack(_URCHIN, _URCHIN_FEET[step])),
            f"snapdragon-{step}": bitmap(stack(_SNAPDRAGON[step], *[_STEM] * 12)),
            f"wings-{step}": bitmap(_WINGS[step]),
            f"fire-flower-{step}": bitmap(_FIRE_FLOWER[step]),
            f"fireball-{step}": bitmap(_FIREBALL[step]),
        }
    pictures |= {
        "bolt": bitmap(_BOLT),
        "shell-red": bitmap(_SHELL),
        "shell-green": bitmap(_SHELL, _GREEN),
        "mushroom": bitmap(_MUSHROOM),
        "life-mushroom": bitmap(_LIFE),
        "standard": bitmap(_STANDARD),
    }
    pictures |= fallen_sprites({step: stack(_BLOB, feet) for step, feet in _BLOB_FEET.items()})
    frames = {name: _standing(picture) for name, picture in pictures.items()}
    return frames | {f"{name}-{UPSIDE_DOWN}": turn_over(frames[name]) for name in _TURNED}
