"""Adam (Kingma and Ba 2015) on a dictionary of arrays, gradients cut to a norm before."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["begin", "step"]

Arrays = dict[str, Any]

DECAY, DECAY_OF_SQUARES, TINY = 0.9, 0.999, 1e-8


def begin(weights: Arrays) -> Arrays:
    """Return the optimiser's memory before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return {"mean": zeros, "square": zeros, "count": jnp.float32(0)}


def step(
    weights: Arrays, memory: Arrays, gradient: Arrays, rate: Any, most: float
) -> tuple[Arrays, Arrays]:
    """Return weights one step down the gradient, and the memory after it.

    Args:
        weights: Where to step from; names that begin with ``fixed.`` stay.
        memory: What :func:`begin` or the last step returned.
        gradient: The slope of what is to become small.
        rate: The learning rate.
        most: The norm that a longer gradient is cut to.
    """
    gradient = {n: g * 0 if n.startswith("fixed.") else g for n, g in gradient.items()}
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in gradient.values()))
    scale = jnp.minimum(1.0, most / (norm + 1e-6))
    count = memory["count"] + 1
    mean = {n: DECAY * memory["mean"][n] + (1 - DECAY) * scale * g for n, g in gradient.items()}
    square = {
        n: DECAY_OF_SQUARES * memory["square"][n] + (1 - DECAY_OF_SQUARES) * (scale * g) ** 2
        for n, g in gradient.items()
    }
    pace, spread = rate / (1 - DECAY**count), 1 - DECAY_OF_SQUARES**count
    stepped = {
        n: w - pace * mean[n] / (jnp.sqrt(square[n] / spread) + TINY) for n, w in weights.items()
    }
    return stepped, {"mean": mean, "square": square, "count": count}
