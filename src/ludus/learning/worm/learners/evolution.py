"""Evolution: weights are varied, played for an episode each, and the best have offspring.

No gradients. One episode is one candidate's only trial, so that fitness is noisy; that is what a
training of as many episodes as everybody else's can afford.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from ludus.agents.worm.brains.brain import Array, Brain
from ludus.learning.evolution import (
    Distribution,
    adapt_distribution,
    cross_and_mutate,
    flatten,
    sample_distribution,
    unflatten,
)
from ludus.learning.worm.learners.learner import Memory, Sampling, Segment

__all__ = ["CmaEs", "Genetic"]


class _Population(Sampling):
    """What both kinds of evolution have in common: candidates that play in turn."""

    horizon = None
    group = 25
    population: int

    def weights(self, memory: Memory) -> dict[str, Array]:
        """Return the weights of the candidate whose turn it is."""
        return _unflatten(memory["crowd"][memory["turn"]], memory)

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Note how well the candidate did; after the last one, breed."""
        paid = jnp.where(played.mask, played.rewards, 0).sum()
        fitness = memory["fitness"].at[memory["turn"]].set(paid)
        noted = {**memory, "fitness": fitness, "turn": memory["turn"] + 1}
        bred = self.breed(noted, key)
        complete = noted["turn"] >= self.population
        after: Memory = jax.tree.map(lambda new, old: jnp.where(complete, new, old), bred, noted)
        return after

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the next generation."""
        raise NotImplementedError

    def _generation(self, weights: dict[str, Array], crowd: Array) -> Memory:
        """Return the memory of candidates that have not played yet."""
        return {
            "crowd": crowd,
            "fitness": jnp.zeros(self.population),
            "turn": jnp.int32(0),
            "shapes": jax.tree.map(jnp.zeros_like, weights),
        }


@dataclass(frozen=True)
class CmaEs(_Population):
    """Adapts the mean and the covariance of a normal distribution (Hansen 2016).

    Attributes:
        population: Candidates a generation.
        spread: The deviation of the first generation.
    """

    population: int = 20
    spread: float = 0.5

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return the distribution around the weights, and a first generation of it."""
        first = Distribution.around(flatten(weights), self.spread)
        crowd = sample_distribution(first, jax.random.fold_in(key, 0), self.population)
        return {**first._asdict(), **self._generation(weights, crowd)}

    def result(self, memory: Memory) -> dict[str, Array]:
        """Return the distribution's mean."""
        return _unflatten(memory["mean"], memory)

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the distribution moved towards the better half, and a generation of it."""
        now = Distribution(*(memory[name] for name in Distribution._fields))
        bred = adapt_distribution(now, memory["crowd"], memory["fitness"])
        crowd = sample_distribution(bred, key, self.population)
        return {**memory, **bred._asdict(), "turn": jnp.int32(0), "crowd": crowd}


@dataclass(frozen=True)
class Genetic(_Population):
    """Keeps the best, crosses and mutates them (Such et al. 2017, with crossover).

    Attributes:
        population: Candidates a generation.
        elite: How many live on as they are.
        parents: How many have offspring.
        mutation: The deviation of what is added to each weight.
        spread: The deviation of the first generation.
    """

    population: int = 20
    elite: int = 2
    parents: int = 6
    mutation: float = 0.15
    spread: float = 0.5

    def begin(self, weights: dict[str, Array], key: Array) -> Memory:
        """Return a first generation around the weights."""
        mean = flatten(weights)
        noise = jax.random.normal(jax.random.fold_in(key, 0), (self.population, len(mean)))
        return {"best": mean, **self._generation(weights, mean + self.spread * noise)}

    def result(self, memory: Memory) -> dict[str, Array]:
        """Return the best of the last complete generation."""
        return _unflatten(memory["best"], memory)

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the elite and the offspring of random pairs of parents."""
        ranked = memory["crowd"][jnp.argsort(-memory["fitness"])]
        crowd = cross_and_mutate(
            ranked, key, elite=self.elite, parents=self.parents, mutation=self.mutation
        )
        return {**memory, "crowd": crowd, "best": ranked[0], "turn": jnp.int32(0)}


def _unflatten(flat: Array, memory: Memory) -> dict[str, Array]:
    weights: dict[str, Array] = unflatten(flat, memory["shapes"])
    return weights
