"""Proximal policy optimisation, for several seeds.

Schulman et al. (2017), with generalised advantages. Native code plays a rollout with all games on
all cores, and goes over it some times in shuffled parts. Seeds do not touch: each has its own
games, network and chance, so that a seed learns beside others what it would learn alone.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.platformer._native import Ppo as NativePpo
from ludus.learning.platformer.networks import Layout, draw_orthogonal, initial_network
from ludus.learning.platformer.practice import (
    BUTTONS,
    FIELDS,
    FinishedGames,
    Practice,
    derive_seed,
)
from ludus.learning.platformer.settings import Course, Evolution, Ppo
from ludus.learning.platformer.warm_start import grow_network, read_network

__all__ = ["PpoLearner", "draw_luck", "make_player"]

LEAST_RATE, LEAST_ENTROPY = 0.05, 0.1
"""What is left of them at the end."""

FIGURES = ("entropy", "value_error", "divergence")
MOMENTS = ("first", "second")


class PpoLearner:
    """Learns by PPO.

    Args:
        course: What is learned; its settings are those of PPO.
    """

    def __init__(self, course: Course) -> None:
        settings = course.settings_as(Ppo)
        self._settings, self._total = settings, course.steps
        numbers = range(course.seed, course.seed + course.seeds)
        self.practice = Practice(
            course.stages,
            [derive_seed("practice", seed, k) for seed in numbers for k in range(settings.games)],
            groups=course.seeds,
            slots=settings.slots,
            observe=course.observe,
            reward=settings,
        )
        self.practice.begin()
        self._layout = Layout(settings, course.observe)
        self._seeds = [_Seed(course, settings, self._layout, number) for number in numbers]
        if course.start:
            self._start_from(course.start)
        self.steps = 0

    def _start_from(self, file: str) -> None:
        fresh = [self._layout.from_row(seed.weights) for seed in self._seeds]
        stacked = {name: np.stack([network[name] for network in fresh]) for name in fresh[0]}
        grown = grow_network(read_network(file), stacked)
        for number, seed in enumerate(self._seeds):
            seed.weights[:] = self._layout.to_row({n: array[number] for n, array in grown.items()})

    @property
    def policies(self) -> list[dict[str, NDArray[np.float32]]]:
        """The networks, one for each seed."""
        return [self._layout.from_row(seed.weights) for seed in self._seeds]

    def improve(self) -> tuple[FinishedGames, dict[str, NDArray[Any]]]:
        """Play a rollout and learn from it; return the games that ended, and figures by seed."""
        practice, left = self.practice, 1 - self.steps / self._total
        rollout = self.steps // (self._settings.games * self._settings.slots)
        figures = [
            seed.improve(practice, number, rollout, left) for number, seed in enumerate(self._seeds)
        ]
        done = practice.finished()
        practice.learn_odds(done)
        practice.carry_over()
        self.steps += self._settings.games * self._settings.slots
        columns = np.array(figures).T
        return done, dict(zip(FIGURES, columns, strict=True))

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is needed to go on from here."""
        arrays = {
            f"{part}.{name}": np.stack([network[name] for network in networks])
            for part in ("weights", *MOMENTS)
            for networks in [[self._layout.from_row(getattr(seed, part)) for seed in self._seeds]]
            for name in networks[0]
        }
        games = {f"practice.{name}": array for name, array in self.practice.state().items()}
        count = np.array([seed.count for seed in self._seeds], np.float32)
        return {**arrays, **games, "count": count, "steps": np.array(self.steps)}

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """Go on from a state."""

        def part(prefix: str) -> dict[str, NDArray[Any]]:
            start = f"{prefix}."
            return {
                name.removeprefix(start): array
                for name, array in state.items()
                if name.startswith(start)
            }

        for name in ("weights", *MOMENTS):
            stored = part(name)
            for number, seed in enumerate(self._seeds):
                network = {key: array[number] for key, array in stored.items()}
                getattr(seed, name)[:] = self._layout.to_row(network)
        for seed, count in zip(self._seeds, state["count"], strict=True):
            seed.count = int(count)
        self.steps = int(state["steps"])
        self.practice.restore(part("practice"))


class _Seed:
    """What one seed learns, and what it played last."""

    def __init__(self, course: Course, settings: Ppo, layout: Layout, seed: int) -> None:
        self._settings, self._seed = settings, seed
        self._native = make_player(settings, course.observe, settings.games, settings.slots)
        draw = draw_orthogonal(np.random.default_rng(derive_seed("network", seed)))
        self.weights = layout.to_row(initial_network(draw, settings, course.observe))
        self.first, self.second = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self.count = 0
        shape = (settings.slots, settings.games)
        self._actions = np.zeros(shape, np.uint8)
        self._log_likelihood = np.zeros(shape, np.float32)
        self._value = np.zeros((settings.slots + 1, settings.games), np.float32)

    def improve(
        self, practice: Practice, number: int, rollout: int, left: float
    ) -> tuple[float, float, float]:
        """Play a rollout with the games of this number, and learn from it; return figures."""
        settings, games = self._settings, self._settings.games
        chance = np.random.default_rng(derive_seed("chance", self._seed, rollout))
        first, mine = number * games, slice(number * games, (number + 1) * games)
        self._native.play(
            practice.native, first, BUTTONS, self.weights, draw_luck(chance, self._actions.shape),
            self._actions, self._log_likelihood, self._value,
        )  # fmt: skip
        advantages = _advantages(
            settings, practice.rewards[:, mine], practice.endings[:, mine] > 0, self._value
        )
        parts = _shuffle(chance, settings)
        figures = self._native.learn(
            practice.native, first,
            (self._actions, self._log_likelihood, advantages, advantages + self._value[:-1]),
            (self.weights, self.first, self.second), self.count,
            (settings.rate * max(left, LEAST_RATE), settings.entropy * max(left, LEAST_ENTROPY),
             settings.clip, settings.value, settings.longest),
            parts,
        )  # fmt: skip
        self.count += len(parts)
        return figures


def make_player(settings: Ppo | Evolution, observe: str, games: int, slots: int) -> NativePpo:
    """Return native code that plays so many games with a network of these sizes."""
    widths = [*settings.channels, *settings.hidden, len(BUTTONS) + 1]
    fields = FIELDS.get(observe, 0)
    return NativePpo(fields, list(settings.strides), widths, games, slots, os.cpu_count() or 1)


def draw_luck(chance: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return Gumbel noise for every choice, which makes the largest sum a draw."""
    waits = chance.standard_exponential((*shape, len(BUTTONS)), np.float32)
    return -np.log(np.maximum(waits, np.finfo(np.float32).tiny))


def _shuffle(chance: np.random.Generator, settings: Ppo) -> NDArray[np.int32]:
    """Return the numbers of the decisions in the parts to learn from, one after the other."""
    n = settings.games * settings.slots
    orders = [chance.permutation(n) for _ in range(settings.epochs)]
    return np.array(orders, np.int32).reshape(settings.epochs * settings.minibatches, -1)


def _advantages(
    settings: Ppo, rewards: NDArray[np.float32], over: NDArray[np.bool_], value: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how much better each decision went than was expected (Schulman et al. 2016)."""
    goes_on = np.float32(settings.gamma) * ~over
    sums = rewards + goes_on * value[1:] - value[:-1]
    decays = np.float32(settings.trace) * goes_on
    for slot in range(settings.slots - 2, -1, -1):
        sums[slot] += decays[slot] * sums[slot + 1]
    return sums
