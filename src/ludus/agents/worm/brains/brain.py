"""What a brain is: weights to begin with, a state to begin an episode with, and a policy.

A policy is written once against an array library that it is handed: it plays with NumPy and learns
with ``jax.numpy``. What the two do not share, loops and the like, is in :class:`Numpy` here and in
its twin beside the learners.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["LATER", "NUMPY", "Array", "Brain", "Library", "Numpy", "Plain", "State", "Weights"]

Array: TypeAlias = Any
"""An array of NumPy or of JAX."""

Library: TypeAlias = Any
"""``numpy`` or ``jax.numpy`` with :meth:`Numpy.loop`, :meth:`Numpy.frozen` and the rest."""

State: TypeAlias = dict[str, Array]
"""What a brain remembers from step to step within an episode; empty if nothing."""

Weights: TypeAlias = Mapping[str, Array]
"""Arrays by name. Learners leave those alone whose names begin with ``fixed.``."""

T = TypeVar("T")

LATER = {"later": True}
"""Marks a field that older releases had not: at its default it is no part of a configuration."""


class Brain(Protocol):
    """A policy that can be trained."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    def init(
        self, random: np.random.Generator, features: Sequence[str], actions: int
    ) -> dict[str, NDArray[np.float32]]:
        """Return weights to begin a training with.

        Args:
            random: The training's own source of randomness.
            features: The names of what the worm senses.
            actions: How many actions there are.
        """
        ...

    def start(self, features: int) -> State:
        """Return the state that an episode begins with, for so many features."""
        ...

    def perceive(self, lib: Library, weights: Weights, features: Array) -> Array:
        """Return what the policy is shown: the features, or a fixed function of them."""
        ...

    def policy(
        self, lib: Library, weights: Weights, state: State, features: Array
    ) -> tuple[Array, Array, State]:
        """Return a logit for each action, the value of the situation (or 0), and the new state."""
        ...


class Plain:
    """A brain's part that most have in common: no memory, and the features as they are."""

    def start(self, features: int) -> State:
        """Remember nothing."""
        return {}

    def perceive(self, lib: Library, weights: Weights, features: Array) -> Array:
        """Return the features."""
        return features


class Numpy:
    """NumPy, and the few things that JAX does otherwise."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def loop(self, times: int, step: Callable[[T], T], begin: T) -> T:
        """Return what applying ``step`` so many times makes of ``begin``."""
        for _ in range(times):
            begin = step(begin)
        return begin

    def frozen(self, value: Array) -> Array:
        """Return the value; learners send no gradient through it."""
        return value

    def sigmoid(self, x: Array) -> Array:
        """Return the logistic function of each element."""
        return 1 / (1 + np.exp(-x))

    def spike(self, over: Array, slope: float) -> Array:
        """Return 1 where something is over its threshold, else 0; learners see a sigmoid."""
        return (over > 0).astype(np.float32)

    def turned(self, state: Array, gate: Array, axis: int) -> Array:
        """Return the state with a matrix of 2 × 2 applied along an axis."""
        return np.moveaxis(np.tensordot(gate, state, axes=([1], [axis])), 0, axis)

    def scattered(self, values: Array, places: Array, shape: tuple[int, ...]) -> Array:
        """Return an array of zeros but for values at these places of it, counted flat."""
        flat = np.zeros(int(np.prod(shape)), np.float32)
        flat[places] = values
        return flat.reshape(shape)


NUMPY = Numpy()
