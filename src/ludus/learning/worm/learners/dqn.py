"""Deep Q-learning (Mnih et al. 2015): logits are what an action is expected to bring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from ludus.agents.worm.brains.brain import Array, Brain
from ludus.learning.adam import initial_moments
from ludus.learning.ppo import pick
from ludus.learning.worm.jax_library import JAX
from ludus.learning.worm.learners.learner import Memory, Sampling, Segment, descend

__all__ = ["Dqn"]


@dataclass(frozen=True)
class Dqn(Sampling):
    """Trains a network without memory on steps drawn from the last ten thousand.

    Attributes:
        rate: Adam's learning rate.
        horizon: Steps before an update, fewer if the episode ends.
        gradients: Gradient steps an update.
        batch: Steps that a gradient is taken on.
        replay: How many steps are remembered.
        discount: What the next step's worth counts now.
        explore: The share of random actions in the first episode …
        explore_decay: … times this for each later one …
        explore_least: … but no less than this.
        follow: Gradient steps between two copies of the network that targets are taken from.
        most: The norm that gradients are cut to.
        group: How many trainings are updated side by side.
    """

    rate: float = 1e-3
    horizon: int = 16
    gradients: int = 4
    batch: int = 32
    replay: int = 10_000
    discount: float = 0.95
    explore: float = 0.1
    explore_decay: float = 0.995
    explore_least: float = 0.01
    follow: int = 100
    most: float = 1.0
    group: int = 25

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return weights, their copy, and nothing to remember."""
        return {
            "weights": weights,
            "target": weights,
            "adam": initial_moments(weights),
            "gradients": jnp.int32(0),
            "explore": jnp.float32(self.explore),
            "filled": jnp.int32(0),
            "steps": self._ring(weights),
        }

    def _ring(self, weights: dict[str, Array]) -> dict[str, Array]:
        wide = weights["actor.0.w"].shape[0]
        rows = {"features": (wide,), "after": (wide,), "rewards": (), "over": ()}
        ring = {n: jnp.zeros((self.replay, *shape)) for n, shape in rows.items()}
        return {**ring, "actions": jnp.zeros(self.replay, jnp.int32)}

    def luck(self, key: Array, actions: int) -> Any:
        """Return whether to try something, and what."""
        whether, which = jax.random.split(key)
        return jax.random.uniform(whether), jax.random.randint(which, (), 0, actions)

    def choose(self, memory: Memory, logits: Array, luck: Any) -> Array:
        """Return the best action, now and then any."""
        whether, anything = luck
        return jnp.where(whether < memory["explore"], anything, jnp.argmax(logits))

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Return the memory after some gradient steps on remembered ones."""
        memory = self._remember(memory, played)

        def descend_once(carry: Any, key: Array) -> Any:
            return self._descend(brain, carry, memory["steps"], memory["filled"], key), None

        carry = {n: memory[n] for n in ("weights", "target", "adam", "gradients")}
        carry, _ = jax.lax.scan(descend_once, carry, jax.random.split(key, self.gradients))
        faded = jnp.maximum(memory["explore"] * self.explore_decay, self.explore_least)
        explore = jnp.where(played.ended, faded, memory["explore"])
        return {**memory, **carry, "explore": explore}

    def _remember(self, memory: Memory, played: Segment) -> Memory:
        """Put the segment's steps into the ring; the last one only if the episode ended."""
        last = jnp.arange(self.horizon) == played.length - 1
        steps = {
            "features": played.features,
            "after": jnp.roll(played.features, -1, 0),
            "actions": played.actions,
            "rewards": played.rewards,
            "over": (last & played.ended).astype(jnp.float32),
        }
        count = played.length - jnp.where(played.ended, 0, 1)
        slots = (memory["filled"] + jnp.arange(self.horizon)) % self.replay
        slots = jnp.where(jnp.arange(self.horizon) < count, slots, self.replay)
        ring = memory["steps"]
        ring = {n: ring[n].at[slots].set(steps[n], mode="drop") for n in steps}
        return {**memory, "steps": ring, "filled": memory["filled"] + count}

    def _descend(self, brain: Brain, carry: Any, steps: Any, filled: Array, key: Array) -> Any:
        most = jnp.clip(filled, 1, self.replay)
        drawn = jax.random.randint(key, (self.batch,), 0, most)
        part = {n: value[drawn] for n, value in steps.items()}
        gradient = jax.grad(self._loss)(carry["weights"], carry["target"], brain, part)
        rate = jnp.where(filled < self.batch, 0.0, self.rate)
        weights, moments = descend(carry["weights"], gradient, carry["adam"], rate, self.most)
        count = carry["gradients"] + 1
        copy = count % self.follow == 0
        target = jax.tree.map(lambda t, w: jnp.where(copy, w, t), carry["target"], weights)
        return {"weights": weights, "target": target, "adam": moments, "gradients": count}

    def _loss(self, weights: Any, target: Any, brain: Brain, part: Any) -> Array:
        def values(weights: Any, features: Array) -> Array:
            return jax.vmap(lambda row: brain.policy(JAX, weights, {}, row)[0])(features)

        best = values(target, part["after"]).max(-1)
        aim = part["rewards"] + self.discount * (1 - part["over"]) * best
        error = pick(values(weights, part["features"]), part["actions"]) - jax.lax.stop_gradient(
            aim
        )
        return jnp.where(jnp.abs(error) < 1, error**2 / 2, jnp.abs(error) - 0.5).mean()
