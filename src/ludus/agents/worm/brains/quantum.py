"""Qubits as arrays: exact state vectors, the same with NumPy and JAX.

A state of n qubits is a complex array of n axes of length 2. Gradients are exact: JAX
differentiates the state vector, which gives what the parameter-shift rule would, without its
circuits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains.brain import Array, Library

__all__ = [
    "chances",
    "controlled",
    "cz",
    "expectations",
    "ground",
    "hadamard",
    "rotated",
    "rx",
    "ry",
    "rz",
]


def ground(lib: Library, qubits: int) -> Array:
    """Return the state in which every qubit is 0."""
    flat = lib.where(lib.arange(2**qubits) == 0, 1.0, 0.0)
    return flat.astype(lib.complex64).reshape((2,) * qubits)


def rx(lib: Library, angle: Array) -> Array:
    """Return the rotation about x."""
    c, s = lib.cos(angle / 2), lib.sin(angle / 2)
    return lib.stack([c, -1j * s, -1j * s, c]).reshape(2, 2)


def ry(lib: Library, angle: Array) -> Array:
    """Return the rotation about y."""
    c, s = lib.cos(angle / 2), lib.sin(angle / 2)
    return lib.stack([c, -s, s, c]).reshape(2, 2)


def rz(lib: Library, angle: Array) -> Array:
    """Return the rotation about z."""
    phase = lib.exp(-0.5j * angle)
    return lib.stack([phase, 0 * phase, 0 * phase, 1 / phase]).reshape(2, 2)


def hadamard(lib: Library) -> Array:
    """Return the Hadamard gate."""
    return lib.array([[1, 1], [1, -1]], dtype=lib.complex64) / 2**0.5


def rotated(lib: Library, state: Array, gate: Array, qubit: int) -> Array:
    """Return the state after a gate on one qubit."""
    return lib.turned(state, gate, qubit)


def cz(lib: Library, state: Array, pair: Sequence[int]) -> Array:
    """Return the state after a controlled Z on two qubits."""
    first, second = (
        lib.arange(2).reshape([-1 if k == q else 1 for k in range(state.ndim)]) for q in pair
    )
    return state * (1 - 2 * first * second)


def controlled(lib: Library, state: Array, gate: Array, control: int, target: int) -> Array:
    """Return the state after a gate on one qubit where another one is 1."""
    on = lib.arange(2).reshape([-1 if k == control else 1 for k in range(state.ndim)])
    return state * (1 - on) + rotated(lib, state, gate, target) * on


def chances(lib: Library, state: Array) -> Array:
    """Return the chance of each outcome, qubit 0 being the last digit."""
    return lib.transpose(state.real**2 + state.imag**2).reshape(-1)


def expectations(lib: Library, state: Array) -> Array:
    """Return X of every qubit, then Y, then Z, then ZZ of every pair."""
    flips, signs, pairs = _readings(state.ndim)
    psi = state.reshape(-1)
    chance = psi.real**2 + psi.imag**2
    crossed = psi.conj() * psi[flips]  # [qubit, outcome]
    x, y = crossed.real.sum(-1), (crossed.imag * signs).sum(-1)
    return lib.concatenate([x, y, signs @ chance, pairs @ chance]).astype(lib.float32)


@cache
def _readings(
    qubits: int,
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Return, for each qubit, outcomes with it flipped and its sign, and the signs of pairs."""
    outcomes = np.arange(2**qubits)
    bits = [qubits - 1 - q for q in range(qubits)]
    flips = np.array([outcomes ^ (1 << bit) for bit in bits])
    signs = np.array([1 - 2 * (outcomes >> bit & 1) for bit in bits], np.float32)
    pairs = np.array([signs[a] * signs[b] for a, b in combinations(range(qubits), 2)])
    return flips, signs, pairs.astype(np.float32)
