"""What a learner is: it chooses from logits, and makes better weights of what was played.

All methods are pure and speak of one training; trainings are put side by side with ``jax.vmap``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import jax
import jax.numpy as jnp

from ludus.agents.worm.brains.brain import Array, Brain
from ludus.learning.adam import Moments, adam_step, clip_scale

__all__ = ["Greedy", "Learner", "Memory", "Sampling", "Segment", "descend"]

EPSILON, CLIP_EPSILON = 1e-8, 1e-6

Memory = dict[str, Any]
"""All that a learner keeps of a training, its weights among it."""


class Segment(NamedTuple):
    """What was played since the last update; rows from ``length`` on hold nothing.

    Attributes:
        features: What the policy was shown in each step.
        actions: What it did.
        rewards: What that brought.
        logits: What it chose from.
        values: What it thought the situation was worth.
        starts: Its state at the beginning of every ``chunk`` steps.
        length: How many steps there are.
        ended: Whether the last of them ended the episode.
        beyond: What it thinks the situation after them is worth.
        episode: The episode's number in the training, from 0.
    """

    features: Array
    actions: Array
    rewards: Array
    logits: Array
    values: Array
    starts: dict[str, Array]
    length: Array
    ended: Array
    beyond: Array
    episode: Array

    @property
    def mask(self) -> Array:
        """Which rows hold a step."""
        return jnp.arange(len(self.rewards)) < self.length


class Learner(Protocol):
    """A way to train."""

    @property
    def horizon(self) -> int | None:
        """How many steps to play at most before an update; None: to the end of the episode."""
        ...

    @property
    def chunk(self) -> int:
        """How many steps gradients are carried back through a brain's state."""
        ...

    @property
    def group(self) -> int:
        """How many trainings to update side by side."""
        ...

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return the memory of a training that begins with these weights."""
        ...

    def weights(self, memory: Memory) -> dict[str, Array]:
        """Return the weights to play with now."""
        ...

    def result(self, memory: Memory) -> dict[str, Array]:
        """Return the weights to keep of a training."""
        ...

    def luck(self, key: Array, actions: int) -> Any:
        """Return all the random numbers that choosing among so many actions takes."""
        ...

    def choose(self, memory: Memory, logits: Array, luck: Any) -> Array:
        """Return an action."""
        ...

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Return the memory after learning from what was played."""
        ...


class Sampling:
    """What most learners have in common: weights under their own name, actions by chance."""

    chunk = 1
    group = 5

    def weights(self, memory: Memory) -> dict[str, Array]:
        """Return the weights to play with now."""
        weights: dict[str, Array] = memory["weights"]
        return weights

    def result(self, memory: Memory) -> dict[str, Array]:
        """Return the weights to keep."""
        return self.weights(memory)

    def luck(self, key: Array, actions: int) -> Any:
        """Return Gumbel noise, which makes the largest sum a draw."""
        return jax.random.gumbel(key, (actions,))

    def choose(self, memory: Memory, logits: Array, luck: Any) -> Array:
        """Return an action with the chance that its logit gives it."""
        return jnp.argmax(logits + luck)


@dataclass(frozen=True)
class Greedy(Sampling):
    """Learns nothing.

    Attributes:
        sampled: Whether to play by chance instead of what seems best.
        pretrained: With what the weights were found before.
        pretraining_steps: How many steps of the world that took.
    """

    sampled: bool = False
    pretrained: str = ""
    pretraining_steps: int = 0

    @property
    def horizon(self) -> None:
        """There is no update."""
        return

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return the weights as memory."""
        return {"weights": weights}

    def choose(self, memory: Memory, logits: Array, luck: Any) -> Array:
        """Return the action with the largest logit."""
        return super().choose(memory, logits, luck) if self.sampled else jnp.argmax(logits)

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Return the memory as it is."""
        return memory


def descend(
    weights: dict[str, Array],
    gradient: dict[str, Array],
    moments: Moments,
    rate: Array,
    longest: float,
) -> tuple[dict[str, Array], Moments]:
    """Return weights one step of Adam down a gradient, and the moments after it.

    Args:
        weights: Where to step from; names that begin with ``fixed.`` stay.
        gradient: The slope of what is to become small.
        moments: What the last step returned.
        rate: The learning rate.
        longest: The norm that a longer gradient is cut to.
    """
    gradient = {n: g * 0 if n.startswith("fixed.") else g for n, g in gradient.items()}
    scale = clip_scale(gradient, longest, CLIP_EPSILON)
    return adam_step(weights, gradient, moments, rate, epsilon=EPSILON, scale=scale)
