"""The core of proximal policy optimisation (Schulman et al. 2017), one row for every decision.

How decisions are collected, cut into parts and averaged is the caller's: games that go on beside
each other, or segments of one episode with brains that remember.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["clipped_gains", "discounted_sums", "entropies", "log_likelihoods", "pick"]


def log_likelihoods(logits: Any, actions: Any) -> Any:
    """Return the logarithm of each action's probability."""
    return pick(jax.nn.log_softmax(logits), actions)


def pick(table: Any, actions: Any) -> Any:
    """Return the entry of each row that its action names."""
    return jnp.take_along_axis(table, actions[..., None].astype(jnp.int32), -1)[..., 0]


def entropies(table: Any) -> Any:
    """Return the entropy of each row of log-probabilities."""
    return -(jnp.exp(table) * table).sum(-1)


def clipped_gains(now: Any, before: Any, advantages: Any, clip: float) -> Any:
    """Return what a policy gains by its actions, as far as it stays near the policy before.

    Args:
        now: The actions' log-likelihoods.
        before: What they were when the actions were taken.
        advantages: How much better than expected the actions went.
        clip: How far a ratio of probabilities counts beyond 1.
    """
    ratio = jnp.exp(now - before)
    near = jnp.clip(ratio, 1 - clip, 1 + clip)
    return jnp.minimum(ratio * advantages, near * advantages)


def discounted_sums(rows: Any, decays: Any, ends: Any = None) -> Any:
    """Return each row plus its decay times the sum of the next one.

    Of rewards and discounts these are returns; of temporal differences they are generalised
    advantages (Schulman et al. 2016).

    Args:
        rows: What is summed, the first moment first.
        decays: What the next row's sum counts.
        ends: After which rows a sum begins anew; nowhere if None.
    """

    def add(later: Any, now: tuple[Any, Any, Any]) -> tuple[Any, Any]:
        row, decay, end = now
        total = row + decay * (later if end is None else jnp.where(end, 0.0, later))
        return total, total

    return jax.lax.scan(add, jnp.zeros_like(rows[0]), (rows, decays, ends), reverse=True)[1]
