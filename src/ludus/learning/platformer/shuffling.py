"""The order in which an update goes over its decisions.

It is the order that ``jax.random.permutation`` draws, sorted by NumPy, which takes a tenth of the
time.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from ludus.learning.platformer.settings import Ppo

__all__ = ["Shuffle"]

BITS = 32


class Shuffle:
    """Draws the parts of the decisions that an update learns from, one after the other.

    Args:
        settings: How many decisions, epochs and parts there are.
    """

    def __init__(self, settings: Ppo) -> None:
        self._parts = settings.epochs * settings.minibatches
        n = settings.games * settings.slots
        draw = partial(_draw_rounds, n=n, rounds=_count_rounds(n))
        split = partial(jax.random.split, num=settings.epochs)
        self._draw = jax.jit(lambda keys: jax.vmap(jax.vmap(draw))(jax.vmap(split)(keys)))

    def __call__(self, keys: Any) -> NDArray[np.int32]:
        """Return the numbers of decisions by seed and part, for a key of each seed."""
        rounds = np.asarray(self._draw(keys))
        orders = [[_sort_rounds(epoch) for epoch in seed] for seed in rounds]
        return np.array(orders, np.int32).reshape(len(rounds), self._parts, -1)


def _count_rounds(n: int) -> int:
    """Return how often to sort, so that equal random numbers are seldom in all rounds."""
    return math.ceil(3 * math.log(max(1, n)) / math.log(2**BITS - 1))


def _draw_rounds(key: Any, *, n: int, rounds: int) -> Any:
    """Return the random numbers that each round sorts by."""
    drawn = []
    for _ in range(rounds):
        key, subkey = jax.random.split(key)
        drawn.append(jax.random.bits(subkey, (n,)))
    return jnp.stack(drawn) if drawn else jnp.zeros((0, n), jnp.uint32)


def _sort_rounds(rounds: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Return 0, 1 … after sorting it by the numbers of one round after the other."""
    places = np.arange(rounds.shape[1])
    order = places
    for numbers in rounds:
        packed = np.sort(numbers.astype(np.uint64) << np.uint64(BITS) | places.astype(np.uint64))
        order = order[(packed & np.uint64(2**BITS - 1)).astype(np.int64)]
    return order
