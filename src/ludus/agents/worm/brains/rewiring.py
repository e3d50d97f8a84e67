"""Networks wired at random in which every neuron keeps as many partners as it has.

Two connections exchange their targets, again and again (Maslov and Sneppen 2002). A swap that would
connect a neuron with itself, or two neurons twice, is left out. So every neuron keeps the number of
its targets and that of its sources, and only who is connected to whom becomes a matter of chance.
Connections of a neuron with itself stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["SWAPS", "rewire", "rewire_undirected"]

SWAPS = 10
"""Swaps for each connection, which is more than it takes to forget the wiring."""

BLOCK = 10_000

MOST_ATTEMPTS = 20
"""Attempts for each swap; networks in which nearly every swap is forbidden end there."""

Numbers = NDArray[np.int64]


def rewire(
    source: Numbers, target: Numbers, random: np.random.Generator, swaps: int = SWAPS
) -> Numbers:
    """Return other targets for connections; every neuron keeps the number of both its ends.

    Args:
        source: The neuron that each connection comes from; no two connections are alike.
        target: The neuron that it goes to.
        random: The source of chance.
        swaps: How many swaps there are for each connection.
    """
    begin, end = source.tolist(), target.tolist()
    _swap_ends(begin, end, random, swaps, directed=True)
    return np.array(end, np.int64)


def rewire_undirected(
    first: Numbers, second: Numbers, random: np.random.Generator, swaps: int = SWAPS
) -> tuple[Numbers, Numbers]:
    """Return other ends for connections without direction; every neuron keeps its number of them.

    Args:
        first: One end of each connection.
        second: Its other end.
        random: The source of chance.
        swaps: How many swaps there are for each connection.
    """
    flip = random.random(len(first)) < 0.5  # so that either end may be exchanged
    begin, end = np.where(flip, second, first).tolist(), np.where(flip, first, second).tolist()
    _swap_ends(begin, end, random, swaps, directed=False)
    return np.array(begin, np.int64), np.array(end, np.int64)


def _swap_ends(
    begin: list[int], end: list[int], random: np.random.Generator, swaps: int, *, directed: bool
) -> None:
    """Exchange the ends of pairs of connections, in place."""
    movable = [k for k, (a, b) in enumerate(zip(begin, end, strict=True)) if a != b]
    if len(movable) < 2:
        return

    def key(a: int, b: int) -> tuple[int, int]:
        return (a, b) if directed or a < b else (b, a)

    present = {key(a, b) for a, b in zip(begin, end, strict=True)}
    wanted = swaps * len(movable)
    for i, j in _draw_pairs(movable, random, MOST_ATTEMPTS * wanted):
        a, b, c, d = begin[i], end[i], begin[j], end[j]
        if a == d or c == b or key(a, d) in present or key(c, b) in present:
            continue
        present -= {key(a, b), key(c, d)}
        present |= {key(a, d), key(c, b)}
        end[i], end[j] = d, b
        wanted -= 1
        if wanted == 0:
            return


def _draw_pairs(
    among: list[int], random: np.random.Generator, most: int
) -> Iterator[tuple[int, int]]:
    """Yield pairs of connections, drawn many at a time because that is quick."""
    for start in range(0, most, BLOCK):
        drawn = random.choice(among, (min(BLOCK, most - start), 2))
        yield from map(tuple, drawn.tolist())
