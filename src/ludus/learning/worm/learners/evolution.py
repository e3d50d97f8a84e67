"""Evolution: weights are varied, played for an episode each, and the best have offspring.

One episode is one candidate's only trial, so that fitness is noisy; that is what a training of as
many episodes as everybody else's can afford.

A candidate is born with its weights and may learn in its life, its one episode, by REINFORCE. What
its offspring inherit is the setting ``inheritance``:

* ``darwin``: nobody learns; the born weights are inherited.
* ``lamarck``: the weights as learned at the end of the life are inherited.
* ``baldwin``: candidates learn and are chosen by how well they do so, but their born weights are
  inherited.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import jax
import jax.numpy as jnp

from ludus.agents.worm.brains.brain import LATER, Array, Brain
from ludus.errors import OptionError
from ludus.learning.evolution import (
    Distribution,
    adapt_distribution,
    cross_and_mutate,
    flatten,
    sample_distribution,
    unflatten,
)
from ludus.learning.worm.learners.learner import Memory, Sampling, Segment
from ludus.learning.worm.learners.reinforce import Reinforce

__all__ = ["INHERITANCES", "CmaEs", "Genetic", "Inheritance"]

Inheritance = Literal["darwin", "lamarck", "baldwin"]
INHERITANCES: tuple[Inheritance, ...] = ("darwin", "lamarck", "baldwin")

LIFE = 20  # steps between two lessons


def _check_inheritance(name: str) -> None:
    """Refuse what is no kind of inheritance."""
    if name not in INHERITANCES:
        raise OptionError(f"no inheritance {name!r}; there are {', '.join(INHERITANCES)}")


class _Population(Sampling):
    """What both kinds of evolution have in common: candidates that play in turn."""

    group = 25
    population: int
    inheritance: Inheritance
    rate: float

    @property
    def horizon(self) -> int | None:
        """A whole life, or the steps between two lessons of those that learn in it."""
        return LIFE if self.learns else None

    @property
    def chunk(self) -> int:  # type: ignore[override]
        """What is learned from is one chunk."""
        return LIFE if self.learns else 1

    @property
    def learns(self) -> bool:
        """Whether candidates learn in their life."""
        return self.inheritance != "darwin"

    def weights(self, memory: Memory) -> dict[str, Array]:
        """Return the weights of the candidate whose turn it is, as it is by now."""
        if self.learns:
            alive: dict[str, Array] = memory["life"]["weights"]
            return alive
        return _unflatten(memory["crowd"][memory["turn"]], memory)

    def update(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Note how well the candidate did; after the last one, breed."""
        if self.learns:
            return self._live(brain, memory, played, key)
        paid = jnp.where(played.mask, played.rewards, 0).sum()
        return self._note(memory, paid, key)

    def _note(self, memory: Memory, fitness: Array, key: Array) -> Memory:
        fitnesses = memory["fitness"].at[memory["turn"]].set(fitness)
        noted = {**memory, "fitness": fitnesses, "turn": memory["turn"] + 1}
        bred = self.breed(noted, key)
        complete = noted["turn"] >= self.population
        after: Memory = jax.tree.map(lambda new, old: jnp.where(complete, new, old), bred, noted)
        return after

    # ---- learning in a life

    @property
    def _school(self) -> Reinforce:
        return Reinforce(
            rate=self.rate, horizon=LIFE, decay_every=0, temperature=1.0, noise=0.0, entropy=0.02
        )

    def _live(self, brain: Brain, memory: Memory, played: Segment, key: Array) -> Memory:
        """Let the candidate learn from what it played; at its end, let the next one live."""
        paid = memory["paid"] + jnp.where(played.mask, played.rewards, 0).sum()
        life = self._school.update(brain, memory["life"], played, key)
        living = {**memory, "life": life, "paid": paid}
        dying = self._leave(living, key)
        after: Memory = jax.tree.map(
            lambda new, old: jnp.where(played.ended, new, old), dying, living
        )
        return after

    def _leave(self, memory: Memory, key: Array) -> Memory:
        """Return the memory after the candidate's death, with the next one born."""
        if self.inheritance == "lamarck":
            learned = flatten(memory["life"]["weights"])
            crowd = memory["crowd"].at[memory["turn"]].set(learned)
            memory = {**memory, "crowd": crowd}
        noted = self._note(memory, memory["paid"], key)
        return {**noted, **self._birth(noted["crowd"][noted["turn"]], noted)}

    def _birth(self, flat: Array, memory: Memory) -> dict[str, Any]:
        return {
            "life": self._school.begin(_unflatten(flat, memory), jax.random.key(0)),
            "paid": jnp.float32(0),
        }

    def breed(self, memory: Memory, key: Array) -> Memory:
        """Return the next generation."""
        raise NotImplementedError

    def _generation(self, weights: dict[str, Array], crowd: Array) -> Memory:
        """Return the memory of candidates that have not played yet."""
        memory: Memory = {
            "crowd": crowd,
            "fitness": jnp.zeros(self.population),
            "turn": jnp.int32(0),
            "shapes": jax.tree.map(jnp.zeros_like, weights),
        }
        return {**memory, **self._birth(crowd[0], memory)} if self.learns else memory


@dataclass(frozen=True)
class CmaEs(_Population):
    """Adapts the mean and the covariance of a normal distribution (Hansen 2016).

    Attributes:
        population: Candidates a generation.
        spread: The deviation of the first generation.
        inheritance: What offspring inherit: ``darwin``, ``lamarck`` or ``baldwin``.
        rate: The learning rate of candidates that learn.
    """

    population: int = 20
    spread: float = 0.5
    inheritance: Inheritance = field(default="darwin", metadata=LATER)
    rate: float = field(default=1e-2, metadata=LATER)

    def __post_init__(self) -> None:
        _check_inheritance(self.inheritance)

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
        inheritance: What offspring inherit: ``darwin``, ``lamarck`` or ``baldwin``.
        rate: The learning rate of candidates that learn.
    """

    population: int = 20
    elite: int = 2
    parents: int = 6
    mutation: float = 0.15
    spread: float = 0.5
    inheritance: Inheritance = field(default="darwin", metadata=LATER)
    rate: float = field(default=1e-2, metadata=LATER)

    def __post_init__(self) -> None:
        _check_inheritance(self.inheritance)

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
