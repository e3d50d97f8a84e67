"""A variational quantum circuit of two qubits whose four outcomes are the four actions.

Idea: both qubits start in equal superposition; in each of two layers what is sensed is added to
learned angles and both qubits are rotated about x, y and z, then entangled by a controlled Z. The
outcomes 00, 01, 10, 11 (qubit 0 last) are forward, left, right, stay. A small classical critic
helps in learning and is not asked in play.

Sources: Farhi and Neven 2018; Pérez-Salinas et al. 2020 (data uploaded again in each layer); Jerbi
et al. 2021 (policies). Gradients are exact, through the state vector.
Parameters on two features: 12 angles; critic 1,185.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains import quantum
from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, critic, init_layers

__all__ = ["FORAGING", "FORAGING_STEPS", "Circuit", "encoded"]

QUBITS = 2
LEAST = 1e-7

FORAGING = (
    *(-1.1523, 1.5485, -2.0532, 2.4878, -0.2630, -0.0124),  # layer 1: x, y, z of both qubits
    *(2.8862, -2.2219, -0.6912, 1.1926, 2.7821, -0.0887),
)
"""Angles for foraging, found by ``scripts/search_circuit.py``."""

FORAGING_STEPS = 2_323_041
"""How many steps of the world the search took."""


@dataclass(frozen=True)
class Circuit(Plain):
    """Two qubits.

    Attributes:
        name: What tables call it.
        layers: How often what is sensed is uploaded.
        spread: The deviation of the first angles.
        angles: Angles [layer][axis][qubit] to begin with instead of random ones.
        critic: The units of the critic's hidden layers; none for a circuit that does not learn.
    """

    name: str = "circuit"
    layers: int = 2
    spread: float = math.pi / 4
    angles: tuple[float, ...] = ()
    critic: tuple[int, ...] = (32, 32)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return angles and a critic."""
        shape = (self.layers, 3, QUBITS)
        drawn = random.normal(0, self.spread, shape)
        angles = np.array(self.angles).reshape(shape) if self.angles else drawn
        weights: dict[str, Floats] = {"angles": angles.astype(np.float32)}
        if self.critic:
            weights |= init_layers(random, "critic", [len(features), *self.critic, 1], 1.0)
        return weights

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return the logarithms of the outcomes' chances."""
        chances = self.chances(lib, weights["angles"], features)
        value = critic(lib, weights, features) if self.critic else lib.float32(0)
        return lib.log(chances + LEAST), value, state

    def chances(self, lib: Library, angles: Array, features: Array) -> Array:
        """Return the chance of each action."""
        psi = quantum.ground(lib, QUBITS)
        for qubit in range(QUBITS):
            psi = quantum.rotated(lib, psi, quantum.hadamard(lib), qubit)
        for layer in range(self.layers):
            for qubit in range(QUBITS):
                x, y = encoded(features, qubit)
                turns = angles[layer, :, qubit]
                psi = quantum.rotated(lib, psi, quantum.rx(lib, x + turns[0]), qubit)
                psi = quantum.rotated(lib, psi, quantum.ry(lib, y + turns[1]), qubit)
                psi = quantum.rotated(lib, psi, quantum.rz(lib, turns[2]), qubit)
            psi = quantum.cz(lib, psi, (0, 1))
        return quantum.chances(lib, psi)


def encoded(features: Array, qubit: int) -> tuple[Array, Array]:
    """Return the angles that a sense's strength and direction become.

    Qubit 0 has the first pair of features, qubit 1 the second if there are as many, else the first.
    """
    first = 2 * qubit if len(features) >= 2 * qubit + 2 else 0
    return features[first] * math.pi - math.pi / 2, features[first + 1] * math.pi / 2
