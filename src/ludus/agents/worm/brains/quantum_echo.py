"""Quantum echoes: an entangling map is played forward, kicked, and played back.

Idea: what is sensed turns each of eight qubits, a ring of fixed controlled rotations entangles
them, twice over. Then one qubit is kicked and the whole map is undone. Without the kick all qubits
would be back at 0; what differs is the echo, and how far the kick has spread depends on what is
sensed. Its 52 expectations are read by actor and critic (3 × 128), which alone learn. With
``--set echo=false`` the map is not undone: the reference's entangled feature map.

Sources: Havlíček et al. 2019 (feature maps); Swingle et al. 2016 (echoes of scrambling).
Parameters: 80,261 learned; the ring is drawn from a fixed seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains import quantum
from ludus.agents.worm.brains.brain import NUMPY, Array, Library, Weights
from ludus.agents.worm.brains.quantum_read_out import QuantumReadOut

__all__ = ["QuantumEcho"]

Complex = NDArray[np.complex64]


@dataclass(frozen=True)
class QuantumEcho(QuantumReadOut):
    """A fixed entangling map with a trained read-out of its echo.

    Attributes:
        name: What tables call it.
        qubits: How many.
        depth: How often what is sensed is uploaded.
        kick: The angle by which qubit 0 is turned about x before the way back.
        echo: Whether there is a way back.
        wiring: What the ring's angles are drawn from.
        hidden: The units of the read-out's hidden layers.
    """

    name: str = "quantum-echo"
    qubits: int = 8
    depth: int = 2
    kick: float = math.pi / 2
    echo: bool = True
    wiring: int = 7
    hidden: tuple[int, ...] = (128, 128, 128)

    def perceive(self, lib: Library, weights: Weights, features: Array) -> Array:
        """Return the expectations; they depend on nothing that learns."""
        ring = _ring(self.qubits, self.wiring)
        psi = quantum.ground(lib, self.qubits)
        for _ in range(self.depth):
            psi = self._upload(lib, psi, features, 1)
            psi = (psi.reshape(-1) @ ring).reshape((2,) * self.qubits)
        if self.echo:
            psi = quantum.rotated(lib, psi, quantum.rx(lib, lib.float32(self.kick)), 0)
            for _ in range(self.depth):
                psi = (psi.reshape(-1) @ ring.conj().T).reshape((2,) * self.qubits)
                psi = self._upload(lib, psi, features, -1)
        return quantum.expectations(lib, psi)

    def _upload(self, lib: Library, psi: Array, features: Array, sign: int) -> Array:
        """Return the state with each qubit turned by a feature; a second round goes further."""
        for qubit in range(self.qubits):
            turn = sign * (1 + qubit // len(features)) * math.pi / 2
            gate = quantum.ry(lib, turn * features[qubit % len(features)])
            psi = quantum.rotated(lib, psi, gate, qubit)
        return psi


@cache
def _ring(qubits: int, wiring: int) -> Complex:
    """Return the transposed matrix of the controlled rotations from each qubit to the next."""
    random = np.random.default_rng(wiring)
    columns = np.eye(2**qubits, dtype=np.complex64).reshape((2,) * (2 * qubits))
    for qubit in range(qubits):
        for gate in (quantum.ry, quantum.rz):
            turn = gate(NUMPY, random.uniform(-math.pi, math.pi))
            columns = quantum.controlled(NUMPY, columns, turn, qubit, (qubit + 1) % qubits)
    return columns.reshape(2**qubits, -1).T.astype(np.complex64)
