"""Evolution: weights are varied, played for an episode each, and the best have offspring.

No gradients. One episode is one candidate's only trial, so that fitness is noisy; that is what a
training of as many episodes as everybody else's can afford.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ludus.agents.worm.brains.brain import Array, Brain
from ludus.learning.worm.learners.learner import Memory, Sampling, Segment

__all__ = ["CmaEs", "Genetic"]


class _Population(Sampling):
    """What both kinds of evolution have in common: candidates that play in turn."""

    horizon = None
    group = 25
    population: int

    def weights(self, memory: Memory) -> dict[str, Array]:
        """Return the weights of the candidate whose turn it is."""
        return _shaped(memory["crowd"][memory["turn"]], memory["shapes"])

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Note how well the candidate did; after the last one, breed."""
        there = jnp.arange(len(played.rewards)) < played.length
        fitness = (
            memory["fitness"].at[memory["turn"]].set(jnp.where(there, played.rewards, 0).sum())
        )
        noted = {**memory, "fitness": fitness, "turn": memory["turn"] + 1}
        bred = self.breed(noted, key)
        whole = noted["turn"] >= self.population
        after: Memory = jax.tree.map(lambda new, old: jnp.where(whole, new, old), bred, noted)
        return after

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the next generation."""
        raise NotImplementedError


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
        mean = _flat(weights)
        size = len(mean)
        memory = {
            "mean": mean,
            "spread": jnp.float32(self.spread),
            "covariance": jnp.eye(size),
            "path": jnp.zeros(size),
            "spread_path": jnp.zeros(size),
            "generation": jnp.float32(0),
            "fitness": jnp.zeros(self.population),
            "turn": jnp.int32(0),
            "shapes": jax.tree.map(jnp.zeros_like, weights),
        }
        return {**memory, "crowd": self._drawn(memory, jax.random.fold_in(key, 0))}

    def result(self, memory: Memory) -> dict[str, Array]:
        """Return the distribution's mean."""
        return _shaped(memory["mean"], memory["shapes"])

    def _drawn(self, memory: Memory, key: Array) -> Array:
        values, vectors = jnp.linalg.eigh(memory["covariance"])
        normal = jax.random.normal(key, (self.population, len(values)))
        around = (normal * jnp.sqrt(jnp.maximum(values, 1e-12))) @ vectors.T
        return memory["mean"] + memory["spread"] * around

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the distribution moved towards the better half, and a generation of it."""
        size = len(memory["mean"])
        shares, rates = _rates(size, self.population)
        best = jnp.argsort(-memory["fitness"])[: len(shares)]
        steps = (memory["crowd"][best] - memory["mean"]) / memory["spread"]
        step = shares @ steps
        values, vectors = jnp.linalg.eigh(memory["covariance"])
        white = vectors @ ((vectors.T @ step) / jnp.sqrt(jnp.maximum(values, 1e-12)))
        spread_path = _along(memory["spread_path"], white, rates["spread"], rates["mass"])
        count = memory["generation"] + 1
        norm = jnp.linalg.norm(spread_path) / jnp.sqrt(1 - (1 - rates["spread"]) ** (2 * count))
        steady = norm < (1.4 + 2 / (size + 1)) * rates["length"]
        path = _along(memory["path"], step * steady, rates["path"], rates["mass"])
        ranked = jnp.einsum("k,ki,kj->ij", shares, steps, steps)
        covariance = (
            (1 - rates["one"] - rates["many"]) * memory["covariance"]
            + rates["one"] * jnp.outer(path, path)
            + rates["many"] * ranked
        )
        pull = rates["spread"] / rates["damping"]
        grown = jnp.exp(pull * (jnp.linalg.norm(spread_path) / rates["length"] - 1))
        bred = {
            **memory,
            "mean": memory["mean"] + memory["spread"] * step,
            "spread": jnp.clip(memory["spread"] * grown, 1e-4, 10.0),
            "covariance": (covariance + covariance.T) / 2,
            "path": path,
            "spread_path": spread_path,
            "generation": count,
            "turn": jnp.int32(0),
        }
        return {**bred, "crowd": self._drawn(bred, key)}


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
        mean = _flat(weights)
        noise = jax.random.normal(jax.random.fold_in(key, 0), (self.population, len(mean)))
        return {
            "crowd": mean + self.spread * noise,
            "best": mean,
            "fitness": jnp.zeros(self.population),
            "turn": jnp.int32(0),
            "shapes": jax.tree.map(jnp.zeros_like, weights),
        }

    def result(self, memory: Memory) -> dict[str, Array]:
        """Return the best of the last whole generation."""
        return _shaped(memory["best"], memory["shapes"])

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the elite and the offspring of random pairs of parents."""
        order = jnp.argsort(-memory["fitness"])
        ranked = memory["crowd"][order]
        size = ranked.shape[1]
        keys = jax.random.split(key, 3)
        pairs = jax.random.randint(keys[0], (2, self.population), 0, self.parents)
        mask = jax.random.bernoulli(keys[1], 0.5, (self.population, size))
        noise = jax.random.normal(keys[2], (self.population, size))
        young = jnp.where(mask, ranked[pairs[0]], ranked[pairs[1]]) + self.mutation * noise
        keep = (jnp.arange(self.population) < self.elite)[:, None]
        crowd = jnp.where(keep, ranked, young)
        return {**memory, "crowd": crowd, "best": ranked[0], "turn": jnp.int32(0)}


def _along(path: Array, step: Array, rate: float, mass: float) -> Array:
    return (1 - rate) * path + math.sqrt(rate * (2 - rate) * mass) * step


def _rates(size: int, population: int) -> tuple[Any, dict[str, float]]:
    """Return the shares of the better half and the usual constants (Hansen 2016, table 1)."""
    half = population // 2
    raw = np.log((population + 1) / 2) - np.log(np.arange(1, half + 1))
    shares = raw / raw.sum()
    mass = float(1 / (shares**2).sum())
    one = 2 / ((size + 1.3) ** 2 + mass)
    spread = (mass + 2) / (size + mass + 5)
    return jnp.asarray(shares, jnp.float32), {
        "mass": mass,
        "one": one,
        "many": min(1 - one, 2 * (mass - 2 + 1 / mass) / ((size + 2) ** 2 + mass)),
        "path": (4 + mass / size) / (size + 4 + 2 * mass / size),
        "spread": spread,
        "damping": 1 + 2 * max(0.0, math.sqrt((mass - 1) / (size + 1)) - 1) + spread,
        "length": math.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2)),
    }


def _flat(weights: dict[str, Array]) -> Array:
    return jnp.concatenate([weights[n].ravel() for n in sorted(weights)])


def _shaped(flat: Array, shapes: dict[str, Array]) -> dict[str, Array]:
    """Return a flat vector cut up as the arrays in ``shapes`` are."""
    weights, at = {}, 0
    for name in sorted(shapes):
        size = shapes[name].size
        weights[name] = flat[at : at + size].reshape(shapes[name].shape)
        at += size
    return weights
