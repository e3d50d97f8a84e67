"""Closed-form continuous-time cells wired like a worm's circuit: sensory, inter, command, motor.

Idea: each of 32 units moves between two targets along a curve that solves a leaky neuron's equation
in closed form. The units form three layers with half of the connections between them missing, in
the manner of the worm's touch circuit; the four motor units, scaled, are the logits.

Sources: Hasani et al. 2022 (closed form); Lechner et al. 2020 (neural circuit policies).
Parameters on two features: 9,230, of which the wiring cuts 544.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, critic, init_dense, init_layers, wide

__all__ = ["Cfc"]

PARTS = ("target_a", "target_b", "pace", "onset")


@dataclass(frozen=True)
class Cfc(Plain):
    """A sparse circuit of continuous-time cells.

    Attributes:
        name: What tables call it.
        units: All units: four are motor, three fifths of the others inter, the rest command.
        sparsity: The share of connections between layers that are missing.
        wiring: What the wiring is drawn from.
        critic: The units of the critic's hidden layers.
    """

    name: str = "cfc"
    units: int = 32
    sparsity: float = 0.5
    wiring: int = 302
    critic: tuple[int, ...] = (64, 64)

    def sizes(self, actions: int = 4) -> tuple[int, int, int]:
        """Return the units of the three layers."""
        inter = -(-3 * (self.units - actions) // 5)
        return inter, self.units - actions - inter, actions

    def mask(self, layer: int, inputs: int) -> Floats:
        """Return which of a layer's inputs reach which of its units; its own state always does."""
        size = self.sizes()[layer]
        drawn = np.random.default_rng([self.wiring, layer, inputs]).random((inputs, size))
        order = np.argsort(np.argsort(drawn, axis=0), axis=0)  # every unit hears as many inputs
        connections = np.maximum(1, round((1 - self.sparsity) * inputs))
        return np.concatenate([order < connections, np.ones((size, size))]).astype(np.float32)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return weights for the three layers, their scale and the critic."""
        weights: dict[str, Floats] = {"scale": wide(1, 1.0)}
        inputs = len(features)
        for layer, size in enumerate(self.sizes(actions)):
            for part in PARTS:
                weights |= init_dense(random, f"{layer}.{part}", inputs + size, size, 1.0)
            inputs = size
        return weights | init_layers(random, "critic", [self.units, *self.critic, 1], 1.0)

    def start(self, features: int) -> State:
        """Begin at rest."""
        return {"h": wide(self.units)}

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return the motor units, scaled, and the value of the circuit's state."""
        after, x, at = [], features, 0
        for layer, size in enumerate(self.sizes()):
            layer_state = state["h"][at : at + size]
            x = _cell(lib, weights, layer, self.mask(layer, len(x)), x, layer_state)
            after.append(x)
            at += size
        h = lib.concatenate(after)
        return x * weights["scale"], critic(lib, weights, lib.frozen(h)), {"h": h}


def _cell(lib: Library, weights: Weights, layer: int, mask: Floats, x: Array, h: Array) -> Array:
    both = lib.concatenate([x, h])

    def part(name: str) -> Array:
        return both @ (weights[f"{layer}.{name}.w"] * mask) + weights[f"{layer}.{name}.b"]

    gate = lib.sigmoid(-part("pace") + part("onset"))
    return lib.tanh(part("target_a")) * gate + (1 - gate) * lib.tanh(part("target_b"))
