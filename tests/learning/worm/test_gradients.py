"""JAX and NumPy give the same answers, and gradients are what they should be."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ludus.agents.worm.brains import NUMPY, Brain
from ludus.agents.worm.brains.circuit import Circuit
from ludus.agents.worm.brains.qlif import Qlif
from ludus.agents.worm.brains.spiking import Spiking
from ludus.learning.worm.catalogue import CATALOGUE
from ludus.learning.worm.jax_library import JAX

FEATURES = ("food_chemotaxis.strength", "food_chemotaxis.angle")
SENSED = np.array([[0.3, -0.7], [0.8, 0.1], [0.5, 0.5], [0.9, -0.2]], np.float32)
NAMES = list(CATALOGUE)


def compile_quickly(function: Any) -> Any:
    """Compile what is called once: its speed does not matter."""
    return jax.jit(function, compiler_options={"xla_backend_optimization_level": 0})


def weights_of(brain: Brain) -> dict[str, Any]:
    return brain.init(np.random.default_rng(1), FEATURES, 4)


def answers(lib: Any, brain: Brain, weights: Any, sensed: Any) -> tuple[Any, Any]:
    if lib is JAX and not brain.start(2):  # nothing passes from row to row: compiled once for all

        def answer(row: Any) -> tuple[Any, Any]:
            return brain.policy(lib, weights, {}, brain.perceive(lib, weights, row))[:2]

        return jax.vmap(answer)(sensed)
    state, logits, values = brain.start(2), [], []
    for features in sensed:
        seen = brain.perceive(lib, weights, features)
        found, value, state = brain.policy(lib, weights, state, seen)
        logits.append(found)
        values.append(value)
    return lib.stack(logits), lib.stack(values)


@pytest.mark.parametrize("name", NAMES)
def test_numpy_plays_what_jax_learned_and_gradients_reach_every_weight(name: str) -> None:
    brain = CATALOGUE[name].brain
    weights = weights_of(brain)

    def total(weights: Any) -> Any:
        logits, values = answers(JAX, brain, weights, jnp.asarray(SENSED))
        return (jax.nn.log_softmax(logits) ** 2).sum() + (values**2).sum(), (logits, values)

    gradient, (logits, values) = compile_quickly(jax.grad(total, has_aux=True))(weights)
    expected = answers(NUMPY, brain, weights, SENSED)
    assert np.allclose(logits, expected[0], atol=2e-4)
    assert np.allclose(values, expected[1], atol=2e-4)
    for weight, slope in gradient.items():
        assert np.isfinite(slope).all(), weight
        if not weight.startswith("fixed."):
            assert np.abs(slope).max() > 0, weight


def chance(angles: Any, action: int, features: Any) -> Any:
    return Circuit().chances(JAX, angles.reshape(2, 3, 2), features)[action]


def test_the_circuits_gradient_is_that_of_the_parameter_shift_rule() -> None:
    angles = np.random.default_rng(2).uniform(-3, 3, 12).astype(np.float32)
    jacobian = compile_quickly(
        jax.jacrev(lambda a, f: Circuit().chances(JAX, a.reshape(2, 3, 2), f))
    )
    slopes = [np.asarray(jacobian(angles, features)) for features in SENSED[:2]]
    for exact, features in zip(slopes, SENSED, strict=False):
        shifted = np.array(
            [
                Circuit().chances(NUMPY, (angles + shift).reshape(2, 3, 2), features)
                for shift in np.concatenate([np.eye(12), -np.eye(12)]) * np.pi / 2
            ]
        )
        assert np.allclose(exact.T, (shifted[:12] - shifted[12:]) / 2, atol=1e-5)
    assert not np.allclose(slopes[0], slopes[1], atol=1e-3)  # it sees what is sensed


def test_going_up_the_circuits_gradient_makes_an_action_likelier() -> None:
    angles = jnp.asarray(np.random.default_rng(4).uniform(-1, 1, 12), jnp.float32)
    features = jnp.asarray(SENSED[0])
    slope = jax.jit(jax.value_and_grad(lambda a: jnp.log(chance(a, 2, features))))
    before = slope(angles)[0]
    for _ in range(30):
        angles = angles + 0.1 * slope(angles)[1]
    assert slope(angles)[0] > max(np.log(0.9), float(before))


def differences(function: Any, weights: dict[str, Any], name: str) -> np.ndarray:
    """Slopes by finite differences, in double precision with NumPy."""
    small, found = 1e-5, np.zeros(np.size(weights[name]))
    for k in range(found.size):
        sides = []
        for sign in (1, -1):
            moved = np.array(weights[name], np.float64)
            moved.reshape(-1)[k] += sign * small
            sides.append(function({**weights, name: moved}))
        found[k] = (sides[0] - sides[1]) / (2 * small)
    return found.reshape(np.shape(weights[name]))


def test_qubit_neurons_have_exact_gradients() -> None:
    brain = Qlif(hidden=3, ticks=4)
    weights = {n: np.asarray(w, np.float64) for n, w in weights_of(brain).items()}
    features = SENSED[1].astype(np.float64)

    def first(lib: Any, weights: Any) -> Any:
        return brain.reflex(lib, weights, features)[0]

    single = {n: jnp.asarray(w, jnp.float32) for n, w in weights.items()}
    slopes = jax.grad(lambda w: first(JAX, w))(single)
    for name in weights:
        near = differences(lambda w: float(first(NUMPY, w)), weights, name)
        assert np.allclose(slopes[name], near, atol=1e-3), name


def test_a_neuron_fires_over_its_threshold_and_is_reset() -> None:
    brain = Spiking(units=2, threshold=1.0)
    weights = weights_of(brain)
    weights["sense.w"], weights["sense.b"] = np.zeros((2, 2)), np.array([2.0, 0.5])
    weights["back.w"] = np.zeros((2, 2))
    state = brain.start(2)
    fired = []
    for _ in range(4):
        _, _, state = brain.policy(NUMPY, weights, state, SENSED[0])
        fired.append(state["spikes"].tolist())
    assert [one[0] for one in fired] == [1, 1, 1, 1]
    assert [one[1] for one in fired] == [0, 0, 1, 0]  # 0.5, 0.95, 1.36 fires, 0.5 again


def test_a_spike_has_the_slope_of_a_sigmoid() -> None:
    over = jnp.array([-1.0, 0.5, 2.0])
    assert JAX.spike(over, 2.0).tolist() == [0, 1, 1]
    slope = jax.grad(lambda x: JAX.spike(x, 2.0).sum())(over)
    sigmoid = 1 / (1 + np.exp(-2 * np.asarray(over)))
    assert np.allclose(slope, 2 * sigmoid * (1 - sigmoid), atol=1e-6)
