"""Learners against what can be worked out by hand or by plain loops."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ludus.agents.worm.brains.mlp import Mlp
from ludus.errors import OptionError
from ludus.learning.adam import adam_step, initial_moments
from ludus.learning.evolution import flatten
from ludus.learning.worm.learners.dqn import Dqn
from ludus.learning.worm.learners.evolution import LIFE, CmaEs, Genetic
from ludus.learning.worm.learners.learner import Learner, Segment, descend
from ludus.learning.worm.learners.ppo import Ppo, advantages, standardise
from ludus.learning.worm.learners.reinforce import Reinforce

FEATURES = ("a", "b")


def segment(length: int, room: int, *, ended: bool = True, **given: Any) -> Segment:
    values: dict[str, Any] = {
        "features": np.zeros((room, 2), np.float32),
        "actions": np.zeros(room, np.int32),
        "rewards": np.zeros(room, np.float32),
        "logits": np.zeros((room, 4), np.float32),
        "values": np.zeros(room, np.float32),
        "starts": {},
        "length": length,
        "ended": ended,
        "beyond": 0.0,
        "episode": 0,
    } | given
    return Segment(**jax.tree.map(jnp.asarray, values))


@pytest.mark.parametrize(("length", "ended"), [(5, True), (8, False), (3, False)])
def test_advantages_are_discounted_sums_of_surprises(length: int, ended: bool) -> None:
    random = np.random.default_rng(length)
    rewards, values = random.normal(size=(2, 8)).astype(np.float32)
    played = segment(length, 8, ended=ended, rewards=rewards, values=values, beyond=0.7)
    after = [*values[1:length], 0.0 if ended else 0.7]
    surprises = [rewards[t] + 0.9 * after[t] - values[t] for t in range(length)]
    expected = [
        sum((0.9 * 0.8) ** (s - t) * surprises[s] for s in range(t, length)) for t in range(length)
    ]
    found = advantages(played, 0.9, 0.8)
    assert np.allclose(found[:length], expected, atol=1e-5)
    assert (np.asarray(found[length:]) == 0).all()


def test_what_is_not_there_does_not_change_the_norm() -> None:
    x = jnp.array([1.0, 2.0, 6.0, 99.0])
    found = standardise(x, jnp.array([True, True, True, False]))
    assert np.allclose(found[:3], (np.array([1, 2, 6]) - 3) / np.std([1, 2, 6], ddof=1), atol=1e-5)
    assert found[3] == 0


@pytest.mark.parametrize("scale", [None, 1.0])
def test_adam_steps_as_published(scale: float | None) -> None:
    arrays, m, v, x = {"x": jnp.array([1.0, -2.0])}, np.zeros(2), np.zeros(2), np.array([1.0, -2.0])
    moments = initial_moments(arrays)
    for t in range(1, 6):
        slope = 2 * x
        gradient = {"x": jnp.asarray(slope, jnp.float32)}
        arrays, moments = adam_step(arrays, gradient, moments, 0.1, epsilon=1e-5, scale=scale)
        m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope**2
        x = x - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-5)
        assert np.allclose(arrays["x"], x, atol=1e-5)


def test_long_gradients_are_cut_and_fixed_weights_stay() -> None:
    weights = {"x": jnp.zeros(2), "fixed.y": jnp.array([5.0])}
    gradient = {"x": jnp.array([30.0, 40.0]), "fixed.y": jnp.array([300.0])}
    stepped, moments = descend(weights, gradient, initial_moments(weights), jnp.float32(0.1), 0.5)
    assert np.allclose(moments.first["x"], [0.03, 0.04], atol=1e-6)
    assert stepped["fixed.y"].tolist() == [5.0]


def bandit(learner: Learner, rounds: int, room: int = 16) -> float:
    """Pay for action 2 only, and return how likely it is in the end."""
    brain = Mlp(hidden=(8,), critic=isinstance(learner, Ppo))
    key = jax.random.key(0)
    weights = brain.init(np.random.default_rng(0), FEATURES, 4)
    memory = learner.begin({n: jnp.asarray(w) for n, w in weights.items()}, key)
    features = np.full((room, 2), 0.5, np.float32)

    @jax.jit
    def play(memory: Any, key: Any) -> Any:
        from ludus.learning.worm.jax_library import JAX

        logits, value, _ = brain.policy(JAX, learner.weights(memory), {}, features[0])
        keys = jax.random.split(key, room)
        actions = jax.vmap(lambda k: learner.choose(memory, logits, learner.luck(k, 4)))(keys)
        played = segment(
            room, room, features=features, actions=actions,
            rewards=(actions == 2).astype(jnp.float32), logits=jnp.tile(logits, (room, 1)),
            values=jnp.full(room, value),
        )  # fmt: skip
        return learner.update(brain, memory, played, key), (actions == 2).mean()

    shares = []
    for number in range(rounds):
        memory, share = play(memory, jax.random.fold_in(key, number))
        shares.append(float(share))
    return float(np.mean(shares[-5:]))


@pytest.mark.parametrize(
    "learner",
    [
        Ppo(horizon=16, epochs=4, rate=3e-3, discount=0.0),
        Reinforce(horizon=16, rate=3e-2, decay_every=0, discount=0.0, temperature=1.0),
        Dqn(horizon=16, rate=1e-2, explore=0.2, replay=200, follow=10, discount=0.0),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_a_learner_finds_out_what_pays(learner: Learner) -> None:
    assert bandit(learner, 60) > 0.7


@pytest.mark.parametrize(
    "learner", [CmaEs(population=10), Genetic(population=10)], ids=["cma-es", "genetic"]
)
def test_evolution_finds_a_far_point(learner: Any) -> None:
    brain, key = Mlp(hidden=(2,), critic=False), jax.random.key(1)
    weights = brain.init(np.random.default_rng(0), FEATURES, 4)
    memory = learner.begin({n: jnp.asarray(w) for n, w in weights.items()}, key)

    def worth(weights: Any) -> Any:
        return -sum(jnp.sum((w - 1.0) ** 2) for w in weights.values())

    @jax.jit
    def generation(memory: Any, key: Any) -> Any:
        def turn(memory: Any, key: Any) -> Any:
            paid = worth(learner.weights(memory))
            played = segment(1, 1, rewards=paid[None])
            return learner.update(brain, memory, played, key), None

        return jax.lax.scan(turn, memory, jax.random.split(key, 10))[0]

    before = worth(learner.result(memory))
    for number in range(60):
        memory = generation(memory, jax.random.fold_in(key, number))
    assert worth(learner.result(memory)) > before / 4


@pytest.mark.parametrize("inheritance", ["lamarck", "baldwin"])
def test_what_a_life_has_taught_is_inherited_or_not(inheritance: Any) -> None:
    learner = Genetic(population=2, elite=1, parents=1, mutation=0.0, inheritance=inheritance)
    brain, key = Mlp(hidden=(2,), critic=False), jax.random.key(1)
    weights = brain.init(np.random.default_rng(0), FEATURES, 4)
    memory = learner.begin({n: jnp.asarray(w) for n, w in weights.items()}, key)
    born = memory["crowd"][0]
    rewards = np.zeros(LIFE, np.float32)
    rewards[3] = 1
    lesson = segment(LIFE, LIFE, ended=False, features=np.full((LIFE, 2), 0.5, np.float32),
                     rewards=rewards, actions=np.arange(LIFE) % 4)  # fmt: skip
    update = jax.jit(lambda memory, played, key: learner.update(brain, memory, played, key))
    memory = update(memory, lesson, key)
    learned = flatten(learner.weights(memory))
    assert not np.allclose(learned, born)
    assert memory["turn"] == 0  # still alive
    for _ in range(2):  # the first dies, then the second, which earns less
        memory = update(memory, lesson._replace(ended=jnp.array(True)), key)
    assert memory["turn"] == 0
    assert memory["paid"] == 0
    best = flatten(learner.result(memory))
    assert np.allclose(best, born) == (inheritance == "baldwin")
    assert np.allclose(flatten(learner.weights(memory)), memory["crowd"][0])


def test_an_unknown_inheritance_is_refused() -> None:
    with pytest.raises(OptionError, match="no inheritance 'weismann'; there are darwin"):
        CmaEs(inheritance="weismann")  # type: ignore[arg-type]


def test_a_replay_keeps_whole_steps_only() -> None:
    learner = Dqn(horizon=4, replay=6)
    weights = {
        n: jnp.asarray(w)
        for n, w in Mlp(critic=False).init(np.random.default_rng(0), FEATURES, 4).items()
    }
    memory = learner.begin(weights, jax.random.key(0))
    features = np.arange(8, dtype=np.float32).reshape(4, 2)
    open_ = segment(4, 4, ended=False, features=features, rewards=np.arange(4, dtype=np.float32))
    memory = learner._remember(memory, open_)
    assert memory["filled"] == 3  # what follows the fourth is not known
    assert memory["steps"]["after"][:3].tolist() == features[1:].tolist()
    memory = learner._remember(memory, segment(2, 4, ended=True, features=features))
    assert memory["filled"] == 5
    assert memory["steps"]["over"][:5].tolist() == [0, 0, 0, 0, 1]


def test_the_learning_rate_fades() -> None:
    learner = Ppo(rate=1e-2, rate_end=0.0, decay=10)
    assert learner.rate_in(jnp.array(5)) == pytest.approx(5e-3)
    assert learner.rate_in(jnp.array(50)) == 0
    assert Ppo(rate=1e-2).rate_in(jnp.array(50)) == pytest.approx(1e-2)
