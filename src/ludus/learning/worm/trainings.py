"""Some trainings of an experiment, from where they are to their end, in this process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ludus.agents.worm.brains import Brain
from ludus.games.worm import ACTIONS, Batch, feature_names
from ludus.learning.worker import Report
from ludus.learning.worm import parallel
from ludus.learning.worm.experiment import Experiment
from ludus.learning.worm.learners.learner import Greedy, Learner
from ludus.learning.worm.log import TrainingLog
from ludus.learning.worm.native_trainings import NativeTrainings
from ludus.learning.worm.parallel import ParallelTrainings
from ludus.learning.worm.self_learning import train_self_learner
from ludus.learning.worm.session_folder import SessionFolder

__all__ = ["run_trainings"]

CHECKPOINT_EVERY = 10.0

HELD_OUT = 2**32 - 2**19
"""Worlds from this seed on are for evaluation: no training has them."""


def run_trainings(
    path: str | Path,
    numbers: Sequence[int],
    report: Report = lambda number, standing: None,
    checkpoint_every: float = CHECKPOINT_EVERY,
) -> None:
    """Bring some trainings of a folder to their end.

    Args:
        path: The folder.
        numbers: The numbers of the trainings.
        report: Called with a training's number, and how many episodes it has had and won.
        checkpoint_every: Seconds between two checkpoints.
    """
    folder = SessionFolder(path)
    experiment = folder.experiment
    trainable = experiment.trainable
    if isinstance(trainable, type):
        for number in numbers:
            train_self_learner(trainable, experiment, folder, number, report, checkpoint_every)
        return
    jax.config.update("jax_cpu_enable_async_dispatch", False)  # type: ignore[no-untyped-call]
    for start in range(0, len(numbers), parallel.LANES):
        batch = _Batch(folder, experiment, *trainable, numbers[start : start + parallel.LANES])
        batch.run(report, checkpoint_every)
        batch.finish()


class _Batch:
    """Trainings that go side by side."""

    def __init__(
        self,
        folder: SessionFolder,
        experiment: Experiment,
        brain: Brain,
        learner: Learner,
        numbers: Sequence[int],
    ) -> None:
        self.folder, self.experiment, self.brain, self.learner = folder, experiment, brain, learner
        progress = [folder.read_progress(number) for number in numbers]
        self.logs = [
            stored[0] if stored else TrainingLog(number, experiment.first_seed(number))
            for number, stored in zip(numbers, progress, strict=True)
        ]
        structure = _structure(experiment, brain, learner)
        memories = [
            jax.tree.unflatten(structure, stored[1]) if stored else None for stored in progress
        ]
        seeds = [experiment.brain_seed(number) for number in numbers]
        self.trainings = _parallel(
            experiment, brain, learner, self.logs, memories, seeds, experiment.episodes
        )

    def run(self, report: Report, checkpoint_every: float) -> None:
        """Train to the end."""
        due: set[int] = set()
        last = time.monotonic()

        def after_round(lanes: list[int]) -> None:
            nonlocal last
            if time.monotonic() - last > checkpoint_every:
                due.update(range(len(self.logs)))
                last = time.monotonic()
            for lane in lanes:
                log = self.logs[lane]
                report(log.training, (len(log.episodes), log.wins))
                if lane in due or len(log.episodes) == self.experiment.episodes:
                    leaves = jax.tree.leaves(self.trainings.memory_of(lane))
                    self.folder.write_progress(self.experiment, log, leaves)
                    due.discard(lane)

        self.trainings.run(after_round)

    def finish(self) -> None:
        """Evaluate what came of the trainings on unseen worlds, and write it all down."""
        results = [
            {n: np.asarray(w) for n, w in self.learner.result(memory).items()}
            for memory in map(self.trainings.memory_of, range(len(self.logs)))
        ]
        evaluations: list[dict[str, Any]] = [{} for _ in results]
        if self.experiment.evaluation:
            best, drawn = (self._evaluate(results, sampled) for sampled in (False, True))
            pairs = zip(best, drawn, strict=True)
            evaluations = [{**greedy, "sampled": sampled} for greedy, sampled in pairs]
        names = feature_names(self.experiment.world)
        for log, weights, evaluation in zip(self.logs, results, evaluations, strict=True):
            self.folder.finish(self.experiment, log, self.brain, weights, names, evaluation)

    def _evaluate(self, results: Sequence[Any], sampled: bool) -> list[dict[str, Any]]:
        """Play what brains find best, or by chance, in worlds that no training has."""
        logs = [TrainingLog(number, HELD_OUT) for number in range(len(results))]
        memories = [{"weights": weights} for weights in results]
        count, seeds = self.experiment.evaluation, [HELD_OUT] * len(logs)
        learner = Greedy(sampled)
        _parallel(self.experiment, self.brain, learner, logs, memories, seeds, count).run()
        return [_summary(log) for log in logs]


def _structure(experiment: Experiment, brain: Brain, learner: Learner) -> Any:
    """Return how a training's memory is put together of arrays."""
    random, names = np.random.default_rng(0), feature_names(experiment.world)
    weights = brain.init(random, names, len(ACTIONS))
    memory = learner.begin({n: jnp.asarray(w) for n, w in weights.items()}, jax.random.key(0))
    return jax.tree.structure(memory)


def _parallel(
    experiment: Experiment,
    brain: Brain,
    learner: Learner,
    logs: list[TrainingLog],
    memories: Sequence[Any],
    seeds: Sequence[int],
    episodes: int,
) -> NativeTrainings | ParallelTrainings:
    task, names = experiment.world, feature_names(experiment.world)
    if experiment.is_native:
        mlp: Any = brain
        able: Any = learner
        return NativeTrainings(mlp, able, task, names, logs, memories, seeds, episodes)
    worlds = Batch(task, parallel.LANES)
    worlds.begin(0)
    return ParallelTrainings(brain, learner, task, worlds, names, logs, memories, seeds, episodes)


def _summary(log: TrainingLog) -> dict[str, Any]:
    """Return what an evaluation came to."""
    means = {
        "success_rate": "success",
        "steps": "steps",
        "foods": "foods",
        "distance_efficiency": "efficiency",
        "chemotaxis": "chemotaxis",
        "total_reward": "total_reward",
    }
    return {
        "episodes": len(log.episodes),
        "first_seed": log.first_seed,
        **{
            figure: float(np.mean([getattr(episode, name) for episode in log.episodes]))
            for figure, name in means.items()
        },
    }
