"""Trainings of code of somebody's own, as their referee sees them: it owns worlds and seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.isolation import AgentProcess
from ludus.agents.registry import BRAIN_SCHEME
from ludus.agents.sandbox import has_sandbox
from ludus.context import RunContext
from ludus.errors import ActionError, AgentError, AgentFault
from ludus.games.worm import ACTIONS, Batch
from ludus.games.worm.training import Session, pack_actions
from ludus.games.worm.training.retrained import Retrained
from ludus.learning.worm.experiment import Experiment
from ludus.learning.worm.log import TrainingLog, lane_result
from ludus.limits import Limits

__all__ = ["train_confined"]

SECONDS_A_TRAINING = 600.0
"""What a training may take; the whole sample of five is then over in less than an hour."""

MOST_LANES = 1_000


def train_confined(
    experiment: Experiment, trainings: Sequence[int], config: Mapping[str, Any]
) -> list[Retrained]:
    """Train some trainings of a brain that is code, in the sandbox, and return what happened.

    Args:
        experiment: What they belong to; its brain is ``file.py:Class``, which is not run here.
        trainings: Their numbers.
        config: The settings of brain and learner.

    Raises:
        AgentError: There is no sandbox here, or the code fails or takes too long in it.
    """
    if not has_sandbox():
        raise AgentError("this system has no sandbox for it")
    results: list[Retrained] = []
    while len(results) < len(trainings):
        results += _train_some(experiment, trainings[len(results) :], config)
    return results


def _train_some(
    experiment: Experiment, trainings: Sequence[int], config: Mapping[str, Any]
) -> list[Retrained]:
    """Train as many trainings as one process takes side by side."""
    limits = Limits(seconds=SECONDS_A_TRAINING * len(trainings))
    context = RunContext(sandbox=True, limits=limits)
    try:
        process = AgentProcess(f"{BRAIN_SCHEME}:{experiment.brain}", "worm", context)
        try:
            lanes = _read_lanes(process.declared)
            referee = _Referee(experiment, trainings[:lanes], lanes)
            referee.play(process, config)
            seconds = process.end_episode().processor_seconds or 0.0
        finally:
            process.kill()
    except (AgentFault, ActionError) as error:
        raise AgentError(str(error)) from None
    return [Retrained(session, {}) for session in referee.sessions(seconds)]


def _read_lanes(declared: Mapping[str, Any]) -> int:
    lanes = declared.get("lanes") if isinstance(declared, Mapping) else None
    if type(lanes) is not int or not 1 <= lanes <= MOST_LANES:
        raise AgentFault(f"has {lanes!r:.40} worlds")
    return lanes


class _Referee:
    """The worlds of some trainings, their seeds and their records.

    Args:
        experiment: What the trainings belong to.
        trainings: Their numbers.
        lanes: How many worlds the trainer has; those without a training count for nothing.
    """

    def __init__(self, experiment: Experiment, trainings: Sequence[int], lanes: int) -> None:
        self._experiment, self._lanes = experiment, lanes
        self._logs = [TrainingLog(number, experiment.first_seed(number)) for number in trainings]
        self._worlds = Batch(experiment.world, lanes)
        self._worlds.begin(0)
        self._running = np.zeros(lanes, np.bool_)
        self._actions: list[list[int]] = [[] for _ in self._logs]

    def play(self, process: AgentProcess, config: Mapping[str, Any]) -> None:
        """Let a brain play until all its episodes are over.

        Raises:
            AgentFault: It wishes what it may not.
        """
        experiment = self._experiment
        seeds = [experiment.brain_seed(log.training) for log in self._logs]
        common = {"task": experiment.task, "episodes": experiment.episodes}
        process.reset({**common, "config": dict(config), "seeds": seeds})
        wish = process.act(None)
        while not self._is_done(wish):
            if "restart" in wish:
                self._restart(self._read(wish["restart"], np.bool_))
            else:
                self._step(self._read(wish.get("step"), np.int32))
            worlds = self._worlds
            shown = {"features": worlds.features, "rewards": worlds.rewards, "ended": worlds.ended}
            wish = process.act(shown)

    def sessions(self, seconds: float) -> list[Session]:
        """Return what happened in each training; all of them took this processor time."""
        share = seconds / len(self._logs)
        return [
            Session.of_episodes(
                log.episodes,
                name=f"training {log.training}",
                training=log.training,
                first_seed=log.first_seed,
                actions=pack_actions(bytes(log.actions)),
                cpu_seconds=share,
            )
            for log in self._logs
        ]

    def _is_done(self, wish: Any) -> bool:
        if not isinstance(wish, dict):
            raise AgentFault(f"wishes {wish!r:.40}")
        whole = all(len(log.episodes) == self._experiment.episodes for log in self._logs)
        if "done" in wish and not whole:
            raise AgentFault("ends before its last episode")
        return "done" in wish

    def _read(self, values: Any, kind: type) -> NDArray[Any]:
        """Return an array with a value for each world."""
        if not isinstance(values, np.ndarray) or values.shape != (self._lanes,):
            raise AgentFault(f"wishes {values!r:.40}")
        return values.astype(kind)

    def _restart(self, mask: NDArray[np.bool_]) -> None:
        """Begin the next episode of some trainings, each of which must have ended the last one."""
        seeds = np.zeros(self._lanes, np.uint64)
        for lane in np.flatnonzero(mask):
            log = self._logs[lane] if lane < len(self._logs) else None
            if log is None or self._running[lane]:
                raise AgentFault(f"begins an episode anew in world {lane}")
            if len(log.episodes) == self._experiment.episodes:
                raise AgentFault(f"goes on after the last episode in world {lane}")
            seeds[lane] = log.next_seed
        self._worlds.restart(mask, seeds)
        self._running |= mask

    def _step(self, actions: NDArray[np.int32]) -> None:
        if ((actions < 0) | (actions >= len(ACTIONS))).any():
            raise ActionError(f"actions {actions.tolist()!r:.60} are not all from 0 to 3")
        self._worlds.step(actions)
        for lane in np.flatnonzero(self._running):
            self._actions[lane].append(int(actions[lane]))
        ended = np.flatnonzero(self._running & (self._worlds.ended != 0))
        figures = self._worlds.figures() if len(ended) else {}
        for lane in ended:
            result = lane_result(figures, int(lane), self._experiment.world)
            self._logs[lane].add(result, np.array(self._actions[lane], np.int32))
            self._actions[lane].clear()
            self._running[lane] = False
