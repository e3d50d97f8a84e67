"""Layers that several brains are built of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains.brain import Array, Library, Weights

__all__ = [
    "critic",
    "dense",
    "init_dense",
    "init_layers",
    "layers",
    "normed",
    "orthogonal",
    "wide",
]

Floats = NDArray[np.float32]


def orthogonal(random: np.random.Generator, inputs: int, outputs: int, gain: float) -> Floats:
    """Return a matrix whose shorter side is orthonormal, times ``gain`` (Saxe et al. 2014)."""
    tall = random.normal(size=(max(inputs, outputs), min(inputs, outputs)))
    q, r = np.linalg.qr(tall)
    q = q * np.sign(np.diag(r))
    return np.asarray(gain * (q if inputs >= outputs else q.T), np.float32)


def init_dense(
    random: np.random.Generator, name: str, inputs: int, outputs: int, gain: float = 2**0.5
) -> dict[str, Floats]:
    """Return the weights of one layer: an orthogonal matrix and no bias."""
    return {
        f"{name}.w": orthogonal(random, inputs, outputs, gain),
        f"{name}.b": np.zeros(outputs, np.float32),
    }


def init_layers(
    random: np.random.Generator, name: str, sizes: Sequence[int], last_gain: float = 2**0.5
) -> dict[str, Floats]:
    """Return the weights of layers with these sizes, the inputs' first."""
    weights: dict[str, Floats] = {}
    for k, (inputs, outputs) in enumerate(pairwise(sizes)):
        gain = last_gain if k == len(sizes) - 2 else 2**0.5
        weights |= init_dense(random, f"{name}.{k}", inputs, outputs, gain)
    return weights


def dense(weights: Weights, name: str, x: Array) -> Array:
    """Return the output of one layer."""
    return x @ weights[f"{name}.w"] + weights[f"{name}.b"]


def layers(lib: Library, weights: Weights, name: str, x: Array) -> Array:
    """Return the output of layers with a rectifier between each two."""
    k = 0
    while f"{name}.{k + 1}.w" in weights:
        x = lib.maximum(dense(weights, f"{name}.{k}", x), 0)
        k += 1
    return dense(weights, f"{name}.{k}", x)


def critic(lib: Library, weights: Weights, x: Array) -> Array:
    """Return the value that the layers called ``critic`` see in ``x``."""
    return layers(lib, weights, "critic", x)[..., 0]


def normed(lib: Library, weights: Weights, name: str, x: Array) -> Array:
    """Return ``x`` with mean 0 and variance 1, then scaled and shifted as learned."""
    mean = x.mean(-1, keepdims=True)
    spread = lib.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)
    return (x - mean) / spread * weights[f"{name}.scale"] + weights[f"{name}.shift"]


def wide(size: int, value: float = 0.0) -> Floats:
    """Return so many numbers, all alike."""
    return np.full(size, value, np.float32)
