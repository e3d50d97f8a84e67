"""Proximal policy optimisation, for several seeds in one compiled program.

Schulman et al. (2017), with generalised advantages. A rollout is played by a compiled function
that sees all games of a moment at once; an update is one compiled program that goes over the
rollout some times in shuffled parts. Seeds do not touch: each has its own games, network and
chance, so that a seed learns beside others what it would learn alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

from ludus.learning.adam import Moments, adam_step, clip_scale, initial_moments
from ludus.learning.platformer.networks import (
    EPSILON,
    Arrays,
    apply_network,
    count_at_once,
    initial_network,
)
from ludus.learning.platformer.practice import BUTTONS, FinishedGames, Practice, derive_seed
from ludus.learning.platformer.settings import Course, Ppo
from ludus.learning.platformer.shuffling import Shuffle
from ludus.learning.platformer.warm_start import grow_network, read_network
from ludus.learning.ppo import clipped_gains, discounted_sums, entropies, log_likelihoods, pick

__all__ = ["PpoLearner"]

LEAST_RATE, LEAST_ENTROPY = 0.05, 0.1
"""What is left of them at the end."""

CLIP_EPSILON = 1e-8


class _Rollout(NamedTuple):
    """What was seen, done and brought, by slot and game."""

    observations: Any
    actions: Any
    log_likelihood: Any
    value: Any
    reward: Any
    over: Any


class PpoLearner:
    """Learns by PPO.

    Args:
        course: What is learned; its settings are those of PPO.
    """

    def __init__(self, course: Course) -> None:
        settings = course.settings_as(Ppo)
        self._settings, self._total = settings, course.steps
        self._seeds = range(course.seed, course.seed + course.seeds)
        self.practice = Practice(
            course.stages,
            [
                derive_seed("practice", seed, k)
                for seed in self._seeds
                for k in range(settings.games)
            ],
            groups=course.seeds,
            slots=settings.slots,
            observe=course.observe,
            reward=settings,
        )
        self.practice.begin()
        shape = (settings.slots, course.seeds * settings.games)
        self._actions = np.zeros(shape, np.uint8)
        self._log_likelihood = np.zeros(shape, np.float32)
        self._value = np.zeros(shape, np.float32)
        keys = jnp.stack(
            [jax.random.key(derive_seed("network", seed) & 0xFFFFFFFF) for seed in self._seeds]
        )
        first = partial(initial_network, settings=settings, observe=course.observe)
        self._arrays = lax.map(first, keys)
        if course.start:
            self._arrays = grow_network(read_network(course.start), self._arrays)
        self._moments = jax.vmap(initial_moments)(self._arrays)
        self.steps = 0
        self._draw = jax.jit(partial(_draw, settings))
        self._act = jax.jit(partial(_act, settings))
        self._update = jax.jit(partial(_update, settings), donate_argnums=(0, 1))
        self._shuffle = Shuffle(settings)

    @property
    def policies(self) -> list[dict[str, NDArray[np.float32]]]:
        """The networks, one for each seed."""
        arrays = jax.device_get(self._arrays)
        return [{name: array[k] for name, array in arrays.items()} for k in range(len(self._seeds))]

    def improve(self) -> tuple[FinishedGames, dict[str, NDArray[Any]]]:
        """Play a rollout and learn from it; return the games that ended, and figures by seed."""
        settings, practice = self._settings, self.practice
        luck = np.asarray(self._draw(self._keys(2 * self._rollouts)))
        for slot in range(settings.slots):
            actions, log_likelihood, value = self._choose(luck[slot], slot)
            self._actions[slot] = actions
            self._log_likelihood[slot] = log_likelihood
            self._value[slot] = value
            practice.step(slot, self._actions[slot])
        _, _, beyond = self._choose(luck[settings.slots], settings.slots)
        figures = self._learn(beyond)
        done = practice.finished()
        practice.learn_odds(done)
        practice.carry_over()
        self.steps += settings.games * settings.slots
        return done, figures

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on from here."""
        trees = {
            "weights": self._arrays,
            "first": self._moments.first,
            "second": self._moments.second,
        }
        arrays = {
            f"{part}.{name}": np.asarray(array)
            for part, named in trees.items()
            for name, array in named.items()
        }
        games = {f"practice.{name}": array for name, array in self.practice.state().items()}
        count = {"count": np.asarray(self._moments.count), "steps": np.array(self.steps)}
        return {**arrays, **games, **count}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state."""

        def part(prefix: str) -> Arrays:
            start = f"{prefix}."
            return {
                name.removeprefix(start): array
                for name, array in state.items()
                if name.startswith(start)
            }

        trees = (part("weights"), state["count"], part("first"), part("second"))
        self._arrays, *moments = jax.tree.map(jnp.asarray, trees)
        self._moments = Moments(*moments)
        self.steps = int(state["steps"])
        self.practice.restore(part("practice"))

    @property
    def _rollouts(self) -> int:
        """How many rollouts have been learned from."""
        return self.steps // (self._settings.games * self._settings.slots)

    def _keys(self, number: int) -> Any:
        roots = [derive_seed("chance", seed) & 0xFFFFFFFF for seed in self._seeds]
        return jnp.stack([jax.random.fold_in(jax.random.key(root), number) for root in roots])

    def _choose(self, luck: NDArray[np.float32], slot: int) -> tuple[Any, Any, Any]:
        observations = self.practice.observations[slot]
        by_seed = observations.reshape(
            len(self._seeds), self._settings.games, *observations.shape[1:]
        )
        return self._act(self._arrays, by_seed, luck)  # type: ignore[no-any-return]

    def _learn(self, beyond: Any) -> dict[str, NDArray[Any]]:
        settings, practice = self._settings, self.practice
        left = 1 - self.steps / self._total
        rate = settings.rate * max(left, LEAST_RATE)
        entropy = settings.entropy * max(left, LEAST_ENTROPY)
        rollout = _Rollout(
            practice.observations[:-1],
            self._actions,
            self._log_likelihood,
            self._value,
            practice.rewards,
            practice.endings > 0,
        )
        shape = (settings.slots, len(self._seeds), settings.games)
        rollout = _Rollout(*(part.reshape(*shape, *part.shape[2:]) for part in rollout))
        parts = self._shuffle(self._keys(2 * self._rollouts + 1))
        self._arrays, self._moments, figures = self._update(
            self._arrays, self._moments, rollout, beyond.reshape(shape[1:]), parts, rate, entropy
        )
        return {name: np.asarray(figure) for name, figure in figures.items()}


def _draw(settings: Ppo, keys: Any) -> Any:
    """Return Gumbel noise for every choice of a rollout, which makes the largest sum a draw."""
    slots, shape = jnp.arange(settings.slots + 1), (settings.games, len(BUTTONS))

    def draw_slot(slot: Any, key: Any) -> Any:
        return jax.random.gumbel(jax.random.fold_in(key, slot), shape)

    return jax.vmap(jax.vmap(draw_slot, (None, 0)), (0, None))(slots, keys)


def _act(settings: Ppo, arrays: Arrays, observations: Any, luck: Any) -> tuple[Any, Any, Any]:
    """Return choices, their log-probabilities and the values, game by game."""

    def act_for_seed(inputs: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        network, row, noise = inputs
        preferences, value = apply_network(network, row, settings.strides)
        actions = jnp.argmax(preferences + noise, -1)
        log_likelihood = log_likelihoods(preferences, actions)
        return actions.astype(jnp.uint8), log_likelihood, value

    actions, log_likelihood, value = lax.map(act_for_seed, (arrays, observations, luck))
    return actions.reshape(-1), log_likelihood.reshape(-1), value.reshape(-1)


def _update(
    settings: Ppo,
    arrays: Arrays,
    moments: Moments,
    rollout: _Rollout,
    beyond: Any,
    parts: Any,
    rate: Any,
    entropy: Any,
) -> tuple[Arrays, Moments, dict[str, Any]]:
    """Return networks and moments after learning from a rollout, and some figures."""

    def update_seed(inputs: Any) -> Any:
        network, momentum, rollout, after, parts = inputs
        advantages = _advantages(settings, rollout, after)
        return _epochs(settings, network, momentum, rollout, advantages, parts, rate, entropy)

    by_seed = _Rollout(*(jnp.swapaxes(part, 0, 1) for part in rollout))
    return lax.map(update_seed, (arrays, moments, by_seed, beyond, parts))  # type: ignore[no-any-return]


def _advantages(settings: Ppo, rollout: _Rollout, beyond: Any) -> Any:
    """Return how much better each decision went than was expected."""
    goes_on = settings.gamma * (1 - rollout.over.astype(jnp.float32))
    after = jnp.concatenate([rollout.value[1:], beyond[None]])
    surprises = rollout.reward + goes_on * after - rollout.value
    return discounted_sums(surprises, goes_on * settings.trace)


def _epochs(
    settings: Ppo,
    arrays: Arrays,
    moments: Moments,
    rollout: _Rollout,
    advantages: Any,
    parts: Any,
    rate: Any,
    entropy: Any,
) -> tuple[Arrays, Moments, dict[str, Any]]:
    """Go over a rollout some times, in shuffled parts: the numbers of their decisions."""
    n = settings.games * settings.slots
    rows = (
        rollout.observations,
        rollout.actions,
        rollout.log_likelihood,
        advantages,
        advantages + rollout.value,
    )
    flat = [row.reshape(n, *row.shape[2:]) for row in rows]

    def step(carried: tuple[Arrays, Moments], part: Any) -> tuple[Any, Any]:
        network, momentum = carried
        gradients, figures = _gradients(network, settings, entropy, [row[part] for row in flat])
        scale = clip_scale(gradients, settings.longest, CLIP_EPSILON)
        gradients = jax.tree.map(lambda gradient: gradient * scale, gradients)
        return adam_step(network, gradients, momentum, rate, epsilon=EPSILON), figures

    (arrays, moments), figures = lax.scan(step, (arrays, moments), parts)
    return arrays, moments, {name: figure.mean() for name, figure in figures.items()}


def _gradients(
    arrays: Arrays, settings: Ppo, entropy: Any, rows: Sequence[Any]
) -> tuple[Arrays, dict[str, Any]]:
    """Return the loss's gradients and some figures; pictures a few at a time, which caches hold."""
    observations, actions, before, advantages, returns = rows
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    rows = (observations, actions, before, scaled, returns)
    gradients = jax.grad(_loss, has_aux=True)
    few = count_at_once(len(actions), settings.strides)
    if few == len(actions):
        return gradients(arrays, settings, entropy, *rows)  # type: ignore[no-any-return]

    def add(total: Any, some: Any) -> tuple[Any, None]:
        return jax.tree.map(jnp.add, total, gradients(arrays, settings, entropy, *some)), None

    some = [row.reshape(-1, few, *row.shape[1:]) for row in rows]
    shapes = jax.eval_shape(
        partial(gradients, arrays, settings, entropy), *(row[0] for row in some)
    )
    nothing = jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
    total, _ = lax.scan(add, nothing, some)
    share = few / len(actions)
    return jax.tree.map(lambda leaf: leaf * share, total)  # type: ignore[no-any-return]


def _loss(
    arrays: Arrays,
    settings: Ppo,
    entropy: Any,
    observations: Any,
    actions: Any,
    before: Any,
    advantages: Any,
    returns: Any,
) -> tuple[Any, dict[str, Any]]:
    preferences, value = apply_network(arrays, observations, settings.strides)
    table = jax.nn.log_softmax(preferences)
    log_likelihood = pick(table, actions)
    gain = clipped_gains(log_likelihood, before, advantages, settings.clip).mean()
    error = 0.5 * ((value - returns) ** 2).mean()
    spread = entropies(table).mean()
    figures = {
        "entropy": spread,
        "value_error": error,
        "divergence": (before - log_likelihood).mean(),
    }
    return settings.value * error - gain - entropy * spread, figures
