"""A fixed random circuit of eight qubits whose expectations are read by a small network.

Idea: what is sensed is uploaded three times to two of eight qubits, each time followed by the same
kind of random rotations and entanglers; the expectations of X, Y and Z of every qubit and of ZZ of
every pair are 52 numbers that actor and critic (2 × 64) read. Only these learn.

Source: Fujii and Nakajima 2017.
Parameters: 15,429 learned; the circuit is drawn from a fixed seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains import quantum
from ludus.agents.worm.brains.brain import NUMPY, Array, Library, Weights
from ludus.agents.worm.brains.circuit import encoded
from ludus.agents.worm.brains.quantum_read_out import QuantumReadOut

__all__ = ["QuantumReservoir"]

Complex = NDArray[np.complex64]


@dataclass(frozen=True)
class QuantumReservoir(QuantumReadOut):
    """A random circuit with a trained read-out.

    Attributes:
        name: What tables call it.
        qubits: How many.
        depth: How often what is sensed is uploaded.
        wiring: What the random circuit is drawn from.
        hidden: The units of the read-out's hidden layers.
    """

    name: str = "quantum-reservoir"
    qubits: int = 8
    depth: int = 3
    wiring: int = 42
    hidden: tuple[int, ...] = (64, 64)

    def perceive(self, lib: Library, weights: Weights, features: Array) -> Array:
        """Return the expectations; they depend on nothing that learns."""
        psi = quantum.ground(lib, self.qubits)
        for mixing in _circuit(self.qubits, self.depth, self.wiring):
            for qubit in (0, 1):
                x, y = encoded(features, qubit)
                psi = quantum.rotated(lib, psi, quantum.rx(lib, x), qubit)
                psi = quantum.rotated(lib, psi, quantum.ry(lib, y), qubit)
            psi = (psi.reshape(-1) @ mixing).reshape((2,) * self.qubits)
        return quantum.expectations(lib, psi)


@cache
def _circuit(qubits: int, depth: int, wiring: int) -> tuple[Complex, ...]:
    """Return the transposed matrices of the random blocks."""
    random = np.random.default_rng(wiring)
    blocks = []
    for _ in range(depth):
        columns = np.eye(2**qubits, dtype=np.complex64).reshape((2,) * (2 * qubits))
        for qubit in range(qubits):
            for gate in (quantum.rx, quantum.ry, quantum.rz):
                turn = gate(NUMPY, random.uniform(-math.pi, math.pi))
                columns = quantum.rotated(NUMPY, columns, turn, qubit)
        for pair in combinations(range(qubits), 2):
            if random.random() < 2 / (qubits - 1):
                columns = quantum.cz(NUMPY, columns, pair)
        for qubit in range(qubits):
            turn = quantum.ry(NUMPY, random.uniform(-math.pi, math.pi))
            columns = quantum.rotated(NUMPY, columns, turn, qubit)
        blocks.append(columns.reshape(2**qubits, -1).T.astype(np.complex64))
    return tuple(blocks)
