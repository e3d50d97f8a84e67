"""Trainings of layers of rectifiers by PPO, played and learned from in native code.

It is what :mod:`ludus.learning.worm.parallel` does with JAX for every brain, in a fraction of the
time: a segment is as long as it is, and nothing waits or is compiled. Each training has its own
world, weights and chance, which begins anew with each segment.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.agents.worm.brains.brain import Brain
from ludus.agents.worm.brains.mlp import Mlp
from ludus.games.worm import ACTIONS, Batch, Task, _native
from ludus.learning.adam import Moments
from ludus.learning.worm.learners.learner import Greedy, Learner, Memory
from ludus.learning.worm.learners.ppo import Ppo
from ludus.learning.worm.log import TrainingLog, lane_result
from ludus.learning.worm.weight_rows import WeightRows

__all__ = ["NativeTrainings", "learns_natively"]

Floats = NDArray[np.float32]


def learns_natively(brain: object, learner: object) -> bool:
    """Return whether native code can train a brain: an actor and a critic without memory."""
    return (
        type(brain) is Mlp and brain.critic and type(learner) is Ppo and learner.chunk == 1
    )  # a class made of these may do anything otherwise


class NativeTrainings:
    """Some trainings of a brain, one after the other in each round.

    Args:
        brain: What is trained.
        learner: What trains it, or lets it play only.
        task: What is played.
        features: The names of what is sensed.
        logs: The trainings; those with episodes in them are taken up where they were.
        memories: What was kept of each training, or None for one that begins.
        seeds: The seed of each brain's own chance.
        episodes: How many episodes a training has.
    """

    def __init__(
        self,
        brain: Mlp,
        learner: Ppo | Greedy,
        task: Task,
        features: Sequence[str],
        logs: Sequence[TrainingLog],
        memories: Sequence[Memory | None],
        seeds: Sequence[int],
        episodes: int,
    ) -> None:
        rows = WeightRows(len(features), brain.hidden, len(ACTIONS))
        bench = _Bench(brain, learner, task, len(features))
        self._lanes = [
            _Lane(bench, rows, log, seed, memory or _begin(brain, seed, features))
            for log, seed, memory in zip(logs, seeds, memories, strict=True)
        ]
        self._episodes = episodes

    def run(self, after_round: Callable[[list[int]], None] | None = None) -> None:
        """Play and learn until all trainings are over.

        Args:
            after_round: Called with the trainings whose episode has just ended, by their places.
        """
        while active := [
            (number, lane)
            for number, lane in enumerate(self._lanes)
            if len(lane.log.episodes) < self._episodes
        ]:
            ended = [number for number, lane in active if lane.play_segment()]
            if after_round:
                after_round(ended)

    def memory_of(self, number: int) -> Memory:
        """Return what is kept of one training."""
        return self._lanes[number].memory


def _begin(brain: Brain, seed: int, features: Sequence[str]) -> Memory:
    return {"weights": brain.init(np.random.default_rng(seed), features, len(ACTIONS))}


class _Bench:
    """What trainings take turns to use: native code, and room for a segment."""

    def __init__(self, brain: Mlp, learner: Learner, task: Task, features: int) -> None:
        self.learner, self.task = learner, task
        self.horizon = learner.horizon or task.max_steps
        n = self.horizon
        self.native = _native.Ppo(features, list(brain.hidden), len(ACTIONS), n)
        self.actions = np.zeros(n, np.int32)
        self.segment = (
            np.zeros((n + 1, features), np.float32),
            self.actions,
            np.zeros(n, np.float32),  # rewards
            np.zeros(n, np.float32),  # log-likelihoods
            np.zeros(n + 1, np.float32),  # values
        )


class _Lane:
    """One training."""

    def __init__(
        self, bench: _Bench, rows: WeightRows, log: TrainingLog, seed: int, memory: Memory
    ) -> None:
        self.log = log
        self._bench, self._rows, self._seed = bench, rows, seed
        self._world = Batch(bench.task, 1)
        self._weights = rows.to_row(memory["weights"])
        adam = memory.get("adam")
        empty = np.zeros_like(self._weights)
        self._first = rows.to_row(adam.first) if adam else empty
        self._second = rows.to_row(adam.second) if adam else empty.copy()
        self._count = float(adam.count) if adam else 0.0
        self._played: list[bytes] = []
        self._steps = 0

    @property
    def memory(self) -> Memory:
        """All that is kept of the training."""
        weights, first, second = map(
            self._rows.from_row, (self._weights, self._first, self._second)
        )
        return {"weights": weights, "adam": Moments(np.float32(self._count), first, second)}

    def play_segment(self) -> bool:
        """Play a segment and learn from it; return whether the episode ended."""
        began = time.process_time()
        if not self._steps:
            self._world.begin(self.log.next_seed)
        chance = np.random.default_rng([self._seed, len(self.log.episodes), self._steps])
        length, ended = self._play(chance)
        learner = self._bench.learner
        if isinstance(learner, Ppo):
            self._learn(learner, chance, length, ended)
        self._steps += length
        self._played.append(self._bench.actions[:length].astype(np.uint8).tobytes())
        if ended:
            self._log_episode()
        self.log.cpu_seconds += time.process_time() - began
        return ended

    def _play(self, chance: np.random.Generator) -> tuple[int, bool]:
        bench = self._bench
        best_only = isinstance(bench.learner, Greedy) and not bench.learner.sampled
        luck = None
        if not best_only:
            luck = chance.gumbel(size=(bench.horizon, len(ACTIONS))).astype(np.float32)
        learns = isinstance(bench.learner, Ppo)
        return bench.native.play(self._world.native, self._weights, luck, bench.segment, learns)

    def _learn(self, ppo: Ppo, chance: np.random.Generator, length: int, ended: bool) -> None:
        steps = np.tile(np.arange(length, dtype=np.int32), (ppo.epochs, 1))
        orders = chance.permuted(steps, axis=1)
        rate = float(ppo.rate_in(len(self.log.episodes)))
        terms = (rate, ppo.entropy, ppo.clip, ppo.value, ppo.most, ppo.discount, ppo.trace)
        state = (self._weights, self._first, self._second)
        self._bench.native.learn(
            self._bench.segment, length, ended, state, self._count, terms, orders, ppo.minibatches
        )
        self._count += ppo.epochs * ppo.minibatches

    def _log_episode(self) -> None:
        result = lane_result(self._world.figures(), 0, self._bench.task)
        self.log.add(result, np.frombuffer(b"".join(self._played), np.uint8))
        self._played.clear()
        self._steps = 0
