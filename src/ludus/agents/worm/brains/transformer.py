"""Attention over the last sixteen steps.

Idea: the last 16 moments become 64 numbers each; two layers of four attention heads let the present
look at the past; actor and critic read the present's numbers.

Source: Vaswani et al. 2017, with the norm first (Xiong et al. 2020).
Parameters on two features: 72,773.
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
    normed,
    wide,
)

__all__ = ["Transformer"]

FAR = -1e9


@dataclass(frozen=True)
class Transformer(Plain):
    """Attention over a window.

    Attributes:
        name: What tables call it.
        window: How many steps are looked at.
        units: How many numbers a step becomes.
        heads: How many ways of looking there are in a layer.
        depth: How many layers.
        feed: The hidden units between two layers.
        critic: The units of the critic's hidden layers.
    """

    name: str = "transformer"
    window: int = 16
    units: int = 64
    heads: int = 4
    depth: int = 2
    feed: int = 128
    critic: tuple[int, ...] = (64,)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return weights for embedding, places, layers, actor and critic."""
        weights = init_dense(random, "embed", len(features), self.units, 1.0)
        places = 0.02 * random.normal(size=(self.window, self.units))
        weights["places"] = places.astype(np.float32)
        for k in range(self.depth):
            for norm in (f"{k}.before", f"{k}.between"):
                weights |= {
                    f"{norm}.scale": wide(self.units, 1),
                    f"{norm}.shift": wide(self.units),
                }
            weights |= init_dense(random, f"{k}.look", self.units, 3 * self.units, 1.0)
            weights |= init_dense(random, f"{k}.mix", self.units, self.units, 0.5)
            weights |= init_dense(random, f"{k}.up", self.units, self.feed)
            weights |= init_dense(random, f"{k}.down", self.feed, self.units, 0.5)
        weights |= {"norm.scale": wide(self.units, 1), "norm.shift": wide(self.units)}
        weights |= init_dense(random, "actor", self.units, actions, 0.01)
        return weights | init_layers(random, "critic", [self.units, *self.critic, 1], 1.0)

    def start(self, features: int) -> State:
        """Begin with an empty window."""
        return {"window": np.zeros((self.window, features), np.float32), "count": wide(1)}

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return logits and value of the window's last moment."""
        window = lib.concatenate([state["window"][1:], features[None]])
        count = lib.minimum(state["count"] + 1, self.window)
        is_filled = lib.arange(self.window) >= self.window - count[0]
        x = dense(weights, "embed", window) + weights["places"]
        for k in range(self.depth):
            x = self._layer(lib, weights, k, x, is_filled)
        now = normed(lib, weights, "norm", x[-1])
        value = critic(lib, weights, now)
        return dense(weights, "actor", now), value, {"window": window, "count": count}

    def _layer(self, lib: Library, weights: Weights, k: int, x: Array, is_filled: Array) -> Array:
        looks = dense(weights, f"{k}.look", normed(lib, weights, f"{k}.before", x))
        query, key, value = (
            part.reshape(self.window, self.heads, -1) for part in lib.split(looks, 3, axis=-1)
        )
        match = lib.einsum("qhd,khd->hqk", query, key) / (self.units / self.heads) ** 0.5
        match = lib.where(is_filled, match, FAR)
        share = lib.exp(match - match.max(-1, keepdims=True))
        share = share / share.sum(-1, keepdims=True)
        attended = lib.einsum("hqk,khd->qhd", share, value).reshape(self.window, -1)
        x = x + dense(weights, f"{k}.mix", attended)
        hidden = dense(weights, f"{k}.up", normed(lib, weights, f"{k}.between", x))
        return x + dense(weights, f"{k}.down", lib.maximum(hidden, 0))
