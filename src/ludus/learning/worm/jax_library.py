"""JAX as the array library that brains are written against."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

__all__ = ["JAX", "Jax"]

T = TypeVar("T")


class Jax:
    """``jax.numpy``, and what NumPy does otherwise: see :class:`ludus.agents.worm.brains.Numpy`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(jnp, name)

    def loop(self, times: int, step: Callable[[T], T], begin: T) -> T:
        """Return what applying ``step`` so many times makes of ``begin``."""
        return jax.lax.scan(lambda carry, _: (step(carry), None), begin, None, length=times)[0]

    def frozen(self, value: Any) -> Any:
        """Return the value without a way for gradients."""
        return jax.lax.stop_gradient(value)

    def sigmoid(self, x: Any) -> Any:
        """Return the logistic function of each element."""
        return jax.nn.sigmoid(x)

    def spike(self, over: Any, slope: float) -> Any:
        """Return 1 where something is over its threshold, else 0, with a sigmoid's gradient."""
        soft = jax.nn.sigmoid(slope * over)
        hard = (over > 0).astype(jnp.float32)
        return soft + jax.lax.stop_gradient(hard - soft)

    def turned(self, state: Any, gate: Any, axis: int) -> Any:
        """Return the state with a matrix of 2 × 2 applied along an axis.

        It is written out, because XLA is slow at many products of so small matrices.
        """
        zero, one = (jax.lax.index_in_dim(state, k, axis, keepdims=False) for k in (0, 1))
        rows = [gate[k, 0] * zero + gate[k, 1] * one for k in (0, 1)]
        return jnp.stack(rows, axis)

    def scattered(self, values: Any, places: Any, shape: tuple[int, ...]) -> Any:
        """Return an array of zeros but for values at these places of it, counted flat."""
        return jnp.zeros(math.prod(shape)).at[places].set(values).reshape(shape)


JAX = Jax()
