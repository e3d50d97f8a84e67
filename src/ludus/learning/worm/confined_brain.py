"""A brain of somebody's own inside its sandbox: it learns here, and its worlds are elsewhere.

Its process never holds a world, a seed of one, or the records that it is compared with. The trainer
runs in a thread of its own and asks for worlds as every trainer does; each of its questions is the
answer to a message of the referee, who owns them.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import AgentError, LudusError
from ludus.games.worm import feature_names, find_task
from ludus.games.worm.codes import FIGURES
from ludus.learning.brain_errors import describe_failure
from ludus.learning.extra import require_jax
from ludus.learning.worm.loading import load_brain
from ludus.learning.worm.log import TrainingLog
from ludus.learning.worm.retraining import make_experiment
from ludus.learning.worm.self_learning import make_self_learner, play_episode

__all__ = ["ConfinedBrain", "RemoteWorlds", "from_spec"]


class RemoteWorlds:
    """Worlds that the referee plays: see :class:`ludus.learning.worm.parallel.Worlds`.

    Args:
        count: How many there are.
        features: How many features each shows.
    """

    def __init__(self, count: int, features: int) -> None:
        self.features: NDArray[np.float32] = np.zeros((count, features), np.float32)
        self.rewards: NDArray[np.float32] = np.zeros(count, np.float32)
        self.ended: NDArray[np.uint8] = np.zeros(count, np.uint8)
        self._shown: SimpleQueue[Mapping[str, Any]] = SimpleQueue()
        self._wishes: SimpleQueue[dict[str, Any]] = SimpleQueue()

    def begin(self, seeds: Sequence[int]) -> None:
        """Begin an episode in every world; the referee knows the seeds, and nobody here does."""
        self.restart(np.ones(len(self.ended), np.bool_), np.zeros(len(self.ended), np.uint64))

    def restart(self, mask: NDArray[np.bool_], seeds: NDArray[np.uint64]) -> None:
        """Begin an episode in some worlds."""
        self._wish(restart=np.array(mask, np.bool_))

    def step(self, actions: NDArray[np.int32]) -> None:
        """Act in every world."""
        self._wish(step=np.array(actions, np.int32))

    def figures(self) -> dict[str, NDArray[np.float64]]:
        """Return figures without meaning: those of the worlds are the referee's."""
        return {name: np.zeros(len(self.ended)) for name in FIGURES}

    def finish(self, **wish: Any) -> None:
        """Say that there is nothing more to play."""
        self._wishes.put(wish)

    def next_wish(self, shown: Mapping[str, Any] | None) -> dict[str, Any]:
        """Show the trainer what became of its last wish, and return its next one."""
        if shown is not None:
            self._shown.put(shown)
        return self._wishes.get()

    def _wish(self, **wish: Any) -> None:
        self._wishes.put(wish)
        shown = self._shown.get()
        self.features[:], self.rewards[:] = shown["features"], shown["rewards"]
        self.ended[:] = shown["ended"]


class ConfinedBrain:
    """Trains a brain with worlds that the referee plays; an agent only for its process.

    Args:
        spec: The brain's code, as ``file.py:Class``.
    """

    name = "brain of somebody's own"

    def __init__(self, spec: str) -> None:
        self._spec = spec
        alone = isinstance(load_brain(spec, 0.0, {}), type)
        self.declared = {"lanes": 1 if alone else _count_lanes()}

    def reset(self, scenario: Mapping[str, Any]) -> None:
        """Begin trainings: of a ``task``, with ``config``, ``seeds`` of brains and ``episodes``."""
        features = len(feature_names(find_task(scenario["task"])))
        self._worlds = RemoteWorlds(self.declared["lanes"], features)
        threading.Thread(target=self._train, args=(scenario,), daemon=True).start()

    def act(self, observation: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return what the trainer wishes next: to ``restart``, to ``step``, or that it is ``done``.

        Raises:
            AgentError: The brain has failed.
        """
        wish = self._worlds.next_wish(observation)
        if "failure" in wish:
            raise AgentError(wish["failure"])
        return wish

    def _train(self, scenario: Mapping[str, Any]) -> None:
        try:
            _train_with(self._worlds, self._spec, scenario)
            self._worlds.finish(done=True)
        except LudusError as error:
            self._worlds.finish(failure=str(error))
        except BaseException as error:  # whatever somebody's code raises
            self._worlds.finish(failure=describe_failure(error))


def from_spec(spec: str) -> ConfinedBrain:
    """Return the agent that ``own-brain:file.py:Class`` names."""
    return ConfinedBrain(spec.partition(":")[2])


def _count_lanes() -> int:
    require_jax()
    from ludus.learning.worm.parallel import LANES

    return LANES


def _train_with(worlds: RemoteWorlds, spec: str, scenario: Mapping[str, Any]) -> None:
    """Train, whatever kind of brain it is, until all episodes are played."""
    episodes, seeds = scenario["episodes"], scenario["seeds"]
    experiment = make_experiment(scenario["task"], spec, scenario["config"], episodes=episodes)
    logs = [TrainingLog(number, 0) for number in range(len(seeds))]
    trainable = experiment.trainable
    if isinstance(trainable, type):
        brain = make_self_learner(trainable, experiment, seeds[0])
        while len(logs[0].episodes) < episodes:
            play_episode(brain, experiment, worlds, logs[0])
        return
    import jax

    from ludus.learning.worm.parallel import ParallelTrainings

    jax.config.update("jax_cpu_enable_async_dispatch", False)  # type: ignore[no-untyped-call]
    names, world = feature_names(experiment.world), experiment.world
    memories: list[Any] = [None] * len(seeds)
    ParallelTrainings(*trainable, world, worlds, names, logs, memories, seeds, episodes).run()
