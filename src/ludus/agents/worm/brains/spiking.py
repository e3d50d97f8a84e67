"""Spiking neurons: one brain that carries its potentials along, one that thinks in bursts.

Idea of :class:`Spiking`: 64 recurrent leaky integrate-and-fire neurons with a threshold that rises
after each spike; a leaky read-out of their spikes is the logits. One tick a step.
Idea of :class:`Bursting`: each feature is coded by eight neurons with bell-shaped tuning; two
layers of leaky neurons are run for some ticks from rest, and the second's spikes, counted, are the
logits. Gradients go through a spike as if it were a sigmoid.

Sources: Bellec et al. 2018 (adaptive thresholds); Neftci et al. 2019 (surrogate gradients).
Parameters on two features: spiking 13,193; bursting 5,508.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import (
    Floats,
    critic,
    dense,
    init_dense,
    init_layers,
    wide,
)

__all__ = ["Bursting", "Spiking"]

HOLDS = 2.2  # a sigmoid of it is 0.9


@dataclass(frozen=True)
class Spiking(Plain):
    """Recurrent adaptive neurons with a leaky read-out.

    Attributes:
        name: What tables call it.
        units: How many neurons.
        threshold: The potential a rested neuron fires at.
        adapt: How much a spike raises it, at the beginning.
        slope: How steep the sigmoid is that gradients see.
        critic: The units of the critic's hidden layers.
    """

    name: str = "spiking"
    units: int = 64
    threshold: float = 1.0
    adapt: float = 0.1
    slope: float = 2.0
    critic: tuple[int, ...] = (64, 64)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return weights, and time constants of about ten steps."""
        units = self.units
        weights = init_dense(random, "sense", len(features), units, 2.0)
        weights |= init_dense(random, "back", units, units, 0.5)
        weights |= init_dense(random, "actor", units, actions, 0.5)
        weights["sense.b"] += self.threshold / 4
        weights |= {"leak": wide(units, HOLDS), "recover": wide(units, HOLDS)}
        weights |= {"adapt": wide(units, self.adapt), "readout": wide(actions, 0.0)}
        return weights | init_layers(random, "critic", [units, *self.critic, 1], 1.0)

    def start(self, features: int) -> State:
        """Begin at rest."""
        names = ("potential", "spikes", "fatigue")
        return {name: wide(self.units) for name in names} | {"logits": wide(4)}

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return the read-out, and the value of the potentials."""
        before = state["spikes"]
        current = dense(weights, "sense", features) + dense(weights, "back", before)
        potential = lib.sigmoid(weights["leak"]) * state["potential"] * (1 - before) + current
        fatigue = lib.sigmoid(weights["recover"]) * state["fatigue"] + before
        over = potential - self.threshold - weights["adapt"] * fatigue
        spikes = lib.spike(over, self.slope)
        remaining = lib.sigmoid(weights["readout"]) * state["logits"]
        logits = remaining + dense(weights, "actor", spikes)
        after = {"potential": potential, "spikes": spikes, "fatigue": fatigue, "logits": logits}
        return logits, critic(lib, weights, lib.frozen(potential)), after


@dataclass(frozen=True)
class Bursting(Plain):
    """Two layers of leaky neurons that start from rest at every step.

    Attributes:
        name: What tables call it.
        units: The neurons of each layer.
        ticks: How long they are run.
        leak: The share of a potential that is left after a tick.
        tuning: How many neurons code a feature.
        width: The width of their tuning.
        slope: How steep the sigmoid is that gradients see.
    """

    name: str = "bursting"
    units: int = 64
    ticks: int = 16
    leak: float = 0.95
    tuning: int = 8
    width: float = 0.25
    slope: float = 2.0

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return orthogonal weights."""
        weights = init_dense(random, "first", self.tuning * len(features), self.units, 0.5)
        weights |= init_dense(random, "second", self.units, self.units, 1.0)
        return weights | init_dense(random, "actor", self.units, actions, 1.0)

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return how often the second layer fired, weighed."""
        centres = np.linspace(-1, 1, self.tuning, dtype=np.float32)
        coded = lib.exp(-(((features[:, None] - centres) / self.width) ** 2) / 2).reshape(-1)
        current = dense(weights, "first", coded)

        def tick(now: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
            first, two, count = now
            first = self.leak * first + current
            fired = lib.spike(first - 1, self.slope)
            two = self.leak * two + dense(weights, "second", fired)
            spikes = lib.spike(two - 1, self.slope)
            return first - fired, two - spikes, count + spikes

        zeros = lib.zeros(self.units, dtype=lib.float32)
        count = lib.loop(self.ticks, tick, (zeros, zeros, zeros))[2]
        return dense(weights, "actor", count / self.ticks), lib.float32(0), state
