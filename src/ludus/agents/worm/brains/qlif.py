"""Spiking neurons that are qubits.

Idea: a neuron is a qubit, turned about y by a learned angle plus what it hears, then about x by
what it still remembers of its last spike; its chance to be found in 1 is its firing rate, ``(1 −
cos(y) cos(x)) / 2``. Six sensory rates drive eight hidden and four motor neurons for ten ticks; the
motor neurons' mean rates are the logits. No surrogate is needed: the chance is smooth.

Source: Brand and Petruccione 2024 (quantum leaky integrate-and-fire).
Parameters on two features: 92.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, wide

__all__ = ["Qlif"]

RATES = 3  # of each feature: itself, and both its sides


@dataclass(frozen=True)
class Qlif(Plain):
    """Two layers of qubit neurons.

    Attributes:
        name: What tables call it.
        hidden: How many hidden neurons.
        ticks: How long they are run.
        memory: How much of the last rate a neuron remembers.
        scale: What rates are multiplied by to be logits.
    """

    name: str = "qlif"
    hidden: int = 8
    ticks: int = 10
    memory: float = 0.9
    scale: float = 5.0

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return weights of neurons that fire at half their rate."""
        rates = RATES * len(features)
        return {
            "first.w": random.normal(size=(rates, self.hidden)).astype(np.float32),
            "first.b": wide(self.hidden, math.pi / 2),
            "second.w": random.normal(size=(self.hidden, actions)).astype(np.float32),
            "second.b": wide(actions, math.pi / 2),
        }

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return the motor neurons' mean rates, scaled."""
        return self.reflex(lib, weights, features), lib.float32(0), state

    def reflex(self, lib: Library, weights: Weights, features: Array) -> Array:
        """Return a logit for each action."""
        rates = lib.concatenate([features, lib.maximum(features, 0), lib.maximum(-features, 0)])

        def tick(now: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            hidden, motor, total = now
            hidden = self._fired(lib, weights, "first", rates, hidden)
            motor = self._fired(lib, weights, "second", hidden, motor)
            return hidden, motor, total + motor

        still = lib.zeros(self.hidden, dtype=lib.float32)
        quiet = lib.zeros(len(weights["second.b"]), dtype=lib.float32)
        return self.scale * lib.loop(self.ticks, tick, (still, quiet, quiet))[2] / self.ticks

    def _fired(
        self, lib: Library, weights: Weights, layer: str, inputs: Array, before: Array
    ) -> Array:
        current = inputs @ weights[f"{layer}.w"] / len(inputs) ** 0.5
        y = weights[f"{layer}.b"] + math.pi / 2 * lib.tanh(current)
        x = math.pi / 2 * self.memory * before * before
        return (1 - lib.cos(y) * lib.cos(x)) / 2
