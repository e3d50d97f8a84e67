"""REINFORCE (Williams 1992): what was followed by more than usual becomes more likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from ludus.agents.worm.brains.brain import Array, Brain
from ludus.learning.adam import initial_moments
from ludus.learning.ppo import discounted_sums, entropies, log_likelihoods
from ludus.learning.worm.learners.learner import Memory, Sampling, Segment, descend
from ludus.learning.worm.learners.ppo import rerun, standardise

__all__ = ["Reinforce"]


@dataclass(frozen=True)
class Reinforce(Sampling):
    """Trains an actor on the normalised returns of a few steps at a time.

    Attributes:
        rate: Adam's learning rate at the beginning.
        entropy: What a nat of the policy's entropy is worth.
        horizon: Steps before an update, fewer if the episode ends.
        discount: What the next step's reward counts now.
        decay: What the learning rate is multiplied by …
        decay_every: … after so many updates; 0 for never.
        temperature: What logits are divided by before an action is drawn.
        noise: The deviation of what is added to logits before an action is drawn.
        most: The norm that gradients are cut to.
        most_loss: Where the loss is cut, above and below.
        group: How many trainings are updated side by side.
    """

    rate: float = 1e-3
    entropy: float = 0.01
    horizon: int = 5
    discount: float = 0.99
    decay: float = 0.9
    decay_every: int = 100
    temperature: float = 1.2
    noise: float = 0.1
    most: float = 1.0
    most_loss: float = 10.0
    group: int = 25

    @property
    def chunk(self) -> int:  # type: ignore[override]
        """A segment is one chunk."""
        return self.horizon

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return weights, a fresh optimiser and no updates."""
        return {"weights": weights, "adam": initial_moments(weights), "updates": jnp.int32(0)}

    def luck(self, key: Array, actions: int) -> Any:
        """Return what disturbs the logits, and the noise that makes a draw."""
        noise, key = jax.random.split(key)
        return self.noise * jax.random.normal(noise, (actions,)), super().luck(key, actions)

    def choose(self, memory: Memory, logits: Array, luck: Any) -> Array:
        """Return an action drawn from disturbed and flattened logits."""
        noise, draw = luck
        return super().choose(memory, (logits + noise) / self.temperature, draw)

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Return the memory after one step up the gradient."""
        rate = jnp.float32(self.rate)
        if self.decay_every:
            rate = rate * self.decay ** (memory["updates"] // self.decay_every)
        gradient = jax.grad(self._loss)(memory["weights"], brain, played)
        weights, moments = descend(memory["weights"], gradient, memory["adam"], rate, self.most)
        return {"weights": weights, "adam": moments, "updates": memory["updates"] + 1}

    def _loss(self, weights: dict[str, Array], brain: Brain, played: Segment) -> Array:
        logits, _ = rerun(brain, weights, played.starts, played.features[None])
        logits = logits[0] / self.temperature
        entropy = entropies(jax.nn.log_softmax(logits))
        gain = log_likelihoods(logits, played.actions) * self._returns(played)
        loss = -jnp.where(played.mask, gain + self.entropy * entropy, 0).sum() / played.length
        return jnp.clip(loss, -self.most_loss, self.most_loss)

    def _returns(self, played: Segment) -> Array:
        """Return discounted returns within the segment, with mean 0 and deviation 1."""
        rewards = jnp.where(played.mask, played.rewards, 0.0)
        decays = jnp.full(self.horizon, self.discount)
        return standardise(discounted_sums(rewards, decays), played.mask)
