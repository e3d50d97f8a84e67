"""A reflex under a cortex: with qubit neurons, and with rectifiers as its control.

Idea: a small reflex proposes logits; a network of rectifiers (the cortex) adds its own and decides
how much the reflex counts. :class:`HybridClassical` is the same brain with sixteen rectifiers as
the reflex: whatever the two do alike is not owed to the qubits.

Source: the ablation of the reference's hybrid brains; ours learns all parts together.
Parameters on two features: hybrid 9,124; hybrid-classical 9,148.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, critic, dense, init_layers, layers, wide
from ludus.agents.worm.brains.qlif import Qlif

__all__ = ["Hybrid", "HybridClassical"]


def _init_cortex(
    random: np.random.Generator, inputs: int, hidden: tuple[int, ...], actions: int
) -> dict[str, Floats]:
    """Return the weights of cortex, gate and critic."""
    weights = init_layers(random, "cortex", [inputs, *hidden, actions], 0.01)
    weights |= {"gate.w": np.zeros((inputs, 1), np.float32), "gate.b": wide(1, 1.0)}
    return weights | init_layers(random, "critic", [inputs, *hidden, 1])


def _under_cortex(lib: Library, weights: Weights, reflex: Array, features: Array) -> Array:
    """Return the reflex's logits, as far as the cortex lets them, plus the cortex's."""
    share = lib.sigmoid(dense(weights, "gate", features))
    return share * reflex + layers(lib, weights, "cortex", features)


@dataclass(frozen=True)
class Hybrid(Plain):
    """A reflex of qubit neurons under a cortex of rectifiers.

    Attributes:
        name: What tables call it.
        reflex: The reflex.
        hidden: The units of the cortex's and the critic's hidden layers.
    """

    name: str = "hybrid"
    reflex: Qlif = Qlif()  # noqa: RUF009 - it is frozen
    hidden: tuple[int, ...] = (64, 64)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return the weights of reflex, cortex, gate and critic."""
        weights = self.reflex.init(random, features, actions)
        return weights | _init_cortex(random, len(features), self.hidden, actions)

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return the logits of reflex and cortex."""
        reflex = self.reflex.reflex(lib, weights, features)
        logits = _under_cortex(lib, weights, reflex, features)
        return logits, critic(lib, weights, features), state


@dataclass(frozen=True)
class HybridClassical(Plain):
    """A reflex of rectifiers under a cortex of rectifiers.

    Attributes:
        name: What tables call it.
        reflex: The hidden units of the reflex.
        hidden: The units of the cortex's and the critic's hidden layers.
    """

    name: str = "hybrid-classical"
    reflex: int = 16
    hidden: tuple[int, ...] = (64, 64)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return the weights of reflex, cortex, gate and critic."""
        weights = init_layers(random, "reflex", [len(features), self.reflex, actions], 1.0)
        return weights | _init_cortex(random, len(features), self.hidden, actions)

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return the logits of reflex and cortex."""
        reflex = layers(lib, weights, "reflex", features)
        logits = _under_cortex(lib, weights, reflex, features)
        return logits, critic(lib, weights, features), state
