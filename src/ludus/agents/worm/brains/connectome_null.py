"""The worm's 302 neurons with something of their wiring left to chance: controls of it.

Idea: whatever a control does as well as the connectome is not owed to what was shuffled. Each
training draws a network of its own, so that none of them is lucky for all.

- ``wiring``: who is connected to whom. Chemical connections and gap junctions are rewired apart;
  every neuron keeps the number of its targets, its sources and its gap junctions, and a connection
  its synapses and the sign of the neuron that it comes from.
- ``signs``: which connections inhibit. There are as many of them as in the animal, but of any
  neurons.

Everything else is drawn as the connectome of the same training draws it: the pairs are compared.

Sources: Maslov and Sneppen 2002 (rewiring); the connectome's are beside it.
Parameters on two features: 4,044.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from ludus.agents.worm.brains.brain import Array, Library, Weights
from ludus.agents.worm.brains.connectome import Connectome, Wiring, wiring
from ludus.agents.worm.brains.layers import Floats
from ludus.agents.worm.brains.rewiring import SWAPS, rewire, rewire_undirected
from ludus.errors import OptionError

__all__ = ["ConnectomeNull", "rewire_connectome"]

Shuffled = Literal["wiring", "signs"]


@dataclass(frozen=True)
class ConnectomeNull(Connectome):
    """A control of the connectome.

    Attributes:
        shuffled: What is left to chance.
        swaps: How often each connection is swapped, on average.
    """

    name: str = "connectome-null"
    shuffled: Shuffled = "wiring"
    swaps: int = SWAPS

    def __post_init__(self) -> None:
        if self.shuffled not in get_args(Shuffled):
            raise OptionError(f"shuffled is {self.shuffled!r}: wiring or signs")

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, Floats]:
        """Return weights of a network of its own, which is kept among them."""
        own = random.spawn(1)[0]  # the others' numbers stay those of the connectome
        wired = rewire_connectome(own, self.swaps) if self.shuffled == "wiring" else wiring()
        signs = own.permutation(wired.signs) if self.shuffled == "signs" else wired.signs
        rows, columns = np.nonzero(wired.gaps)
        return self.init_wired(wired, random, features, actions) | {
            "fixed.places": wired.places.astype(np.float32),
            "fixed.signs": signs.astype(np.float32),
            "fixed.gap_places": (rows * len(wired.names) + columns).astype(np.float32),
            "fixed.gaps": wired.gaps[rows, columns],
        }

    def connections(self, lib: Library, weights: Weights) -> tuple[Array, Array, Array]:
        """Return the places and signs of the chemical connections, and the gap junctions."""
        size = len(wiring().names)
        gap_places = weights["fixed.gap_places"].astype("int32")
        gaps = lib.scattered(weights["fixed.gaps"], gap_places, (size, size))
        return weights["fixed.places"].astype("int32"), weights["fixed.signs"], gaps


def rewire_connectome(random: np.random.Generator, swaps: int = SWAPS) -> Wiring:
    """Return the connectome with its chemical connections and its gap junctions rewired.

    Args:
        random: The source of chance.
        swaps: How often each connection is swapped, on average.
    """
    real = wiring()
    first, second = rewire_undirected(real.gap_first, real.gap_second, random, swaps)
    target = rewire(real.source, real.target, random, swaps)
    return replace(real, target=target, gap_first=first, gap_second=second)
