"""Gated recurrent cells: LSTM, GRU, minGRU and minLSTM, with an actor and a critic on their state.

Idea: what is sensed is fed to 64 cells that carry a state from step to step; the actor (2 × 64)
reads the new state, the critic (2 × 128) a copy that sends no gradient back. (The reference
normalises each input to mean 0 and deviation 1 first; of two features that leaves a sign.)
The gates of minGRU and minLSTM look at the input alone, so that the state is a weighted sum of the
past. The minLSTM's two gates, to keep and to let in, are scaled to add up to 1.

Sources: Hochreiter and Schmidhuber 1997 (LSTM); Cho et al. 2014 (GRU); Feng et al. 2024 (minGRU,
minLSTM).
Parameters on two features: LSTM 50,693; GRU 46,405; minGRU 33,925; minLSTM 34,117.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ludus.agents.worm.brains.brain import LATER, Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import (
    Floats,
    critic,
    dense,
    init_dense,
    init_layers,
    layers,
    wide,
)

__all__ = ["Recurrent"]

Cell = Literal["lstm", "gru", "mingru", "minlstm"]


@dataclass(frozen=True)
class Recurrent(Plain):
    """A network with a gated memory.

    Attributes:
        name: What tables call it.
        cell: The kind of memory.
        units: How many numbers it holds.
        actor: The units of the actor's hidden layers.
        critic: The units of the critic's hidden layers.
        hold: The first bias of the gate that keeps what is there.
        let_in: The first bias of the minLSTM's gate that lets in what is new.
    """

    name: str = "lstm"
    cell: Cell = "lstm"
    units: int = 64
    actor: tuple[int, ...] = (64, 64)
    critic: tuple[int, ...] = (128, 128)
    hold: float = 1.0
    let_in: float = field(default=0.0, metadata=LATER)

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return orthogonal weights whose gates hold on to what they have."""
        inputs, units = len(features), self.units
        gates = {"lstm": 4, "gru": 2, "mingru": 1, "minlstm": 2}[self.cell]
        into = inputs if self.cell.startswith("min") else inputs + units
        weights = init_dense(random, "gates", into, gates * units, 1.0)
        if self.cell != "lstm":
            weights |= init_dense(random, "candidate", into, units, 1.0)
        sign = 1 if self.cell.endswith("lstm") else -1  # the others' gate says how much is new
        weights["gates.b"][:units] = sign * self.hold
        if self.cell == "minlstm":
            weights["gates.b"][units:] = self.let_in
        weights |= init_layers(random, "actor", [units, *self.actor, actions], 0.01)
        return weights | init_layers(random, "critic", [units, *self.critic, 1], 1.0)

    def start(self, features: int) -> State:
        """Begin with an empty memory."""
        state: State = {"h": wide(self.units)}
        return state | {"c": wide(self.units)} if self.cell == "lstm" else state

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return logits and value of what is sensed and remembered."""
        cell = {"lstm": _lstm, "gru": _gru, "mingru": _mingru, "minlstm": _minlstm}[self.cell]
        state = cell(lib, weights, state, features)
        logits = layers(lib, weights, "actor", state["h"])
        return logits, critic(lib, weights, lib.frozen(state["h"])), state


def _lstm(lib: Library, weights: Weights, state: State, x: Array) -> State:
    gates = dense(weights, "gates", lib.concatenate([x, state["h"]]))
    keep, let_in, let_out, new = lib.split(gates, 4)
    c = lib.sigmoid(keep) * state["c"] + lib.sigmoid(let_in) * lib.tanh(new)
    return {"h": lib.sigmoid(let_out) * lib.tanh(c), "c": c}


def _gru(lib: Library, weights: Weights, state: State, x: Array) -> State:
    h = state["h"]
    update, recall = lib.split(lib.sigmoid(dense(weights, "gates", lib.concatenate([x, h]))), 2)
    new = lib.tanh(dense(weights, "candidate", lib.concatenate([x, recall * h])))
    return {"h": (1 - update) * h + update * new}


def _mingru(lib: Library, weights: Weights, state: State, x: Array) -> State:
    update = lib.sigmoid(dense(weights, "gates", x))
    return {"h": (1 - update) * state["h"] + update * dense(weights, "candidate", x)}


def _minlstm(lib: Library, weights: Weights, state: State, x: Array) -> State:
    keep, let_in = lib.split(lib.sigmoid(dense(weights, "gates", x)), 2)
    new = dense(weights, "candidate", x)
    return {"h": (keep * state["h"] + let_in * new) / (keep + let_in)}
