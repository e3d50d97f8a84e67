"""Native code learns as JAX does: the same gradients, the same weights after an update."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ludus.agents.worm.brains.mlp import Mlp
from ludus.errors import OptionError
from ludus.games.worm import Batch, _native
from ludus.learning.adam import initial_moments
from ludus.learning.ppo import log_likelihoods
from ludus.learning.worm.experiment import Experiment
from ludus.learning.worm.learners.learner import Segment
from ludus.learning.worm.learners.ppo import Ppo, advantages, standardise
from ludus.learning.worm.native_trainings import learns_natively
from ludus.learning.worm.retraining import make_experiment
from ludus.learning.worm.weight_rows import WeightRows

FEATURES, ACTIONS, STEPS, HORIZON = 5, 4, 45, 64
NAMES = [str(number) for number in range(FEATURES)]


def played(chance: np.random.Generator, ended: bool) -> tuple[Segment, tuple[Any, ...]]:
    """Return a segment that nobody played, as JAX and as native code read it."""
    features = chance.normal(size=(HORIZON + 1, FEATURES)).astype(np.float32)
    actions = chance.integers(0, ACTIONS, HORIZON).astype(np.int32)
    logits = chance.normal(size=(HORIZON, ACTIONS)).astype(np.float32)
    rewards, values = chance.normal(size=(2, HORIZON + 1)).astype(np.float32)
    rows = [jnp.asarray(x) for x in (features[:-1], actions, rewards[:-1], logits, values[:-1])]
    after = (jnp.int32(STEPS), jnp.bool_(ended), jnp.asarray(values[STEPS]), jnp.int32(0))
    segment = Segment._make([*rows, {}, *after])
    likely = np.array(log_likelihoods(logits, actions))
    return segment, (features, actions, rewards[:-1].copy(), likely, values)


@pytest.mark.parametrize(("hidden", "ended"), [((64, 64), True), ((6, 10, 9), False), ((), False)])
def test_gradients_are_those_of_jax(hidden: tuple[int, ...], ended: bool) -> None:
    chance = np.random.default_rng(7)
    brain, ppo = Mlp("mlp", hidden), Ppo(horizon=HORIZON, epochs=1, minibatches=1, most=1e9)
    weights = brain.init(chance, NAMES, ACTIONS)
    for name in (name for name in weights if name.endswith(".b")):
        weights[name] += chance.normal(size=weights[name].shape)  # no unit is at its edge
    segment, arrays = played(chance, ended)
    gained = advantages(segment, ppo.discount, ppo.trace)
    part = {
        "start": {},
        "features": segment.features[:, None],
        "actions": segment.actions[:, None],
        "before": arrays[3][:, None],
        "advantages": standardise(gained, segment.mask)[:, None],
        "returns": (gained + segment.values)[:, None],
        "mask": segment.mask.astype(jnp.float32)[:, None],
    }
    expected = jax.grad(partial(ppo._loss, brain=brain, part=part))(weights)
    learned = learn(ppo, hidden, weights, arrays, ended)
    for name, slope in expected.items():
        found = 10 * learned["first"][name]  # Adam's mean of one gradient is a tenth of it
        size = float(np.abs(slope).max())
        np.testing.assert_allclose(found, slope, rtol=1e-4, atol=1e-4 * size, err_msg=name)


def learn(
    ppo: Ppo, hidden: tuple[int, ...], weights: Any, arrays: tuple[Any, ...], ended: bool
) -> dict[str, dict[str, Any]]:
    """Return weights and moments after an update by native code."""
    rows = WeightRows(FEATURES, hidden, ACTIONS)
    native = _native.Ppo(FEATURES, list(hidden), ACTIONS, HORIZON)
    assert native.size == rows.size
    state = (rows.to_row(weights), *np.zeros((2, rows.size), np.float32))
    orders = np.tile(np.arange(STEPS, dtype=np.int32), (ppo.epochs, 1))
    terms = (ppo.rate, ppo.entropy, ppo.clip, ppo.value, ppo.most, ppo.discount, ppo.trace)
    native.learn(arrays, STEPS, ended, state, 0.0, terms, orders, ppo.minibatches)
    return dict(zip(("weights", "first", "second"), map(rows.from_row, state), strict=True))


def test_an_update_leads_to_the_weights_that_jax_comes_to() -> None:
    """One part an epoch, so that its order means nothing; the gradient is cut to its length."""
    chance = np.random.default_rng(3)
    brain, ppo = Mlp("mlp", (16, 16)), Ppo(horizon=HORIZON, epochs=8, minibatches=1, rate=3e-3)
    weights = brain.init(chance, NAMES, ACTIONS)
    segment, arrays = played(chance, True)
    memory = {"weights": weights, "adam": initial_moments(weights)}
    expected = ppo.update(brain, memory, segment, jax.random.key(0))["weights"]
    found = learn(ppo, (16, 16), weights, arrays, True)["weights"]
    for name, array in expected.items():
        moved = np.abs(np.asarray(array) - weights[name]).max()
        assert moved > 1e-3
        np.testing.assert_allclose(found[name], array, atol=1e-3 * moved, err_msg=name)


def test_native_code_refuses_what_is_none_of_its_own() -> None:
    native = _native.Ppo(2, [8], ACTIONS, HORIZON)
    segment = played(np.random.default_rng(0), True)[1]
    weights = np.zeros(native.size, np.float32)
    two, unborn = Batch("foraging-small", 2), Batch("foraging-small", 1)
    two.begin(0)
    for batch in (two, unborn):
        with pytest.raises(ValueError, match="one world with an episode under way"):
            native.play(batch.native, weights, None, segment, True)
    for order in ([[0, 5]], [[0, -1]], [[0]]):
        with pytest.raises(ValueError, match="no such steps"):
            learn_order(native, segment, np.array(order, np.int32))
    with pytest.raises(ValueError, match="no brain has such layers"):
        _native.Ppo(2, [0], ACTIONS, HORIZON)


def learn_order(native: _native.Ppo, segment: Any, order: Any) -> None:
    own = (np.zeros((HORIZON + 1, 2), np.float32), *segment[1:])
    state = tuple(np.zeros((3, native.size), np.float32))
    native.learn(own, 2, True, state, 0.0, (0.1,) * 7, order, 1)  # type: ignore[arg-type]


def test_older_trainings_are_trained_as_they_were() -> None:
    now = Experiment("foraging-small@head", "mlp-ppo", 1, 1, 0, {}, 0)
    config = now.config()
    assert config["training_version"] == 2
    assert make_experiment("foraging-small", "mlp-ppo", config).is_native
    older = {name: part for name, part in config.items() if name != "training_version"}
    assert not make_experiment("foraging-small", "mlp-ppo", older).is_native
    assert not Experiment.from_dict(
        {name: value for name, value in now.to_dict().items() if name != "training_version"}
    ).is_native
    for unknown in (0, 3, "2"):
        with pytest.raises(OptionError, match=r"training_version is .*: this release trains as 1"):
            make_experiment("foraging-small", "mlp-ppo", {**config, "training_version": unknown})
    lstm = Experiment("foraging-small@head", "lstm-ppo", 1, 1, 0, {}, 0).config()
    with pytest.raises(OptionError, match="not those of a lstm-ppo"):
        make_experiment("foraging-small", "lstm-ppo", {**lstm, "training_version": 2})


def test_only_plain_layers_learn_natively() -> None:
    class Own(Mlp):
        pass

    assert learns_natively(Mlp(), Ppo())
    for brain, learner in ((Own(), Ppo()), (Mlp(critic=False), Ppo()), (Mlp(), Ppo(chunk=8))):
        assert not learns_natively(brain, learner)
