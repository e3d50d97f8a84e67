"""What only the engines of 2009 and 2010 have: fallen creatures, the princess, poisonous mushrooms.

A stomped creature lies flat for a moment; one that was hit falls out of the picture upside down.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ludus.games.platformer.art.bitmap import Pixels, bitmap

__all__ = ["UPSIDE_DOWN", "fallen_sprites", "turn_over"]

_FLAT_BLOB = """
....KKKKKKKK....
.KKKnnmmmmmmKKK.
KnnWnmmmmmmmmmMK
KnmKWKKmmKWKKmMK
KMmmmmKKKKmmmMMK
.KKVVVKKKKVVVKK.
...KKK....KKK...
"""
_FLAT_SNAIL = """
...........KK...
....KKK...KWWK..
..KKsssKKKKsKK..
.KsssssssssssSK.
KSSssSSSssSSSSSK
.KKKKKKKKKKKKKK.
"""
_PRINCESS = {
    0: """
......KyK.......
...K.KyYyK.K....
...KyKyyyKyK....
...KzyyzyyYK....
..KKKKKKKKKKK...
.KTTdtttttTTTK..
.KTtKssssssTTK..
KTtKsKssKssKTTK.
KTtKsKssKssKTDK.
KTtKvssssvsKTDK.
KTTKKsVVsKKTTDK.
KTTTKKssKKTTTDK.
.KTKvvvvvvKTDK..
..KvvVvvvVvvK...
.KsKvvWWvvKsK...
.KsKVvvvvVKsK...
.KSKyyYYyyKSK...
..KKvvvvvvKK....
...KvvvVvvK.....
..KvvvvVvvVK....
..KvvvVvvvVK....
.KvvvvVvvvvVK...
.KvvVvvvVvvVK...
KvvvVvvvVvvvVK..
KWwWwWwWwWwWxK..
.KKKKKKKKKKKK...
""",
    1: """
......KyK.......
...K.KyYyK.K....
...KyKyyyKyK....
...KzyyzyyYK....
..KKKKKKKKKKK...
.KTTdtttttTTTK..
.KTtKssssssTTK..
KTtKsssssssKTTK.
KTtKKKssKKsKTDK.
KTtKvssssvsKTDKK
KTTKKsVVsKKTTKsK
KTTTKKssKKTTTKsK
.KTKvvvvvvKTKsSK
..KvvVvvvVvvKSK.
.KsKvvWWvvKKsK..
.KsKVvvvvVK.K...
.KSKyyYYyyK.....
..KKvvvvvvK.....
...KvvvVvvK.....
..KvvvvVvvVK....
..KvvvVvvvVK....
.KvvvvVvvvvVK...
.KvvVvvvVvvVK...
KvvvVvvvVvvvVK..
KWwWwWwWwWwWxK..
.KKKKKKKKKKKK...
""",
}
_POISON = """
.....KKKKKK.....
...KKggggggKK...
..KgglggggggGK..
.KgllKKggKKggGK.
.KglKWWKKWWKgGK.
KgggKWKKKWKKgGhK
KglggKKggKKggGhK
KggggggggggggGhK
.KGKGKGGGGKGKGK.
..KKKKKKKKKKKK..
....KWWwwwxK....
....KWKwKwxK....
...KWWwwwwxxK...
...KWwwwwwxxK...
....KKKKKKKK....
"""
_SLIPPER = {"n": "c", "m": "b", "M": "B", "V": "v"}
"""Letters of a blob → those of the blob that swims on waves."""

UPSIDE_DOWN = "over"
"""Ends the names of frames that are upside down."""


def fallen_sprites(blobs: Mapping[int, str]) -> dict[str, Pixels]:
    """Return the pictures by name.

    Args:
        blobs: The text of a blob's picture at each step.
    """
    return {
        "blob-flat": bitmap(_FLAT_BLOB),
        "wave-blob-flat": bitmap(_FLAT_BLOB, _SLIPPER),
        "snail-flat": bitmap(_FLAT_SNAIL),
        "poison-mushroom": bitmap(_POISON),
        **{f"princess-{step}": bitmap(text) for step, text in _PRINCESS.items()},
        **{f"wave-blob-{step}": bitmap(text, _SLIPPER) for step, text in blobs.items()},
    }


def turn_over(picture: Pixels) -> Pixels:
    """Return a frame upside down: what was on its feet stands on its head."""
    rows = np.flatnonzero(picture[..., 3].any(axis=1))
    turned = np.zeros_like(picture)
    if len(rows):
        figure = picture[rows[0] : rows[-1] + 1]
        turned[len(picture) - len(figure) :] = figure[::-1]
    return turned
