"""The 302 neurons of the worm, wired as they are in the animal.

Idea: what is sensed enters the neurons that sense it in the animal (food: ASE, AWC, AWA; danger:
ASH, ASI; touch: ALM, AVM, PLM; warmth: AFD; oxygen: URX, BAG; itself: DVA, PVD) and spreads four
times through chemical synapses and gap junctions. Each chemical connection has a learned strength;
its sign is that of the transmitter (GABA inhibits, all else excites), its first strength grows with
the number of synapses. Gap junctions are fixed. The mean activity of the motor neurons VB, DB, VA
and DA is mapped to logits; the critic reads all neurons.

Sources: Cook et al. 2019 (wiring); Wang et al. 2024 (transmitters); both packed from ``cect`` 0.3.5
(MIT licence) by ``scripts/derive_connectome.py``. 302 neurons, 3,709 chemical connections with
20,965 synapses, 1,091 gap junctions between two neurons (14 of a cell with itself are left out).
Parameters on two features: 4,044.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains.brain import Array, Library, Plain, State, Weights
from ludus.agents.worm.brains.layers import Floats, dense, init_dense

__all__ = ["Connectome", "Wiring", "wiring"]

SENSES = {
    "nociception": ("ASHL", "ASHR", "ASIL", "ASIR"),
    "mechanosensation": ("ALML", "ALMR", "AVM", "PLML", "PLMR"),
    "thermotaxis": ("AFDL", "AFDR"),
    "aerotaxis": ("URXL", "URXR", "BAGL", "BAGR"),
    "proprioception": ("DVA", "PVDL", "PVDR"),
}
FOOD = ("ASEL", "ASER", "AWCL", "AWCR", "AWAL", "AWAR")
MOTOR = ("VB", "DB", "VA", "DA")


@dataclass(frozen=True)
class Wiring:
    """Who is connected to whom.

    Attributes:
        names: The neurons.
        transmitters: What each releases, the commonest first, joined by ``+``.
        source: The neuron that each chemical connection comes from.
        target: The neuron that it goes to.
        synapses: How many synapses it has.
        gap_first: One neuron of each gap junction.
        gap_second: The other.
        gap_counts: How much it weighs.
    """

    names: tuple[str, ...]
    transmitters: tuple[str, ...]
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    synapses: NDArray[np.int64]
    gap_first: NDArray[np.int64]
    gap_second: NDArray[np.int64]
    gap_counts: Floats

    @property
    def junctions(self) -> int:
        """How many gap junctions there are."""
        return len(self.gap_first)

    @cached_property
    def gaps(self) -> Floats:
        """Gap junctions [from, to], symmetric, divided by the roots of both neurons' sums."""
        size = len(self.names)
        gaps = np.zeros((size, size), np.float32)
        gaps[self.gap_first, self.gap_second] = self.gap_counts
        gaps += gaps.T
        sums = np.maximum(gaps.sum(0), 1)
        return np.asarray(gaps / np.sqrt(np.outer(sums, sums)), np.float32)

    @property
    def places(self) -> NDArray[np.int64]:
        """Where each chemical connection stands in a table [from, to], counted flat."""
        return self.source * len(self.names) + self.target

    @property
    def signs(self) -> Floats:
        """The sign of each chemical connection."""
        inhibits = np.array([t.startswith("GABA") for t in self.transmitters])
        return np.where(inhibits[self.source], -1, 1).astype(np.float32)


@cache
def wiring() -> Wiring:
    """Return the wiring of the adult hermaphrodite."""
    path = files("ludus.agents.worm.brains").joinpath("connectome.npz")
    with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
        arrays = {name: data[name] for name in data.files}
    return Wiring(
        names=tuple(map(str, arrays["names"])),
        transmitters=tuple(map(str, arrays["transmitters"])),
        source=arrays["chemical_from"].astype(np.int64),
        target=arrays["chemical_to"].astype(np.int64),
        synapses=arrays["chemical_count"].astype(np.int64),
        gap_first=arrays["gap_from"].astype(np.int64),
        gap_second=arrays["gap_to"].astype(np.int64),
        gap_counts=arrays["gap_count"].astype(np.float32),
    )


@dataclass(frozen=True)
class Connectome(Plain):
    """The worm's own network.

    Attributes:
        name: What tables call it.
        passes: How often activity spreads in a step.
        signed: Whether transmitters decide the signs; else they are learned too.
    """

    name: str = "connectome"
    passes: int = 4
    signed: bool = True

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return strengths by the number of synapses, and random sensitivities."""
        return self.init_wired(wiring(), random, features, actions)

    def init_wired(
        self, wired: Wiring, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return the weights of a network that is wired like this."""
        size = len(wired.names)
        incoming = np.bincount(wired.target, wired.synapses.astype(float), size)
        shares = np.sqrt(wired.synapses / np.maximum(incoming, 1)[wired.target])
        strength = random.normal(size=len(wired.source)) * shares
        strength = np.abs(strength) if self.signed else strength
        senses = [
            (row, wired.names.index(neuron))
            for row, feature in enumerate(features)
            for neuron in SENSES.get(feature.split(".")[0], FOOD)
        ]
        places = np.array([row * size + neuron for row, neuron in senses], np.float32)
        weights: dict[str, Floats] = {
            "strength": strength.astype(np.float32),
            "sense": random.normal(size=len(senses)).astype(np.float32),
            "fixed.sense": places,
        }
        weights |= init_dense(random, "actor", len(MOTOR), actions, 1.0)
        return weights | init_dense(random, "critic", size, 1, 1.0)

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return what reaches the motor neurons, and the value of all activity."""
        size = len(wiring().names)
        places, signs, gaps = self.connections(lib, weights)
        strength = lib.abs(weights["strength"]) * signs if self.signed else weights["strength"]
        spread = lib.scattered(strength, places, (size, size)) + gaps
        into = lib.scattered(
            weights["sense"], weights["fixed.sense"].astype("int32"), (len(features), size)
        )
        h = features @ into
        for _ in range(self.passes):
            h = lib.tanh(h @ spread)
        return dense(weights, "actor", h @ _motor()), dense(weights, "critic", h)[0], state

    def connections(self, lib: Library, weights: Weights) -> tuple[Array, Array, Array]:
        """Return the places and signs of the chemical connections, and the gap junctions."""
        return wiring().places, wiring().signs, wiring().gaps


@cache
def _motor() -> Floats:
    """Return the matrix that averages the motor neurons of each class."""
    members = [
        [name[: len(kind)] == kind and name[len(kind) :].isdigit() for kind in MOTOR]
        for name in wiring().names
    ]
    counted = np.array(members, np.float32)
    return np.asarray(counted / counted.sum(0), np.float32)
