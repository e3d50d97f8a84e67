"""Trainings side by side: all worlds step together, all brains act in one call.

A round is played until each training has its segment, then the segments are learned from together.
Trainings that have theirs early wait. Nothing passes between trainings: one gives the same result
alone, beside others, and after it was broken off and taken up again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains.brain import Brain
from ludus.games.worm import ACTIONS, Task
from ludus.learning.worm.jax_library import JAX
from ludus.learning.worm.learners.learner import Greedy, Learner, Memory, Segment
from ludus.learning.worm.log import TrainingLog, lane_result

__all__ = ["LANES", "ParallelTrainings", "Worlds"]

#: Trainings in a call; fewer are filled up, so that results do not depend on how many there are.
LANES = 25

UPDATES = 2**31  # keys of updates lie beyond those of steps


class Worlds(Protocol):
    """A batch of worlds: see :class:`ludus.games.worm.Batch`."""

    features: NDArray[np.float32]
    rewards: NDArray[np.float32]
    ended: NDArray[np.uint8]

    def step(self, actions: NDArray[np.int32]) -> None:
        """Act in every world; those that have ended stay as they are."""

    def restart(self, mask: NDArray[np.bool_], seeds: NDArray[np.uint64]) -> None:
        """Begin an episode in some worlds."""

    def figures(self) -> dict[str, NDArray[np.float64]]:
        """Return the figures of each world's episode."""


class ParallelTrainings:
    """Up to :data:`LANES` trainings of a brain.

    Args:
        brain: What is trained.
        learner: What trains it.
        task: What is played.
        worlds: :data:`LANES` worlds of the task.
        features: The names of what is sensed.
        logs: The trainings; those with episodes in them are taken up where they were.
        memories: What the learner kept of each training, or None for one that begins.
        seeds: The seed of each brain's own chance.
        episodes: How many episodes a training has.
    """

    def __init__(
        self,
        brain: Brain,
        learner: Learner,
        task: Task,
        worlds: Worlds,
        features: Sequence[str],
        logs: Sequence[TrainingLog],
        memories: Sequence[Memory | None],
        seeds: Sequence[int],
        episodes: int,
    ) -> None:
        self.brain, self.learner, self.task, self.worlds = brain, learner, task, worlds
        self.logs, self.episodes = list(logs), episodes
        self.horizon = learner.horizon or task.max_steps
        self._wide = len(features)
        self._keys = _stack_lanes([jax.random.key(seed) for seed in seeds])
        self.memory = _stack_lanes(
            [
                stored or self._begin(seed, features, key)
                for stored, seed, key in zip(memories, seeds, self._keys, strict=False)
            ]
        )
        self.state = _stack_lanes([brain.start(self._wide)])
        self._starting = np.zeros(LANES, np.bool_)
        self._starting[: len(logs)] = [len(log.episodes) < episodes for log in logs]
        self._active = self._starting.copy()
        self._compile()

    def _begin(self, seed: int, features: Sequence[str], key: Any) -> Memory:
        weights = self.brain.init(np.random.default_rng(seed), features, len(ACTIONS))
        return self.learner.begin({n: jnp.asarray(w) for n, w in weights.items()}, key)

    def _compile(self) -> None:
        brain, learner = self.brain, self.learner

        def draw(key: Any, episode: Any, step: Any) -> Any:
            """Return the episode's key and the luck of the steps to come: drawn at once, cheap."""
            key = jax.random.fold_in(key, episode)
            keys = jax.vmap(jax.random.fold_in, (None, 0))(key, step + jnp.arange(self.horizon))
            return key, jax.vmap(lambda step_key: learner.luck(step_key, len(ACTIONS)))(keys)

        def act(memory: Any, state: Any, features: Any, luck: Any) -> Any:
            weights = learner.weights(memory)
            perceived = brain.perceive(JAX, weights, features)
            logits, value, state = brain.policy(JAX, weights, state, perceived)
            action = learner.choose(memory, logits, luck)
            return perceived, action, logits, value, state

        def improve(memory: Any, lanes: Any, played: Segment, keys: Any, steps: Any) -> Any:
            mine = jax.tree.map(lambda x: x.at[lanes].get(mode="clip"), memory)
            keys = keys.at[lanes].get(mode="clip")
            keys = jax.vmap(jax.random.fold_in)(keys, steps + np.uint32(UPDATES))
            better = jax.vmap(partial(learner.update, brain))(mine, played, keys)
            return jax.tree.map(lambda x, new: x.at[lanes].set(new, mode="drop"), memory, better)

        self._act = jax.jit(jax.vmap(act))
        self._improve = jax.jit(improve, donate_argnums=0)
        self._draw = jax.jit(jax.vmap(draw, out_axes=(0, 1)))
        start = brain.start(self._wide)
        self._reset = jax.jit(
            lambda state, mask: jax.tree.map(
                lambda x, s: jnp.where(mask.reshape(-1, *[1] * jnp.ndim(s)), s, x), state, start
            )
        )
        nothing = np.zeros(LANES, int)
        luck = jax.tree.map(lambda x: x[0], self._draw(self._keys, nothing, nothing)[1])
        shapes = jax.eval_shape(self._act, self.memory, self.state, self.worlds.features, luck)
        self._buffers = {
            name: np.zeros((LANES, self.horizon, *shape.shape[1:]), shape.dtype)
            for name, shape in zip(("features", "action", "logits", "value"), shapes, strict=False)
        }
        self._buffers["reward"] = np.zeros((LANES, self.horizon), np.float32)
        chunks = self.horizon // self.learner.chunk
        self._starts = {
            name: np.zeros((LANES, chunks, *np.shape(x)), np.float32) for name, x in start.items()
        }

    def run(self, after_round: Callable[[list[int]], None] | None = None) -> None:
        """Play and learn until all trainings are over.

        Args:
            after_round: Called with the lanes whose episode has just ended, after their update.
        """
        self.steps = np.zeros(LANES, np.int64)
        self._played: list[list[NDArray[np.int32]]] = [[] for _ in range(LANES)]
        while self._active.any():
            began = time.process_time()
            ended = self._round()
            spent = time.process_time() - began
            for lane in np.flatnonzero(self._lengths):
                share = self._lengths[lane] / self._lengths.sum()
                self.logs[lane].cpu_seconds += spent * float(share)
            if after_round:
                after_round(ended)

    def _round(self) -> list[int]:
        """Play a segment in each lane and learn from it; return the lanes whose episode ended."""
        active = self._active.copy()
        self._start_episodes()
        numbers = np.array([len(log.episodes) for log in self.logs] + [0] * LANES)[:LANES]
        keys, luck = self._draw(self._keys, numbers, self.steps.copy())
        luck = jax.tree.map(np.asarray, luck)
        ended, features_after = self._play(active, luck)
        lanes = np.flatnonzero(active)
        beyond = np.zeros(LANES, np.float32)
        if not ended[lanes].all():
            any_luck = jax.tree.map(lambda x: x[0], luck)
            beyond = np.array(self._act(self.memory, self.state, features_after, any_luck)[3])
        learning = lanes[:0] if isinstance(self.learner, Greedy) else lanes
        for at in range(0, len(learning), self.learner.group):
            self._learn(lanes[at : at + self.learner.group], ended, beyond, numbers, keys)
        self.steps[lanes] += self._lengths[lanes]
        over = [int(lane) for lane in lanes if ended[lane]]
        for lane in lanes:
            self._played[lane].append(self._buffers["action"][lane, : self._lengths[lane]].copy())
        self._log_episodes(over)
        return over

    def _start_episodes(self) -> None:
        if not self._starting.any():
            return
        seeds = np.zeros(LANES, np.uint64)
        seeds[: len(self.logs)] = [log.next_seed for log in self.logs]
        self.worlds.restart(self._starting, seeds)
        self.steps[self._starting] = 0
        if self.state:
            # JAX may read an array after the call returned: it gets one that nobody changes
            self.state = self._reset(self.state, self._starting.copy())
        self._starting[:] = False

    def _play(
        self, active: NDArray[np.bool_], luck: Any
    ) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Fill the buffers with a segment for each active lane; return which ended."""
        running, buffers, worlds = active.copy(), self._buffers, self.worlds
        self._lengths = np.zeros(LANES, np.int64)
        over = np.zeros(LANES, np.bool_)
        chunk, state, memory = self.learner.chunk, self.state, self.memory
        for step in range(self.horizon):
            if step % chunk == 0:
                for name, value in state.items():
                    self._starts[name][:, step // chunk] = value
            now = jax.tree.map(lambda x, step=step: x[step], luck)
            rows, action, logits, value, state = self._act(memory, state, worlds.features, now)
            actions = np.asarray(action, np.int32)
            buffers["features"][:, step], buffers["action"][:, step] = rows, actions
            buffers["logits"][:, step], buffers["value"][:, step] = logits, value
            worlds.step(actions)
            buffers["reward"][:, step] = worlds.rewards
            self._lengths += running
            ended = running & (worlds.ended != 0)
            if ended.any():
                over |= ended
                running &= ~ended
                if not running.any():
                    break
        self.state = state
        return over, worlds.features.copy()

    def _learn(
        self,
        lanes: NDArray[np.int64],
        ended: NDArray[np.bool_],
        beyond: NDArray[np.float32],
        numbers: NDArray[np.int64],
        keys: Any,
    ) -> None:
        full = np.full(self.learner.group, LANES)
        full[: len(lanes)] = lanes
        at = np.minimum(full, LANES - 1)
        buffers = self._buffers
        played = Segment(
            features=buffers["features"][at],
            actions=buffers["action"][at],
            rewards=buffers["reward"][at],
            logits=buffers["logits"][at],
            values=buffers["value"][at],
            starts={name: value[at] for name, value in self._starts.items()},
            length=self._lengths[at],
            ended=ended[at],
            beyond=beyond[at],
            episode=numbers[at],
        )
        self.memory = self._improve(self.memory, full, played, keys, self.steps[at])

    def _log_episodes(self, over: list[int]) -> None:
        if not over:
            return
        figures = self.worlds.figures()
        for lane in over:
            log = self.logs[lane]
            log.add(lane_result(figures, lane, self.task), np.concatenate(self._played[lane]))
            self._played[lane].clear()
            self._starting[lane] = self._active[lane] = len(log.episodes) < self.episodes

    def memory_of(self, lane: int) -> Memory:
        """Return what the learner keeps of one training, as NumPy arrays."""
        memory: Memory = jax.tree.map(lambda x: np.asarray(x[lane]), self.memory)
        return memory


def _stack_lanes(values: Sequence[Any]) -> Any:
    """Return trees stacked to :data:`LANES`, the first one standing in for those missing."""
    full = [*values, *[values[0]] * (LANES - len(values))]
    return jax.tree.map(lambda *leaves: jnp.stack([jnp.asarray(x) for x in leaves]), *full)
