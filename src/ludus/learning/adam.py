"""The optimiser Adam (Kingma and Ba 2015), for any tree of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

__all__ = ["Arrays", "Moments", "adam_step", "clip_scale", "initial_moments"]

FIRST, SECOND = 0.9, 0.999

Arrays = Any
"""A tree of arrays."""


class Moments(NamedTuple):
    """What Adam remembers: how many gradients there were, and running means of them.

    Attributes:
        count: How many gradients.
        first: The mean of the gradients.
        second: The mean of their squares.
    """

    count: Any
    first: Arrays
    second: Arrays


def initial_moments(arrays: Arrays) -> Moments:
    """Return the moments before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, arrays)
    return Moments(jnp.zeros((), jnp.float32), zeros, jax.tree.map(jnp.zeros_like, arrays))


def clip_scale(gradients: Arrays, longest: float, epsilon: float) -> Any:
    """Return what makes the joint length of gradients ``longest`` at most when they are scaled."""
    squares = [(leaf**2).sum() for leaf in jax.tree.leaves(gradients)]
    return jnp.minimum(1, longest / (jnp.sqrt(sum(squares)) + epsilon))


def adam_step(
    arrays: Arrays,
    gradients: Arrays,
    moments: Moments,
    rate: Any,
    *,
    epsilon: float,
    scale: Any = None,
) -> tuple[Arrays, Moments]:
    """Return the arrays one step down the gradients, and the new moments.

    Args:
        arrays: Where to step from.
        gradients: The slope of what is to become small.
        moments: What the step before returned.
        rate: The learning rate.
        epsilon: What keeps the divisor away from 0.
        scale: What gradients are multiplied by. With a scale, scale and bias correction go into
            the coefficients, without one the correction goes into the moments: the same step but
            for its last bit, on which the replays of recorded trainings rely.
    """
    count = moments.count + 1
    bias, bias_of_squares = 1 - FIRST**count, 1 - SECOND**count
    share = (1 - FIRST) * (1 if scale is None else scale)

    def square(gradient: Any) -> Any:
        if scale is None:
            return (1 - SECOND) * gradient * gradient
        return (1 - SECOND) * (scale * gradient) ** 2

    def move(array: Any, first: Any, second: Any) -> Any:
        way = rate * (first / bias) if scale is None else rate / bias * first
        return array - way / (jnp.sqrt(second / bias_of_squares) + epsilon)

    first = jax.tree.map(lambda m, g: FIRST * m + share * g, moments.first, gradients)
    second = jax.tree.map(lambda m, g: SECOND * m + square(g), moments.second, gradients)
    return jax.tree.map(move, arrays, first, second), Moments(count, first, second)
