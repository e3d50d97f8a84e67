"""Proximal policy optimisation (Schulman et al. 2017), for brains with and without memory.

A segment is cut into chunks of ``chunk`` steps. A brain with memory is run through each chunk anew
from the state it had at the chunk's beginning (truncated back-propagation through time).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from ludus.agents.worm.brains.brain import Array, Brain
from ludus.learning.adam import initial_moments
from ludus.learning.ppo import clipped_gains, discounted_sums, entropies, log_likelihoods
from ludus.learning.worm.jax_library import JAX
from ludus.learning.worm.learners.learner import Memory, Sampling, Segment, descend

__all__ = ["Ppo", "advantages", "rerun", "standardise"]


@dataclass(frozen=True)
class Ppo(Sampling):
    """Trains actor and critic on clipped ratios of chances.

    Attributes:
        rate: Adam's learning rate.
        entropy: What a nat of the policy's entropy is worth.
        horizon: Steps before an update, fewer if the episode ends.
        epochs: How often each step is learned from.
        minibatches: Gradient steps an epoch.
        chunk: Steps of back-propagation through time.
        discount: What the next step's worth counts now.
        trace: The decay of generalised advantage estimation.
        clip: How far a ratio of chances may lead from 1.
        value: What a squared error of the critic costs.
        most: The norm that gradients are cut to.
        rate_end: The learning rate after ``decay`` episodes; 0 to stay as it was.
        decay: How many episodes the learning rate takes to get there.
    """

    rate: float = 1e-3
    entropy: float = 0.02
    horizon: int = 256
    epochs: int = 10
    minibatches: int = 2
    chunk: int = 1
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    value: float = 0.5
    most: float = 0.5
    rate_end: float = 0.0
    decay: int = 0

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return weights and a fresh optimiser."""
        return {"weights": weights, "adam": initial_moments(weights)}

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Return the memory after some epochs on the segment."""
        gained = advantages(played, self.discount, self.trace)
        batch = {
            "features": played.features,
            "actions": played.actions,
            "before": log_likelihoods(played.logits, played.actions),
            "advantages": standardise(gained, played.mask),
            "returns": gained + played.values,
            "mask": played.mask.astype(jnp.float32),
        }
        chunks = jax.tree.map(lambda x: x.reshape(-1, self.chunk, *x.shape[1:]), batch)
        chunks["start"] = played.starts
        rate = self.rate_in(played.episode)

        def epoch(carry: Any, key: Array) -> Any:
            return self._epoch(brain, carry, chunks, played.length, rate, key)

        carry = (memory["weights"], memory["adam"])
        carry, _ = jax.lax.scan(epoch, carry, jax.random.split(key, self.epochs))
        return {"weights": carry[0], "adam": carry[1]}

    def rate_in(self, episode: Array) -> Array:
        """Return the learning rate in an episode, counted from 0."""
        if not self.decay:
            return jnp.float32(self.rate)
        share = jnp.minimum(episode / self.decay, 1)
        return self.rate + (self.rate_end - self.rate) * share

    def _epoch(
        self, brain: Brain, carry: Any, chunks: Any, length: Array, rate: Array, key: Array
    ) -> Any:
        """Go once through all chunks in random order."""
        total = self.horizon // self.chunk
        count = (length + self.chunk - 1) // self.chunk
        last = jnp.arange(total) >= count
        order = jnp.argsort(jax.random.uniform(key, (total,)) + 2 * last)
        size = (count + self.minibatches - 1) // self.minibatches
        room = jnp.arange(-(-total // self.minibatches))

        def minibatch(carry: Any, number: Array) -> Any:
            rank = number * size + room
            mine = (room < size) & (rank < count)
            part = jax.tree.map(lambda x: x[order[jnp.minimum(rank, total - 1)]], chunks)
            part["mask"] = part["mask"] * mine[:, None]
            gradient = jax.grad(self._loss)(carry[0], brain, part)
            weights, moments = carry
            return descend(weights, gradient, moments, rate, self.most), None

        return jax.lax.scan(minibatch, carry, jnp.arange(self.minibatches))

    def _loss(self, weights: dict[str, Array], brain: Brain, part: Any) -> Array:
        logits, values = rerun(brain, weights, part["start"], part["features"])
        likely = log_likelihoods(logits, part["actions"])
        gain = clipped_gains(likely, part["before"], part["advantages"], self.clip)
        entropy = entropies(jax.nn.log_softmax(logits))
        cost = self.value * (values - part["returns"]) ** 2 - gain - self.entropy * entropy
        return (part["mask"] * cost).sum() / jnp.maximum(part["mask"].sum(), 1)


def rerun(brain: Brain, weights: Any, starts: Any, features: Array) -> tuple[Array, Array]:
    """Return logits and values of chunks [chunk, step], each from its own start."""

    def step(state: Any, row: Array) -> Any:
        logits, value, state = brain.policy(JAX, weights, state, row)
        return state, (logits, value)

    if features.shape[1] == 1:
        _, (logits, values) = jax.vmap(step)(starts, features[:, 0])
        return logits[:, None], values[:, None]

    def chunk(state: Any, rows: Array) -> Any:
        return jax.lax.scan(step, state, rows)[1]

    logits, values = jax.vmap(chunk)(starts, features)
    return logits, values


def advantages(played: Segment, discount: float, trace: float) -> Array:
    """Return how much better each step went than expected (Schulman et al. 2016)."""
    last = jnp.arange(len(played.rewards)) == played.length - 1
    beyond = jnp.where(played.ended, 0.0, played.beyond)
    after = jnp.where(last, beyond, jnp.append(played.values[1:], 0.0))
    surprises = played.rewards + discount * after - played.values
    decays = jnp.full(len(last), discount * trace)
    return discounted_sums(jnp.where(played.mask, surprises, 0.0), decays, last)


def standardise(x: Array, mask: Array) -> Array:
    """Return ``x`` with mean 0 and deviation 1 over the mask, and 0 beyond it."""
    count = jnp.maximum(mask.sum(), 1)
    mean = jnp.where(mask, x, 0).sum() / count
    spread = jnp.sqrt(jnp.where(mask, (x - mean) ** 2, 0).sum() / jnp.maximum(count - 1, 1))
    return jnp.where(mask, (x - mean) / (spread + 1e-8), 0)
