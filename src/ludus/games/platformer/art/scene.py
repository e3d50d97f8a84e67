"""What a scene behind the tiles is made of: layers of pictures that repeat, and a backdrop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer.art.bitmap import Pixels

__all__ = ["Bands", "Item", "Layer", "Scene", "paint", "rgb"]

Item = tuple[str, int, int]
"""Name of a picture, and where its upper left corner is in a layer."""
Bands = tuple[tuple[int, tuple[str, ...], int], ...]
"""Bands of a backdrop from the top down: where one ends in pixels above the bottom of the picture,
its colours, and into how many shades these are blended."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Pictures at one depth.

    Attributes:
        slowness: Pixels that the camera moves while the layer moves one.
        period: Pixels after which its items come again.
        moments: Its items, in turn: more than one tuple of them makes it flicker.
        from_bottom: Whether y counts from the picture's bottom upwards.
        every: Pixels after which the items come again below, or 0 if they do not.
        margin: How far above the picture's bottom they no longer do.
    """

    slowness: int
    period: int
    moments: tuple[tuple[Item, ...], ...]
    from_bottom: bool = False
    every: int = 0
    margin: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that lies behind the tiles.

    Attributes:
        pictures: RGBA pictures of any size, by name.
        layers: From the farthest to the nearest.
        bands: What is behind them all.
    """

    pictures: Mapping[str, Pixels]
    layers: tuple[Layer, ...]
    bands: Bands


def rgb(hexadecimal: str) -> tuple[int, ...]:
    """Return the colour's red, green and blue."""
    return tuple(bytes.fromhex(hexadecimal))


def paint(pixels: Pixels, where: NDArray[np.bool_], hexadecimal: str, alpha: int = 255) -> None:
    """Give the pixels in question one colour."""
    pixels[where] = (*rgb(hexadecimal), alpha)
