"""What a brain can remember: two tasks without space, learned from the right answers.

- ``bit``: a bit is shown for two steps; so many steps later it is asked for.
- ``associative``: two cues are each shown with a value, in either order. In half of the trials one
  of them is shown again with the other value, which then holds. Later one cue is asked for.

When a brain is asked, nothing that it senses tells the answer: a brain without memory can do no
better than chance. All weights learn by back-propagation through the whole trial, so the probe asks
what a brain's memory can hold, not how well reinforcement finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains import Brain
from ludus.errors import OptionError
from ludus.games.worm import ACTIONS
from ludus.learning.adam import initial_moments
from ludus.learning.worm.jax_library import JAX
from ludus.learning.worm.learners.learner import descend

__all__ = ["CHANCE", "PROBES", "ProbeScore", "Trials", "check_probe", "probe_memory"]

CHANCE = 0.5
"""How often a guess is right."""

SHOWN = 2
"""How many steps something is shown for."""

LONGEST = 1_000
LONGEST_GRADIENT = 1.0

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Trials:
    """Trials of a probe.

    Attributes:
        features: What is sensed [trial, step, feature]; the last step asks.
        answers: What is right in each, 0 or 1.
    """

    features: Floats
    answers: NDArray[np.int32]


@dataclass(frozen=True)
class ProbeScore:
    """What the trainings of a brain came to in trials that they had not seen.

    Attributes:
        right: How many answers of each training were right.
        trials: How many it was asked for.
    """

    right: tuple[int, ...]
    trials: int


def make_bit_trials(random: np.random.Generator, count: int, delay: int) -> Trials:
    """Return trials in which a bit is shown, and asked for ``delay`` steps later.

    The features are the bit, as -1 or 1, and whether it is asked for.
    """
    bits = random.integers(0, 2, count)
    features = np.zeros((count, SHOWN + delay + 1, 2), np.float32)
    features[:, :SHOWN, 0] = (2 * bits - 1)[:, None]
    features[:, -1, 1] = 1
    return Trials(features, bits.astype(np.int32))


def make_associative_trials(random: np.random.Generator, count: int, delay: int) -> Trials:
    """Return trials in which two cues get values, and one is asked for ``delay`` steps later.

    The features are the two cues, the value that is shown, as -1 or 1, and whether it is asked for.
    """
    values = random.integers(0, 2, (count, 2))
    first, again, asked = random.integers(0, 2, (3, count))
    reversed_one = random.random(count) < CHANCE
    features = np.zeros((count, 3 * SHOWN + delay + 1, 4), np.float32)
    each = np.arange(count)

    def show(start: int, cue: NDArray[np.int64], seen: NDArray[np.bool_]) -> None:
        steps = slice(start, start + SHOWN)
        features[each, steps, cue] = seen[:, None]
        features[:, steps, 2] = ((2 * values[each, cue] - 1) * seen)[:, None]

    always = np.ones(count, np.bool_)
    show(0, first, always)
    show(SHOWN, 1 - first, always)
    values[each, again] = np.where(reversed_one, 1 - values[each, again], values[each, again])
    show(2 * SHOWN, again, reversed_one)
    features[each, -1, asked] = 1
    features[:, -1, 3] = 1
    return Trials(features, values[each, asked].astype(np.int32))


PROBES: Mapping[str, Callable[[np.random.Generator, int, int], Trials]] = {
    "bit": make_bit_trials,
    "associative": make_associative_trials,
}
"""The probes by their names; each makes so many trials with such a delay."""


def check_probe(probe: str, delay: int) -> None:
    """Make sure that there is such a probe.

    Raises:
        OptionError: There is none, or the delay is out of range.
    """
    if probe not in PROBES:
        raise OptionError(f"no memory probe {probe!r}; there are {', '.join(PROBES)}")
    if not 0 <= delay <= LONGEST:
        raise OptionError(f"a delay of {delay} steps: give from 0 to {LONGEST:,}")


def probe_memory(
    brain: Brain,
    probe: str,
    delay: int,
    *,
    trainings: int = 3,
    updates: int = 300,
    batch: int = 32,
    trials: int = 200,
    rate: float = 2e-3,
    seed: int = 0,
) -> ProbeScore:
    """Train a brain on a probe, some times over, and ask it in fresh trials.

    Args:
        brain: Whose memory is probed.
        probe: One of :data:`PROBES`.
        delay: The steps between what is shown and the question.
        trainings: How often it is trained, each time from weights of its own.
        updates: The gradients of a training.
        batch: The trials of a gradient.
        trials: The fresh trials that each training is asked in afterwards.
        rate: Adam's learning rate.
        seed: What everything random is drawn from.

    Raises:
        OptionError: There is no such probe, or the delay is out of range.
    """
    check_probe(probe, delay)
    known = list(PROBES).index(probe)
    streams = [np.random.default_rng([seed, known, delay, k]) for k in range(trainings)]
    examples = [PROBES[probe](random, updates * batch, delay) for random in streams]
    tests = [PROBES[probe](random, trials, delay) for random in streams]
    wide = examples[0].features.shape[-1]
    names = tuple(f"probe.{k}" for k in range(wide))
    begun = [brain.init(random, names, len(ACTIONS)) for random in streams]
    weights = {name: jnp.stack([one[name] for one in begun]) for name in begun[0]}
    learned = jax.jit(jax.vmap(partial(_learn, brain, rate, batch)))(weights, *_stack(examples))
    right = jax.jit(jax.vmap(partial(_count_right, brain)))(learned, *_stack(tests))
    return ProbeScore(tuple(int(count) for count in right), trials)


def _stack(several: list[Trials]) -> tuple[Any, Any]:
    """Return features and answers [training, trial, …]."""
    features = np.stack([one.features for one in several])
    return features, np.stack([one.answers for one in several])


def _answer(brain: Brain, weights: Any, features: Any) -> Any:
    """Return the logits of both answers at the end of one trial."""
    start = brain.start(features.shape[-1])

    def step(state: Any, sensed: Any) -> Any:
        seen = brain.perceive(JAX, weights, sensed)
        logits, _, state = brain.policy(JAX, weights, state, seen)
        return state, logits[:2]

    state = jax.tree.map(jnp.asarray, start)
    return jax.lax.scan(step, state, features)[1][-1]


def _learn(brain: Brain, rate: float, batch: int, weights: Any, features: Any, answers: Any) -> Any:
    """Return the weights after a gradient for each batch of trials."""

    def loss(weights: Any, sensed: Any, right: Any) -> Any:
        logits = jax.vmap(partial(_answer, brain, weights))(sensed)
        return -jax.nn.log_softmax(logits)[jnp.arange(batch), right].mean()

    def update(carry: Any, part: Any) -> Any:
        gradient = jax.grad(loss)(carry[0], *part)
        weights, moments = carry
        return descend(weights, gradient, moments, jnp.float32(rate), LONGEST_GRADIENT), None

    parts = jax.tree.map(lambda x: x.reshape(-1, batch, *x.shape[1:]), (features, answers))
    return jax.lax.scan(update, (weights, initial_moments(weights)), parts)[0][0]


def _count_right(brain: Brain, weights: Any, features: Any, answers: Any) -> Any:
    logits = jax.vmap(partial(_answer, brain, weights))(features)
    return (logits.argmax(-1) == answers).sum()
