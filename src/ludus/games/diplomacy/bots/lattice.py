"""The map as arrays: where units can stand, and how worth spreads over the moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludus.games.diplomacy.map.geography import geography

__all__ = ["Lattice", "lattice"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Lattice:
    """Every location of an army or a fleet, numbered.

    Attributes:
        nodes: Units such as ``A PAR`` or ``F SPA/NC``, in the order of their numbers.
        number: Their numbers.
        province: The number of each node's province.
        provinces: The numbers of provinces by name.
        steps: Row by row, 1 where a node's unit can move to another node.
        doubles: Rows of a node and two coasts of one province that it can reach both.
        near: Row by row, 1 for a node's province and every province it can move into.
        centre: 1 for provinces with a supply centre.
    """

    nodes: tuple[str, ...]
    number: dict[str, int]
    province: Ints
    provinces: dict[str, int]
    steps: Ints
    doubles: Ints
    near: Ints
    centre: Ints

    def spread(self, worth: Ints) -> Ints:
        """Return for every node its worth and that of its neighbours, the best coast of each."""
        total: Ints = worth + self.steps @ worth
        node, first, second = self.doubles.T
        np.subtract.at(total, node, np.minimum(worth[first], worth[second]))
        return total


@cache
def lattice() -> Lattice:
    """Return the lattice of the standard map."""
    board = geography()
    units = sorted(board.moves)
    nodes = tuple(f"{kind} {location}" for kind, location in units)
    number = {unit: k for k, unit in enumerate(nodes)}
    provinces = {location: k for k, location in enumerate(board.provinces)}
    steps = np.zeros((len(nodes), len(nodes)), np.int64)
    near = np.zeros((len(nodes), len(provinces)), np.int64)
    doubles = []
    for (kind, location), to in board.moves.items():
        row = number[f"{kind} {location}"]
        near[row, provinces[location[:3]]] = 1
        for other in to:
            steps[row, number[f"{kind} {other}"]] = 1
            near[row, provinces[other[:3]]] = 1
        coasts = [number[f"{kind} {other}"] for other in to if "/" in other]
        doubles += [
            (row, a, b) for a in coasts for b in coasts if a < b and nodes[a][:5] == nodes[b][:5]
        ]
    centre = np.zeros(len(provinces), np.int64)
    centre[[provinces[centre] for centre in board.centres]] = 1
    province = np.array([provinces[unit[2:5]] for unit in nodes])
    return Lattice(
        nodes, number, province, provinces, steps, np.array(doubles, np.int64), near, centre
    )
