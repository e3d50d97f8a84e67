"""The weights of actor and critic in one row of numbers, as native code lays them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["WeightRows"]

Floats = NDArray[np.float32]

KERNEL_WIDTH = 8
"""What a layer gives is filled up with zeros to a multiple of it."""


class _Layer(NamedTuple):
    """A layer's name, its sizes with and without what fills it up, and where it begins."""

    name: str
    inputs: int
    outputs: int
    wide_inputs: int
    wide_outputs: int
    at: int

    @property
    def end(self) -> int:
        return self.at + (self.wide_inputs + 1) * self.wide_outputs

    def view(self, row: Floats) -> Floats:
        """Return the part of a row that is this layer's: its matrix, and its bias as a last row."""
        return row[self.at : self.end].reshape(self.wide_inputs + 1, self.wide_outputs)


class WeightRows:
    """Turns a brain's weights into a row, and a row into weights.

    Args:
        features: How many numbers are sensed.
        hidden: The units of each hidden layer.
        actions: How many actions there are.
    """

    def __init__(self, features: int, hidden: Sequence[int], actions: int) -> None:
        self._layers: list[_Layer] = []
        for name, outputs in (("actor", actions), ("critic", 1)):
            self._add(name, [features, *hidden, outputs])
        self.size = self._layers[-1].end

    def _add(self, name: str, sizes: Sequence[int]) -> None:
        wide_inputs = sizes[0]
        for k, (inputs, outputs) in enumerate(pairwise(sizes)):
            wide = -(-outputs // KERNEL_WIDTH) * KERNEL_WIDTH
            at = self._layers[-1].end if self._layers else 0
            self._layers.append(_Layer(f"{name}.{k}", inputs, outputs, wide_inputs, wide, at))
            wide_inputs = wide

    def to_row(self, weights: Mapping[str, Any]) -> Floats:
        """Return weights by name as a row."""
        row = np.zeros(self.size, np.float32)
        for layer in self._layers:
            view = layer.view(row)
            view[: layer.inputs, : layer.outputs] = weights[f"{layer.name}.w"]
            view[-1, : layer.outputs] = weights[f"{layer.name}.b"]
        return row

    def from_row(self, row: Floats) -> dict[str, Floats]:
        """Return a row's weights by name."""
        weights: dict[str, Floats] = {}
        for layer in self._layers:
            view = layer.view(row)
            weights[f"{layer.name}.w"] = view[: layer.inputs, : layer.outputs].copy()
            weights[f"{layer.name}.b"] = view[-1, : layer.outputs].copy()
        return weights
