"""Training of brains that learn by themselves: one at a time, a world at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.errors import AgentError, show_value
from ludus.games.worm import ACTIONS, Batch, feature_names
from ludus.learning.worker import Report
from ludus.learning.worm.experiment import Experiment
from ludus.learning.worm.loading import SelfLearner
from ludus.learning.worm.log import TrainingLog, lane_result

if TYPE_CHECKING:
    from ludus.learning.worm.session_folder import SessionFolder

__all__ = ["OneWorld", "make_self_learner", "play_episode", "train_self_learner"]


def train_self_learner(
    kind: type[SelfLearner],
    experiment: Experiment,
    folder: SessionFolder,
    training: int,
    report: Report,
    checkpoint_every: float,
) -> None:
    """Bring one training to its end.

    A brain with ``save`` and ``load`` is taken up where it was broken off, any other begins anew.
    """
    first = experiment.first_seed(training)
    brain = make_self_learner(kind, experiment, experiment.brain_seed(training))
    log, file = TrainingLog(training, first), folder.path / f"progress/{training:04d}.brain"
    progress = folder.read_progress(training)
    if progress and file.exists() and callable(getattr(brain, "load", None)):
        log = progress[0]
        brain.load(file)
    world, last = Batch(experiment.world, 1), time.monotonic()
    while len(log.episodes) < experiment.episodes:
        began = time.process_time()
        play_episode(brain, experiment, world, log)
        log.cpu_seconds += time.process_time() - began
        report(training, (len(log.episodes), log.wins))
        if time.monotonic() - last > checkpoint_every and callable(getattr(brain, "save", None)):
            brain.save(file)
            folder.write_progress(experiment, log, [])
            last = time.monotonic()
    folder.finish(experiment, log)
    file.unlink(missing_ok=True)


class OneWorld(Protocol):
    """A single world: that of :class:`ludus.games.worm.Batch`, or one that is elsewhere."""

    features: NDArray[np.float32]
    rewards: NDArray[np.float32]
    ended: NDArray[np.uint8]

    def begin(self, seeds: Sequence[int]) -> None:
        """Begin an episode."""

    def step(self, actions: NDArray[np.int32]) -> None:
        """Act."""

    def figures(self) -> dict[str, NDArray[np.float64]]:
        """Return the figures of the episode."""


def make_self_learner(kind: type[SelfLearner], experiment: Experiment, seed: int) -> Any:
    """Return a brain that begins a training, with the seed of its own chance."""
    return kind(tuple(feature_names(experiment.world)), len(ACTIONS), seed)


def play_episode(brain: Any, experiment: Experiment, world: OneWorld, log: TrainingLog) -> None:
    """Let a brain play and learn for one episode, and take it down."""
    world.begin([log.next_seed])
    actions: list[int] = []
    while not world.ended[0]:
        features = world.features[0].copy()
        action = _check_action(brain.act(features))
        world.step(np.array([action], np.int32))
        actions.append(action)
        brain.learn(features, action, float(world.rewards[0]), bool(world.ended[0]))
    log.add(lane_result(world.figures(), 0, experiment.world), np.array(actions, np.int32))


def _check_action(action: Any) -> int:
    kinds = int, float, np.integer, np.floating, np.ndarray
    if not isinstance(action, kinds) or np.ndim(action) or action not in range(len(ACTIONS)):
        raise AgentError(
            f"the brain's act() gave {show_value(action)}: give 0 forward, 1 left, 2 right, 3 stay"
        )
    return int(action)
