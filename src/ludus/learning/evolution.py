"""The core of evolution: candidates are flat vectors of weights, the fitter ones shape the next.

Three strategies: mirrored pairs around a parent that moves by their ranks (Salimans et al. 2017), a
normal distribution whose covariance adapts (Hansen 2016), and a genetic algorithm (Such et al.
2017, with crossover). Who plays the candidates, and how often, is the caller's.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

__all__ = [
    "Distribution",
    "adapt_distribution",
    "cross_and_mutate",
    "flatten",
    "mirrored_candidates",
    "rank_ascent",
    "sample_distribution",
    "unflatten",
]


def flatten(weights: Any) -> Any:
    """Return all weights as one vector, arrays in the order of their names."""
    return ravel_pytree(weights)[0]


def unflatten(flat: Any, shapes: Any) -> Any:
    """Return a vector cut up as the arrays in ``shapes`` are."""
    return ravel_pytree(shapes)[1](flat)


# ---- mirrored pairs


def mirrored_candidates(parent: Any, key: Any, members: int, spread: float) -> Any:
    """Return candidates around their parent; the second half mirrors the first."""
    noise = spread * _pair_noise(parent, key, members)
    return jnp.concatenate([parent + noise, parent - noise])


def rank_ascent(parent: Any, key: Any, fitness: Any, spread: float) -> Any:
    """Return the direction towards the fitter ones of :func:`mirrored_candidates`, by ranks."""
    members = len(fitness)
    ranks = jnp.argsort(jnp.argsort(fitness)) / (members - 1) - 0.5
    plus, minus = jnp.split(ranks, 2)
    return (plus - minus) @ _pair_noise(parent, key, members) / (members * spread)


def _pair_noise(parent: Any, key: Any, members: int) -> Any:
    return jax.random.normal(key, (members // 2, parent.size))


# ---- a distribution that adapts


class Distribution(NamedTuple):
    """A normal distribution of candidates.

    Attributes:
        mean: Its mean.
        spread: What the covariance is multiplied by, as a deviation.
        covariance: Its shape.
        path: Where the mean has moved lately, in the covariance's scale.
        spread_path: The same with the covariance taken out.
        generation: How often it was adapted.
    """

    mean: Any
    spread: Any
    covariance: Any
    path: Any
    spread_path: Any
    generation: Any

    @classmethod
    def around(cls, mean: Any, spread: float) -> Distribution:
        """Return the round distribution before the first generation."""
        size = len(mean)
        return cls(
            mean,
            jnp.float32(spread),
            jnp.eye(size),
            jnp.zeros(size),
            jnp.zeros(size),
            jnp.float32(0),
        )


def sample_distribution(distribution: Distribution, key: Any, members: int) -> Any:
    """Return candidates drawn from a distribution."""
    values, vectors = jnp.linalg.eigh(distribution.covariance)
    normal = jax.random.normal(key, (members, len(values)))
    around = (normal * jnp.sqrt(jnp.maximum(values, 1e-12))) @ vectors.T
    return distribution.mean + distribution.spread * around


def adapt_distribution(now: Distribution, candidates: Any, fitness: Any) -> Distribution:
    """Return the distribution moved towards the better half of its candidates."""
    size = len(now.mean)
    shares, rates = _rates(size, len(candidates))
    best = jnp.argsort(-fitness)[: len(shares)]
    steps = (candidates[best] - now.mean) / now.spread
    step = shares @ steps
    values, vectors = jnp.linalg.eigh(now.covariance)
    white = vectors @ ((vectors.T @ step) / jnp.sqrt(jnp.maximum(values, 1e-12)))
    spread_path = _follow(now.spread_path, white, rates["spread"], rates["mass"])
    count = now.generation + 1
    norm = jnp.linalg.norm(spread_path) / jnp.sqrt(1 - (1 - rates["spread"]) ** (2 * count))
    steady = norm < (1.4 + 2 / (size + 1)) * rates["length"]
    path = _follow(now.path, step * steady, rates["path"], rates["mass"])
    ranked = jnp.einsum("k,ki,kj->ij", shares, steps, steps)
    covariance = (
        (1 - rates["one"] - rates["many"]) * now.covariance
        + rates["one"] * jnp.outer(path, path)
        + rates["many"] * ranked
    )
    pull = rates["spread"] / rates["damping"]
    growth = jnp.exp(pull * (jnp.linalg.norm(spread_path) / rates["length"] - 1))
    return Distribution(
        mean=now.mean + now.spread * step,
        spread=jnp.clip(now.spread * growth, 1e-4, 10.0),
        covariance=(covariance + covariance.T) / 2,
        path=path,
        spread_path=spread_path,
        generation=count,
    )


def _follow(path: Any, step: Any, rate: float, mass: float) -> Any:
    return (1 - rate) * path + math.sqrt(rate * (2 - rate) * mass) * step


def _rates(size: int, members: int) -> tuple[Any, dict[str, float]]:
    """Return the shares of the better half and the usual constants (Hansen 2016, table 1)."""
    half = members // 2
    raw = np.log((members + 1) / 2) - np.log(np.arange(1, half + 1))
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


# ---- a genetic algorithm


def cross_and_mutate(ranked: Any, key: Any, *, elite: int, parents: int, mutation: float) -> Any:
    """Return the elite as they are, and offspring of random pairs of parents.

    Args:
        ranked: The candidates, the fittest first.
        key: The generation's chance.
        elite: How many live on.
        parents: How many of the fittest have offspring.
        mutation: The deviation of what is added to each weight of the offspring.
    """
    members, size = ranked.shape
    keys = jax.random.split(key, 3)
    pairs = jax.random.randint(keys[0], (2, members), 0, parents)
    mask = jax.random.bernoulli(keys[1], 0.5, (members, size))
    noise = jax.random.normal(keys[2], (members, size))
    young = jnp.where(mask, ranked[pairs[0]], ranked[pairs[1]]) + mutation * noise
    return jnp.where((jnp.arange(members) < elite)[:, None], ranked, young)
