"""The networks of trained players, written once for NumPy and for whatever imitates it.

A network is a set of arrays by name. ``c0``, ``c1`` … are convolutions, ``w0``, ``w1`` … dense
layers, each with a bias of the same number; all are followed by a rectifier. ``head`` gives the
preferences for the actions and, as its last column, the value. The first convolution cuts the
picture into squares as wide as its stride, which costs little; kernels of others are two strides
wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["ONE", "count_layers", "cut_patches", "cut_squares", "forward", "probabilities"]

ONE = 64.0
"""What stands for 1 in the whole numbers that players see."""

WHITE = 255.0


def forward(
    arrays: Mapping[str, Any], observed: Any, strides: Sequence[int] = (), xp: Any = np
) -> Any:
    """Return preferences and values, the values as the last column.

    Args:
        arrays: The network.
        observed: Rows of fields, shape (n, fields), or pictures of two moments, shape
            (n, 2, side, side).
        strides: Those of the convolutions, none for fields.
        xp: NumPy, or a module with its functions.
    """
    if strides:
        hidden = _convolve(arrays, observed, strides, xp)
    else:
        hidden = observed.astype(np.float32) * np.float32(1 / ONE)
    for number in range(count_layers(arrays)):
        hidden = xp.maximum(hidden @ arrays[f"w{number}"] + arrays[f"b{number}"], 0)
    return hidden @ arrays["head"] + arrays["head_bias"]


def count_layers(arrays: Mapping[str, Any]) -> int:
    """Return how many dense layers there are below the head."""
    return sum(name[0] == "w" and name[1:].isdigit() for name in arrays)


def _convolve(arrays: Mapping[str, Any], observed: Any, strides: Sequence[int], xp: Any) -> Any:
    cut = cut_squares(xp.moveaxis(observed, 1, -1), strides[0]).astype(np.float32)
    hidden = xp.maximum(cut @ (arrays["c0"] * np.float32(1 / WHITE)) + arrays["cb0"], 0)
    for number, stride in enumerate(strides[1:], 1):
        flat = cut_patches(hidden, stride, xp) @ arrays[f"c{number}"] + arrays[f"cb{number}"]
        hidden = xp.maximum(flat, 0)
    return hidden.reshape(len(hidden), -1)


def cut_squares(images: Any, stride: int) -> Any:
    """Return the squares of images (n, side, side, depth), each as one row of numbers.

    What is left at the right and lower edge when the side is no multiple of the stride is cut off.
    """
    n, side, _, depth = images.shape
    count = side // stride
    cropped = images[:, : count * stride, : count * stride]
    cut = cropped.reshape(n, count, stride, count, stride, depth).transpose(0, 1, 3, 2, 4, 5)
    return cut.reshape(n, count, count, stride * stride * depth)


def cut_patches(images: Any, stride: int, xp: Any = np) -> Any:
    """Return patches, two strides wide and one apart, of images (n, side, side, depth)."""
    cells = cut_squares(images, stride)
    upper = xp.concatenate([cells[:, :-1, :-1], cells[:, :-1, 1:]], -1)
    lower = xp.concatenate([cells[:, 1:, :-1], cells[:, 1:, 1:]], -1)
    return xp.concatenate([upper, lower], -1)


def probabilities(preferences: Any) -> Any:
    """Return the probabilities of actions from their preferences."""
    likely = np.exp(preferences - preferences.max(-1, keepdims=True))
    return likely / likely.sum(-1, keepdims=True)
