"""A trained read-out of a fixed circuit: what quantum reservoirs and quantum echoes share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, critic, init_layers, layers

__all__ = ["QuantumReadOut"]


@dataclass(frozen=True)
class QuantumReadOut(Plain):
    """Actor and critic that read the expectations of a circuit, which does not learn.

    The expectations are those of X, Y and Z of every qubit and of ZZ of every pair. What the
    circuit is, ``perceive`` says.

    Attributes:
        name: What tables call it.
        qubits: How many.
        hidden: The units of the read-out's hidden layers.
    """

    name: str = "quantum-read-out"
    qubits: int = 8
    hidden: tuple[int, ...] = (64, 64)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return a read-out."""
        readings = 3 * self.qubits + math.comb(self.qubits, 2)
        weights = init_layers(random, "actor", [readings, *self.hidden, actions])
        return weights | init_layers(random, "critic", [readings, *self.hidden, 1])

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return what the read-out makes of the expectations."""
        return layers(lib, weights, "actor", features), critic(lib, weights, features), state
