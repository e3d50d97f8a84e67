"""An evolution strategy, for several seeds side by side.

Salimans et al. (2017): a generation is a cloud of networks around their parent, in mirrored pairs
that play the same games; the parent moves towards those that did better, by their ranks.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree
from numpy.typing import NDArray

from ludus.agents.platformer.network import forward
from ludus.learning.adam import Moments, adam_step, initial_moments
from ludus.learning.evolution import mirrored_candidates, rank_ascent
from ludus.learning.platformer.networks import EPSILON, Arrays, initial_network
from ludus.learning.platformer.practice import FinishedGames, Practice, derive_seed
from ludus.learning.platformer.settings import Course, Evolution

__all__ = ["EvolutionLearner"]

MOST_DECISIONS = 400
"""Games of a generation that take longer end there."""


class EvolutionLearner:
    """Learns by an evolution strategy.

    Args:
        course: What is learned; its settings are those of the strategy.
    """

    def __init__(self, course: Course) -> None:
        settings = course.settings_as(Evolution)
        self._settings, self._levels = settings, len(course.stages)
        self._seeds = range(course.seed, course.seed + course.seeds)
        self._each = settings.members * settings.games
        self.practice = Practice(
            course.stages,
            [0] * (course.seeds * self._each),
            groups=course.seeds,
            slots=1,
            observe=course.observe,
            reward=settings,
        )
        keys = [jax.random.key(derive_seed("network", seed) & 0xFFFFFFFF) for seed in self._seeds]
        parents = [ravel_pytree(_first_network(key, settings, course.observe)) for key in keys]
        self._parents, self._unravel = jnp.stack([flat for flat, _ in parents]), parents[0][1]
        self._moments = jax.vmap(initial_moments)(self._parents)
        self.steps = self._generation = 0
        self._crowd = jax.jit(partial(_crowd, settings))
        self._act = jax.jit(partial(_act, settings, self._unravel))
        self._move = jax.jit(partial(_move, settings), donate_argnums=(0, 1))

    @property
    def policies(self) -> list[dict[str, NDArray[np.float32]]]:
        """The parents, one for each seed."""
        return [
            {name: np.asarray(array) for name, array in self._unravel(parent).items()}
            for parent in self._parents
        ]

    def improve(self) -> tuple[FinishedGames, dict[str, NDArray[Any]]]:
        """Play a generation and learn from it; return the games that ended, and figures by seed."""
        keys = self._keys()
        crowd = self._crowd(self._parents, keys)
        done, decisions = self._play(crowd, keys)
        fitness = done.returns.reshape(len(self._seeds), self._settings.members, -1).mean(2)
        self._parents, self._moments = self._move(self._parents, self._moments, keys, fitness)
        self.steps += decisions // len(self._seeds)
        self._generation += 1
        return done, {"fitness": fitness.mean(1), "fittest": fitness.max(1)}

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on from here."""
        return {
            "parents": np.asarray(self._parents),
            "first": np.asarray(self._moments.first),
            "second": np.asarray(self._moments.second),
            "count": np.asarray(self._moments.count),
            "steps": np.array(self.steps),
            "generation": np.array(self._generation),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state."""
        self._parents = jnp.asarray(state["parents"])
        moments = (jnp.asarray(state[name]) for name in Moments._fields)
        self._moments = Moments(*moments)
        self.steps, self._generation = int(state["steps"]), int(state["generation"])

    def _keys(self) -> Any:
        roots = [derive_seed("chance", seed) & 0xFFFFFFFF for seed in self._seeds]
        return jnp.stack(
            [jax.random.fold_in(jax.random.key(root), self._generation) for root in roots]
        )

    def _play(self, crowd: Any, keys: Any) -> tuple[FinishedGames, int]:
        """Play one game in every place; return how they ended, and the decisions it took."""
        practice, n = self.practice, len(self._seeds) * self._each
        self._begin()
        returns, reached = np.zeros(n, np.float32), np.zeros(n, np.float32)
        won, open_ = np.zeros(n, np.bool_), np.ones(n, np.bool_)
        level = np.zeros(n, np.int32)
        decisions = 0
        for moment in range(MOST_DECISIONS):
            actions = self._act(crowd, self._group(practice.observations[0]), keys, moment)
            practice.step(0, np.asarray(actions))
            practice.carry_over()
            decisions += int(open_.sum())
            returns[open_] += practice.rewards[0][open_]
            reached[open_], level[open_] = practice.reached[0][open_], practice.played[0][open_]
            won |= open_ & (practice.endings[0] == 1)
            open_ &= practice.endings[0] == 0
            if not open_.any():
                break
        return FinishedGames(np.arange(n) // self._each, level, won, reached, returns), decisions

    def _begin(self) -> None:
        """Give all members of a seed the same games."""
        games = range(self._settings.games)
        drawn = [
            [derive_seed("generation", seed, self._generation, game) for game in games]
            for seed in self._seeds
        ]
        self.practice.restore_games(
            [
                (game, game % self._levels, game, b"")
                for seed in drawn
                for _ in range(self._settings.members)
                for game in seed
            ]
        )

    def _group(self, observations: NDArray[Any]) -> NDArray[Any]:
        settings = self._settings
        return observations.reshape(
            len(self._seeds), settings.members, settings.games, *observations.shape[1:]
        )


def _first_network(key: Any, settings: Evolution, observe: str) -> Arrays:
    keys = iter(jax.random.split(key, 2 + len(settings.channels) + len(settings.hidden)))

    def draw(shape: tuple[int, int], scale: float) -> Any:
        return jax.nn.initializers.orthogonal(scale)(next(keys), shape, jnp.float32)

    return initial_network(draw, settings, observe, jnp)


def _crowd(settings: Evolution, parents: Any, keys: Any) -> Any:
    """Return the members of each seed around their parent, one half mirrored by the other."""

    def crowd_of_seed(inputs: tuple[Any, Any]) -> Any:
        parent, key = inputs
        return mirrored_candidates(parent, key, settings.members, settings.spread)

    return lax.map(crowd_of_seed, (parents, keys))


def _act(
    settings: Evolution, unravel: Any, crowd: Any, observations: Any, keys: Any, moment: Any
) -> Any:
    """Return the choices of all members, game by game; chance is the same for all of them."""

    def one_member(flat: Any, rows: Any, key: Any) -> Any:
        preferences = forward(unravel(flat), rows, settings.strides, jnp)[..., :-1]
        return jax.random.categorical(jax.random.fold_in(key, moment), preferences)

    def act_for_seed(inputs: tuple[Any, Any, Any]) -> Any:
        members, rows, key = inputs
        return jax.vmap(one_member, (0, 0, None))(members, rows, key)

    return lax.map(act_for_seed, (crowd, observations, keys)).reshape(-1).astype(jnp.uint8)


def _move(
    settings: Evolution, parents: Any, moments: Moments, keys: Any, fitness: Any
) -> tuple[Any, Moments]:
    """Return the parents of the next generation."""

    def move_parent(inputs: tuple[Any, Moments, Any, Any]) -> tuple[Any, Moments]:
        parent, momentum, key, member_fitness = inputs
        ascent = rank_ascent(parent, key, member_fitness, settings.spread)
        descent = settings.decay * parent - ascent
        return adam_step(parent, descent, momentum, settings.rate, epsilon=EPSILON)

    return lax.map(move_parent, (parents, moments, keys, fitness))  # type: ignore[no-any-return]
