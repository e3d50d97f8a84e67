"""A quantum circuit that cannot tell left from right: mirrored senses give mirrored actions.

Idea: qubits come in pairs, one for each side of the worm. Senses without a side (strengths,
levels) turn both qubits of a pair alike, senses with one (angles, differences from side to side)
turn them oppositely; all learned angles are shared by a pair, and entanglers are mirrored. So a
mirrored situation is the same state with each pair swapped, and the logits of left and right are
read from the two sides. What the circuit learns on one side it knows on the other.
Headings and moves in the dish's own directions count as senses without a side.

Sources: Meyer et al. 2023 (symmetric circuits); Jerbi et al. 2021 (policies).
Parameters on two features: 50 of the circuit; critic 1,185.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ludus.agents.worm.brains import quantum
from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, critic, init_layers

__all__ = ["Equivariant"]

SIDED = (".angle", ".lateral")
"""How the names of features end that change their sign in a mirror."""


@dataclass(frozen=True)
class Equivariant(Plain):
    """A mirror-symmetric circuit.

    Attributes:
        name: What tables call it.
        pairs: How many pairs of qubits.
        layers: How often what is sensed is uploaded.
        scale: What expectations are multiplied by at the beginning to be logits.
        critic: The units of the critic's hidden layers.
    """

    name: str = "equivariant"
    pairs: int = 2
    layers: int = 3
    scale: float = 2.0
    critic: tuple[int, ...] = (32, 32)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return angles, a read-out and a critic."""
        shape = (self.layers, self.pairs)
        sided = np.array([name.endswith(SIDED) for name in features], np.float32)
        weights: dict[str, Floats] = {
            "fixed.sided": sided,
            "sense": random.normal(0, math.pi / 2, (*shape, len(features))).astype(np.float32),
            "turns": random.normal(0, math.pi / 4, (*shape, 3)).astype(np.float32),
            "bonds": random.normal(0, math.pi / 4, (*shape, 2)).astype(np.float32),
            "side": np.full(self.pairs, self.scale, np.float32),
            "both": random.normal(0, self.scale / 2, (actions - 2, self.pairs)).astype(np.float32),
            "bias": np.zeros(actions - 2, np.float32),
        }
        return weights | init_layers(random, "critic", [len(features), *self.critic, 1], 1.0)

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return logits that swap left and right if what is sensed is mirrored."""
        sides = self.sides(lib, weights, features)
        left, right = (sides * weights["side"][:, None]).sum(0)
        rest = weights["both"] @ sides.sum(-1) + weights["bias"]
        logits = lib.concatenate([rest[:1], lib.stack([left, right]), rest[1:]])
        return logits, critic(lib, weights, features), state

    def sides(self, lib: Library, weights: Weights, features: Array) -> Array:
        """Return the expectation of Z of both qubits of each pair, left first."""
        signs, bonds = _signs(self.pairs)
        sided = weights["fixed.sided"]

        def turned(now: tuple[Array, Array]) -> tuple[Array, Array]:
            layer, psi = now
            sense, turns = weights["sense"][layer] * features, weights["turns"][layer]
            even, odd = (sense * (1 - sided)).sum(-1), (sense * sided).sum(-1)
            y = lib.stack([even + odd, even - odd], -1) + turns[:, 1:2]
            x, z = (lib.stack([turns[:, axis]] * 2, -1).reshape(-1) for axis in (0, 2))
            for gate in _gates(lib, x, y.reshape(-1), z):
                # each gate acts on the first qubit and puts it last
                psi = (gate @ psi.reshape(2, -1)).T.reshape(-1)
            phases = weights["bonds"][layer].reshape(-1) @ bonds
            return layer + 1, psi * lib.exp(-0.5j * phases)

        still = quantum.ground(lib, 2 * self.pairs).reshape(-1)
        psi = lib.loop(self.layers, turned, (lib.int32(0), still))[1]
        return (signs @ (psi.real**2 + psi.imag**2)).reshape(self.pairs, 2)


def _gates(lib: Library, x: Array, y: Array, z: Array) -> Array:
    """Return, for each qubit, the rotations about x, y and z one after the other."""
    cx, sx, cy, sy = lib.cos(x / 2), lib.sin(x / 2), lib.cos(y / 2), lib.sin(y / 2)
    back, on = lib.exp(-0.5j * z), lib.exp(0.5j * z)
    rows = [
        back * (cy * cx + 1j * sy * sx),
        back * (-sy * cx - 1j * cy * sx),
        on * (sy * cx - 1j * cy * sx),
        on * (cy * cx - 1j * sy * sx),
    ]
    return lib.stack(rows, -1).reshape(-1, 2, 2)


@cache
def _signs(pairs: int) -> tuple[Floats, Floats]:
    """Return the sign of Z of every qubit in each outcome, and those of each pair's two bonds.

    The first bond is between the sides of a pair, the second between each side and the same side
    of the next pair.
    """
    qubits = 2 * pairs
    outcomes = np.arange(2**qubits)
    signs = np.array([1 - 2 * (outcomes >> (qubits - 1 - q) & 1) for q in range(qubits)])
    bonds = []
    for pair in range(pairs):
        first, after = 2 * pair, 2 * ((pair + 1) % pairs)
        across = signs[first] * signs[after] + signs[first + 1] * signs[after + 1]
        bonds += [signs[first] * signs[first + 1], across if pairs > 1 else 0 * across]
    return signs.astype(np.float32), np.array(bonds, np.float32)
