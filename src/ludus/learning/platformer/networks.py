"""The networks of learners: their first weights, and what they make of observations."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ludus.agents.platformer.network import cut_patches, cut_squares, forward
from ludus.games.platformer._native import SIGHT_SIDE
from ludus.learning.platformer.practice import BUTTONS, FIELDS
from ludus.learning.platformer.settings import Evolution, Ppo

__all__ = ["EPSILON", "Arrays", "apply_network", "count_at_once", "initial_network"]

Arrays = dict[str, Any]

EPSILON = 1e-5  # of Adam
FEW = 32  # pictures at a time
QUIET = 0.01  # the first preferences are nearly alike
LOUD = float(np.sqrt(2))  # what a rectifier halves


def apply_network(arrays: Arrays, observations: Any, strides: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the preferences for the actions, and the values."""
    few = count_at_once(len(observations), strides)
    some = observations.reshape(-1, few, *observations.shape[1:])
    if len(some) == 1:
        output = forward(arrays, observations, strides, jnp)
    else:
        output = lax.map(lambda rows: forward(arrays, rows, strides, jnp), some)
        output = output.reshape(len(observations), -1)
    return output[..., :-1], output[..., -1]


def count_at_once(rows: int, strides: tuple[int, ...]) -> int:
    """Return into how many rows at a time it is best to cut a batch.

    What is computed of more pictures than :data:`FEW` does not stay in a processor's caches. A
    batch of which no such part is a divisor goes in one.

    Example:
        >>> count_at_once(2048, (8, 2)), count_at_once(2048, ()), count_at_once(2039, (8, 2))
        (32, 2048, 2039)
    """
    parts = [few for few in range(FEW // 2, FEW + 1) if rows % few == 0]
    return max(parts) if strides and parts else rows


def initial_network(key: Any, settings: Ppo | Evolution, observe: str = "fields") -> Arrays:
    """Return a network that knows nothing yet."""
    keys = iter(jax.random.split(key, 2 + len(settings.channels) + len(settings.hidden)))
    arrays, width = _convolutions(keys, settings) if settings.strides else ({}, FIELDS[observe])
    for number, (inner, outer) in enumerate(pairwise((width, *settings.hidden))):
        arrays[f"w{number}"] = _orthogonal(next(keys), (inner, outer), LOUD)
        arrays[f"b{number}"] = jnp.zeros(outer)
    last = (settings.hidden or (width,))[-1]
    choice = _orthogonal(next(keys), (last, len(BUTTONS)), QUIET)
    value = _orthogonal(next(keys), (last, 1), 1.0)
    arrays["head"] = jnp.concatenate([choice, value], 1)
    arrays["head_bias"] = jnp.zeros(len(BUTTONS) + 1)
    return arrays


def _convolutions(keys: Any, settings: Ppo | Evolution) -> tuple[Arrays, int]:
    """Return the convolutions and how many numbers come out of them."""
    arrays: Arrays = {}
    image = np.zeros((1, SIGHT_SIDE, SIGHT_SIDE, 2), np.float32)
    for number, (depth, stride) in enumerate(zip(settings.channels, settings.strides, strict=True)):
        cut = cut_patches(image, stride) if number else cut_squares(image, stride)
        arrays[f"c{number}"] = _orthogonal(next(keys), (cut.shape[-1], depth), LOUD)
        arrays[f"cb{number}"] = jnp.zeros(depth)
        image = np.zeros((*cut.shape[:-1], depth), np.float32)
    return arrays, image.size


def _orthogonal(key: Any, shape: tuple[int, int], scale: float) -> Any:
    return jax.nn.initializers.orthogonal(scale)(key, shape, jnp.float32)
