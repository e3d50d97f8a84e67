"""The networks of learners: their first weights, and how native code lays them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.platformer.network import cut_patches, cut_squares
from ludus.games.platformer._native import SIGHT_SIDE
from ludus.learning.platformer.practice import BUTTONS, FIELDS
from ludus.learning.platformer.settings import Evolution, Ppo

__all__ = ["EPSILON", "Arrays", "Layout", "draw_orthogonal", "initial_network"]

Arrays = dict[str, Any]

Orthogonal = Callable[[tuple[int, int], float], Any]
"""Draws a matrix of a shape whose rows or columns are orthogonal and have some length."""

EPSILON = 1e-5  # of Adam
QUIET = 0.01  # the first preferences are nearly alike
LOUD = float(np.sqrt(2))  # what a rectifier halves
KERNEL_WIDTH = 8  # native rows are as wide as a multiple of it


def initial_network(
    draw: Orthogonal, settings: Ppo | Evolution, observe: str = "fields", xp: Any = np
) -> Arrays:
    """Return a network that knows nothing yet.

    Args:
        draw: Draws each of its matrices.
        settings: The sizes of its layers.
        observe: What it sees.
        xp: NumPy, or a module with its functions.
    """
    arrays: Arrays = {}
    for layer in Layout(settings, observe).layers[:-1]:
        arrays[layer.weights] = draw((layer.inputs, layer.width), LOUD)
        arrays[layer.bias] = xp.zeros(layer.width, np.float32)
    last = Layout(settings, observe).layers[-1]
    choice, value = draw((last.inputs, last.width - 1), QUIET), draw((last.inputs, 1), 1.0)
    arrays[last.weights] = xp.concatenate([choice, value], 1)
    arrays[last.bias] = xp.zeros(last.width, np.float32)
    return arrays


def draw_orthogonal(chance: np.random.Generator) -> Orthogonal:
    """Return what draws orthogonal matrices (Saxe et al. 2014)."""

    def draw(shape: tuple[int, int], scale: float) -> NDArray[np.float32]:
        high, low = max(shape), min(shape)
        matrix, signs = np.linalg.qr(chance.standard_normal((high, low)))
        matrix = matrix * np.sign(np.diag(signs))
        return (scale * (matrix if shape[0] == high else matrix.T)).astype(np.float32)

    return draw


@dataclass(frozen=True)
class _Layer:
    """A layer: its arrays' names, how many groups of numbers it reads, of which depth, its width.

    What the first layer reads is not filled up, so it has a depth of 1.
    """

    weights: str
    bias: str
    groups: int
    depth: int
    width: int

    @property
    def inputs(self) -> int:
        return self.groups * self.depth

    @property
    def native_shape(self) -> tuple[int, int, int]:
        depth = 1 if self.depth == 1 else _widen(self.depth)
        return self.groups, depth, _widen(self.width)

    @property
    def size(self) -> int:
        groups, depth, width = self.native_shape
        return groups * depth * width + width


class Layout:
    """How native code lays out the weights of a network: layer after layer, filled up with zeros.

    Args:
        settings: The sizes of its layers.
        observe: What it sees.
    """

    def __init__(self, settings: Ppo | Evolution, observe: str) -> None:
        self.layers = _list_layers(settings, observe)
        self._ends = list(accumulate(layer.size for layer in self.layers))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self._ends[-1]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of a network's arrays, by name."""
        weights = {layer.weights: (layer.inputs, layer.width) for layer in self.layers}
        biases = {layer.bias: (layer.width,) for layer in self.layers}
        return dict(sorted({**weights, **biases}.items()))

    def to_row(self, arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Return the arrays of a network in one row."""
        row = np.zeros(self.size, np.float32)
        for layer, weights, bias in self._split(row):
            given = np.asarray(arrays[layer.weights])
            weights[:, : layer.depth, : layer.width] = given.reshape(
                layer.groups, layer.depth, layer.width
            )
            bias[: layer.width] = arrays[layer.bias]
        return row

    def from_row(self, row: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """Return the arrays of a network from one row."""
        arrays = {}
        for layer, weights, bias in self._split(row):
            own = weights[:, : layer.depth, : layer.width]
            arrays[layer.weights] = own.reshape(layer.inputs, layer.width).copy()
            arrays[layer.bias] = bias[: layer.width].copy()
        return arrays

    def _split(self, row: NDArray[np.float32]) -> list[tuple[_Layer, Any, Any]]:
        """Return views of the row: of each layer's weights, and of its bias."""
        parts = zip(self.layers, np.split(row, self._ends[:-1]), strict=True)
        return [
            (layer, part[: -layer.native_shape[2]].reshape(layer.native_shape),
             part[-layer.native_shape[2] :])
            for layer, part in parts
        ]  # fmt: skip


def _widen(width: int) -> int:
    return -(-width // KERNEL_WIDTH) * KERNEL_WIDTH


def _list_layers(settings: Ppo | Evolution, observe: str) -> list[_Layer]:
    layers = _list_convolutions(settings) if settings.strides else []
    groups, depth = _count_outputs(settings) if settings.strides else (FIELDS[observe], 1)
    widths = (depth, *settings.hidden)
    for number, (inner, outer) in enumerate(pairwise(widths)):
        layers.append(_Layer(f"w{number}", f"b{number}", groups, inner, outer))
        groups = 1
    return [*layers, _Layer("head", "head_bias", groups, widths[-1], len(BUTTONS) + 1)]


def _list_convolutions(settings: Ppo | Evolution) -> list[_Layer]:
    layers, depth = [], 1
    image = np.zeros((1, SIGHT_SIDE, SIGHT_SIDE, 2), np.int8)
    for number, (width, stride) in enumerate(zip(settings.channels, settings.strides, strict=True)):
        cut = cut_patches(image, stride) if number else cut_squares(image, stride)
        layers.append(_Layer(f"c{number}", f"cb{number}", cut.shape[-1] // depth, depth, width))
        image, depth = np.zeros((*cut.shape[:-1], width), np.int8), width
    return layers


def _count_outputs(settings: Ppo | Evolution) -> tuple[int, int]:
    """Return how many places come out of the convolutions, and how deep."""
    side = SIGHT_SIDE // settings.strides[0]
    for stride in settings.strides[1:]:
        side = side // stride - 1
    return side * side, settings.channels[-1]
