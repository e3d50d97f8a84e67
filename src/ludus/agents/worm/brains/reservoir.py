"""An echo-state network: a fixed random pool whose ripples are read.

Idea: 50 units with fixed random connections (spectral radius 0.9) are stirred by what is sensed and
carry its echoes; only actor and critic (2 × 64), which read the pool, learn.

Source: Jaeger 2001.
Parameters on two features: 15,429 learned, 2,650 fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, critic, init_layers, layers, wide

__all__ = ["Reservoir"]


@dataclass(frozen=True)
class Reservoir(Plain):
    """A fixed recurrent pool with a trained read-out.

    Attributes:
        name: What tables call it.
        units: The size of the pool.
        radius: The largest absolute eigenvalue of its connections.
        leak: How much of its state is new in a step.
        hidden: The units of the read-out's hidden layers.
    """

    name: str = "reservoir"
    units: int = 50
    radius: float = 0.9
    leak: float = 0.5
    hidden: tuple[int, ...] = (64, 64)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return a pool that stays as it is, and a read-out."""
        pool = random.normal(size=(self.units, self.units))
        pool *= self.radius / np.abs(np.linalg.eigvals(pool)).max()
        weights = {
            "fixed.pool": pool.astype(np.float32),
            "fixed.sense": random.normal(size=(len(features), self.units)).astype(np.float32),
            "fixed.bias": random.uniform(-0.5, 0.5, self.units).astype(np.float32),
        }
        sizes = [self.units + len(features), *self.hidden]
        weights |= init_layers(random, "actor", [*sizes, actions])
        return weights | init_layers(random, "critic", [*sizes, 1])

    def start(self, features: int) -> State:
        """Begin with a still pool."""
        return {"pool": wide(self.units)}

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return what the read-out makes of pool and features."""
        stirred = features @ weights["fixed.sense"] + state["pool"] @ weights["fixed.pool"]
        pool = (1 - self.leak) * state["pool"] + self.leak * lib.tanh(
            stirred + weights["fixed.bias"]
        )
        read = lib.concatenate([pool, features])
        return layers(lib, weights, "actor", read), critic(lib, weights, read), {"pool": pool}
