"""Native code plays and learns as the formulas say, which JAX differentiates here."""

from __future__ import annotations

import os
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ludus.agents.platformer.network import forward
from ludus.games.platformer._native import Ppo as NativePpo
from ludus.learning.platformer.networks import Layout, draw_orthogonal, initial_network
from ludus.learning.platformer.ppo import PpoLearner, make_player
from ludus.learning.platformer.practice import BUTTONS, Practice
from ludus.learning.platformer.settings import Course, Ppo, Reward, settings_for
from ludus.learning.ppo import clipped_gains, discounted_sums, entropies, log_likelihoods

GAMES, SLOTS = 37, 5
RATE, ENTROPY, CLIP, VALUE, LONGEST = 1e-3, 0.02, 0.05, 0.5, 1e9

NETWORKS: dict[str, tuple[str, dict[str, Any]]] = {
    "two layers": ("fields", {"hidden": (16, 9)}),
    "wide": ("wide", {"hidden": (72,)}),
    "no layer": ("fields", {"hidden": ()}),
    "pixels": ("pixels", {"channels": (3, 5), "strides": (8, 2), "hidden": (6,)}),
    "three convolutions": ("pixels", {"channels": (2, 3, 4), "strides": (4, 2, 2), "hidden": (5,)}),
    "squares": ("pixels", {"channels": (4,), "strides": (16,), "hidden": ()}),
}


class Played:
    """A rollout of some games with a network, and what native code wrote about it."""

    def __init__(self, observe: str, layers: dict[str, Any]) -> None:
        self.settings = Ppo(games=GAMES, slots=SLOTS, **layers)
        self.layout = Layout(self.settings, observe)
        chance = np.random.default_rng(5)
        self.arrays = initial_network(draw_orthogonal(chance), self.settings, observe)
        for name in self.arrays:  # preferences that differ, and biases that count
            self.arrays[name] = self.arrays[name] + np.float32(0.05) * chance.standard_normal(
                self.arrays[name].shape, np.float32
            )
        self.practice = Practice(
            ["1-1", "2-1"], range(2 * GAMES), groups=1, slots=SLOTS, observe=observe,
            reward=Reward(patience=3),
        )  # fmt: skip
        self.practice.begin()
        for slot in range(SLOTS):  # the games to be played have others beside them
            self.practice.step(slot, np.full(2 * GAMES, 5, np.uint8))
        self.practice.carry_over()
        self.native = make_player(self.settings, observe, GAMES, SLOTS)
        shape = (SLOTS, GAMES)
        self.luck = chance.gumbel(size=(*shape, len(BUTTONS))).astype(np.float32)
        self.actions = np.zeros(shape, np.uint8)
        self.likelihoods = np.zeros(shape, np.float32)
        self.values = np.zeros((SLOTS + 1, GAMES), np.float32)
        self.native.play(
            self.practice.native, GAMES, BUTTONS, self.layout.to_row(self.arrays), self.luck,
            self.actions, self.likelihoods, self.values,
        )  # fmt: skip

    @property
    def seen(self) -> Any:
        return self.practice.observations[:, GAMES:]


@pytest.fixture(params=NETWORKS)
def played(request: pytest.FixtureRequest) -> Played:
    return Played(*NETWORKS[request.param])


def test_play_is_by_the_network(played: Played) -> None:
    for slot in range(SLOTS + 1):
        output = forward(played.arrays, played.seen[slot], played.settings.strides)
        np.testing.assert_allclose(played.values[slot], output[:, -1], rtol=1e-3, atol=1e-4)
        if slot == SLOTS:
            break
        likely = log_likelihoods(output[:, :-1], played.actions[slot])
        np.testing.assert_allclose(played.likelihoods[slot], likely, rtol=1e-3, atol=1e-4)
        best = np.argmax(output[:, :-1] + played.luck[slot], -1)
        np.testing.assert_array_equal(played.actions[slot], best)
        pressed = played.practice.buttons[slot, GAMES:]
        np.testing.assert_array_equal(pressed, BUTTONS[best])


def test_a_step_is_down_the_gradient(played: Played) -> None:
    chance = np.random.default_rng(6)
    part = chance.permutation(SLOTS * GAMES)[:150].astype(np.int32)
    advantages, returns = chance.normal(size=(2, SLOTS, GAMES)).astype(np.float32)
    before = played.likelihoods + chance.normal(0, 0.1, played.likelihoods.shape).astype(np.float32)
    weights = played.layout.to_row(played.arrays)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    figures = played.native.learn(
        played.practice.native, GAMES, (played.actions, before, advantages, returns),
        (weights, first, second), 0, (RATE, ENTROPY, CLIP, VALUE, LONGEST), part[None],
    )  # fmt: skip

    rows = [x.reshape(SLOTS * GAMES, *x.shape[2:])[part]
            for x in (played.seen[:-1], played.actions, before, advantages, returns)]  # fmt: skip
    gradient, told = jax.grad(loss, has_aux=True)(played.arrays, played.settings.strides, *rows)
    np.testing.assert_allclose(figures, told, rtol=1e-3, atol=1e-5)
    moments = played.layout.from_row(first)
    for name, expected in gradient.items():
        scale = np.abs(expected).max()
        np.testing.assert_allclose(
            moments[name] / 0.1, expected, rtol=2e-3, atol=2e-4 * scale, err_msg=name
        )
    after = played.layout.from_row(weights)
    for name, slope in moments.items():
        moved = RATE * 10 * slope / (np.abs(10 * slope) + 1e-5)
        np.testing.assert_allclose(after[name], played.arrays[name] - moved, atol=2e-6)


def loss(
    arrays: Any, strides: Any, seen: Any, actions: Any, before: Any, advantages: Any, returns: Any
) -> Any:
    output = forward(arrays, seen, strides, jnp)
    table = jax.nn.log_softmax(output[:, :-1])
    likely = log_likelihoods(output[:, :-1], actions)
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = clipped_gains(likely, before, scaled, CLIP).mean()
    error = 0.5 * ((output[:, -1] - returns) ** 2).mean()
    spread = entropies(table).mean()
    figures = jnp.stack([spread, error, (before - likely).mean()])
    return VALUE * error - gain - ENTROPY * spread, figures


def test_long_gradients_are_cut() -> None:
    played = Played(*NETWORKS["two layers"])
    part = np.arange(SLOTS * GAMES, dtype=np.int32)[None]
    lengths = []
    for longest in (LONGEST, 1e-3):
        weights = played.layout.to_row(played.arrays)
        first, second = np.zeros_like(weights), np.zeros_like(weights)
        ones = np.ones((SLOTS, GAMES), np.float32)
        played.native.learn(
            played.practice.native, GAMES, (played.actions, played.likelihoods, ones, ones),
            (weights, first, second), 0, (RATE, ENTROPY, CLIP, VALUE, longest), part,
        )  # fmt: skip
        lengths.append(float(np.linalg.norm(first / 0.1)))
    assert lengths[0] > 0.01
    assert lengths[1] == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("observe", ["fields", "pixels"])
def test_the_number_of_threads_changes_nothing(
    observe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = []
    for threads in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda threads=threads: threads)
        settings = settings_for("ppo", observe, {"games": 40, "slots": 4, "hidden": "8"})
        learner = PpoLearner(
            Course(benchmark="mario-arena/1-1", observe=observe, settings=settings)
        )
        for _ in range(2):
            learner.improve()
        results.append(learner.state())
    for name, array in results[0].items():
        np.testing.assert_array_equal(array, results[1][name], err_msg=name)


def test_advantages_are_generalised() -> None:
    from ludus.learning.platformer.ppo import _advantages

    chance, settings = np.random.default_rng(0), Ppo(games=3, slots=6)
    rewards, over = chance.normal(size=(6, 3)).astype(np.float32), chance.random((6, 3)) < 0.3
    value = chance.normal(size=(7, 3)).astype(np.float32)
    goes_on = settings.gamma * ~over
    surprises = rewards + goes_on * value[1:] - value[:-1]
    expected = discounted_sums(jnp.asarray(surprises), jnp.asarray(goes_on * settings.trace))
    np.testing.assert_allclose(_advantages(settings, rewards, over, value), expected, rtol=1e-5)


def test_what_does_not_fit_is_refused() -> None:
    played = Played(*NETWORKS["two layers"])
    weights = played.layout.to_row(played.arrays)
    rest = (played.luck, played.actions, played.likelihoods, played.values)
    for first in (-1, GAMES + 1):
        with pytest.raises(ValueError, match="not for such games"):
            played.native.play(played.practice.native, first, BUTTONS, weights, *rest)
    with pytest.raises(ValueError, match="weights has the wrong size"):
        played.native.play(played.practice.native, 0, BUTTONS, weights[:-1], *rest)
    ones = played.likelihoods
    with pytest.raises(ValueError, match="no such decision"):
        played.native.learn(
            played.practice.native, 0, (played.actions, ones, ones, ones),
            (weights, weights, weights), 0, (RATE, ENTROPY, CLIP, VALUE, LONGEST),
            np.array([[SLOTS * GAMES]], np.int32),
        )  # fmt: skip
    with pytest.raises(ValueError, match="no network has such layers"):
        NativePpo(0, [8, 8], [2, 2, 13], 4, 4, 1)
