"""The optimiser Adam, for any set of arrays by name."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

__all__ = ["Moments", "adam", "at_rest", "clipped"]

FIRST, SECOND = 0.9, 0.999
SMALL = 1e-5

Arrays = Any
"""Arrays by name."""


class Moments(NamedTuple):
    """What Adam remembers: running means of the gradients and their squares, and how many."""

    first: Arrays
    second: Arrays
    count: Any


def at_rest(arrays: Arrays) -> Moments:
    """Return the moments before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, arrays)
    return Moments(zeros, jax.tree.map(jnp.zeros_like, arrays), jnp.zeros((), jnp.float32))


def adam(arrays: Arrays, gradients: Arrays, moments: Moments, rate: Any) -> tuple[Arrays, Moments]:
    """Return the arrays one step down the gradients, and the new moments."""
    count = moments.count + 1
    first = jax.tree.map(lambda m, g: FIRST * m + (1 - FIRST) * g, moments.first, gradients)
    second = jax.tree.map(lambda m, g: SECOND * m + (1 - SECOND) * g * g, moments.second, gradients)
    whole, square = 1 - FIRST**count, 1 - SECOND**count

    def moved(array: Any, m: Any, s: Any) -> Any:
        return array - rate * (m / whole) / (jnp.sqrt(s / square) + SMALL)

    return jax.tree.map(moved, arrays, first, second), Moments(first, second, count)


def clipped(gradients: Arrays, most: float) -> Arrays:
    """Return gradients whose joint length is at most this."""
    length = jnp.sqrt(sum((one**2).sum() for one in jax.tree.leaves(gradients)))
    return jax.tree.map(lambda one: one * jnp.minimum(1, most / (length + 1e-8)), gradients)
