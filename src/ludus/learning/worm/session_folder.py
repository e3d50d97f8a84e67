"""The folder of an experiment's trainings.

- ``0000.json``: a finished training, episode by episode, with every action: its session
- ``0000.npz``: the brain that came of it, an agent for ``ludus run``
- ``brain.py``: the code of a brain that is somebody's own
- ``progress/``: see :mod:`ludus.learning.folder`; a checkpoint goes when its training is finished
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import jax

from ludus import __version__
from ludus.agents.locating import LocatedAgent, locate
from ludus.agents.worm.brain import write_brain
from ludus.agents.worm.brains import Brain, Weights, parameters
from ludus.errors import OptionError
from ludus.games.worm import engine_hash
from ludus.games.worm.training import (
    EpisodeResult,
    Session,
    pack_actions,
    session_from_dict,
    unpack_actions,
)
from ludus.learning.folder import TrainingFolder, no_checkpoint, replace_file
from ludus.learning.worm.code_file import copy_code
from ludus.learning.worm.experiment import Experiment
from ludus.learning.worm.log import TrainingLog

__all__ = ["FAMILY", "SessionFolder"]

FAMILY, BRAIN = "nematode", "brain"


class SessionFolder(TrainingFolder):
    """The files of an experiment."""

    @property
    def experiment(self) -> Experiment:
        """What is trained.

        Raises:
            OptionError: The folder holds no trainings of the worm.
        """
        if self.family != FAMILY:
            raise OptionError(f"{str(self.path)!r} holds no trainings: begin some with a brain")
        return Experiment.from_dict(self.settings())

    def begin(self, experiment: Experiment) -> None:
        """Write the experiment down, or make sure that it is the one that was.

        Raises:
            OptionError: The folder holds other trainings, or cannot be written.
        """
        if self.family is None:
            made_with = {"ludus": __version__, "jax": jax.__version__, "engine": engine_hash()}
            if ":" in experiment.brain:
                made_with[BRAIN] = locate(experiment.brain).fingerprint
            self.write_settings(FAMILY, experiment.to_dict(), made_with)
            if ":" in experiment.brain:
                copy_code(experiment.brain, self.path)
            return
        before, asked = self.experiment.to_dict(), experiment.to_dict()
        others = [f"{name} {before[name]!r}" for name in asked if before[name] != asked[name]]
        if others:
            raise OptionError(
                f"{str(self.path)!r} holds trainings with {', '.join(others)}: choose another "
                "folder"
            )

    def locate_code(self) -> LocatedAgent | None:
        """Return the file of a brain that is code, not one of the catalogue; nothing is run.

        Raises:
            AgentError: There is no such file.
            OptionError: It is another one than the training was begun with.
        """
        brain = self.experiment.brain
        if ":" not in brain:
            return None
        located = locate(brain)
        begun_with = self.made_with().get(BRAIN, located.fingerprint)
        if begun_with != located.fingerprint:
            raise OptionError(
                f"brain {brain[:200]!r} has fingerprint {located.fingerprint}, the trainings were "
                f"begun with {str(begun_with)[:64]}: begin others in another folder"
            )
        return located

    def session_file(self, training: int) -> Path:
        """Return the file of a finished training."""
        return self.path / f"{training:04d}.json"

    def missing(self) -> list[int]:
        """Return the trainings that are not finished."""
        every = range(self.experiment.trainings)
        return [number for number in every if not self.session_file(number).is_file()]

    def write_progress(
        self, experiment: Experiment, log: TrainingLog, leaves: Sequence[Any]
    ) -> None:
        """Write down how far a training has come.

        Args:
            experiment: What it belongs to.
            log: What was played.
            leaves: The learner's arrays, in their order.
        """
        arrays = {f"leaf{number}": leaf for number, leaf in enumerate(leaves)}
        session = replace(_session(experiment, log, {}, {}), cpu_seconds=log.cpu_seconds)
        self.write_checkpoint(log.training, arrays, {"session": session.to_dict()})

    def read_progress(self, training: int) -> tuple[TrainingLog, list[Any]] | None:
        """Return how far a training had come and the learner's arrays, or None if not begun.

        Raises:
            OptionError: The file is no checkpoint of a training of the worm.
        """
        checkpoint = self.read_checkpoint(training)
        if checkpoint is None:
            return None
        try:
            log = _read_log(training, checkpoint.notes)
            leaves = [checkpoint.arrays[f"leaf{k}"] for k in range(len(checkpoint.arrays))]
        except (KeyError, TypeError, ValueError) as error:
            raise no_checkpoint(self.checkpoint_file(training), error) from None
        return log, leaves

    def finish(
        self,
        experiment: Experiment,
        log: TrainingLog,
        brain: Brain | None = None,
        weights: Weights | None = None,
        features: tuple[str, ...] = (),
        evaluation: Mapping[str, Any] | None = None,
    ) -> None:
        """Write a finished training down, and the brain that came of it."""
        session = _session(experiment, log, weights or {}, evaluation or {})
        if brain is not None and weights:
            steps = log.steps + session.declaration.pretraining_steps
            with replace_file(self.session_file(log.training).with_suffix(".npz")) as file:
                write_brain(file, brain, weights, features, steps)
        with replace_file(self.session_file(log.training)) as file:
            file.write_text(json.dumps(session.to_dict()), encoding="utf-8")
        self.remove_checkpoint(log.training)


def _session(
    experiment: Experiment, log: TrainingLog, weights: Weights, evaluation: Mapping[str, Any]
) -> Session:
    """Return a training as its session."""
    return Session.of_episodes(
        log.episodes,
        name=f"{experiment.name}-{experiment.seed}-{log.training:04d}",
        brain=experiment.name,
        task=experiment.world.id,
        rules=experiment.rules,
        version=__version__,
        seed=experiment.seed,
        training=log.training,
        first_seed=log.first_seed,
        config=experiment.config(),
        declaration=replace(experiment.declaration, parameters=parameters(weights)),
        cpu_seconds=log.cpu_seconds,
        evaluation=evaluation,
        actions=pack_actions(bytes(log.actions)),
    )


def _read_log(training: int, notes: Mapping[str, Any]) -> TrainingLog:
    """Return the log that a checkpoint's notes hold, as a session or as Ludus 0.1 wrote it."""
    if "session" in notes:
        session = session_from_dict(notes["session"], "")
        log = TrainingLog(training, session.first_seed or 0, session.episodes())
        log.actions = bytearray(unpack_actions(session.actions or ""))
        log.cpu_seconds = session.cpu_seconds
        return log
    known = {field.name for field in fields(EpisodeResult)}
    rows = [{name: row[name] for name in known} for row in notes["lines"]]
    log = TrainingLog(training, notes["first_seed"], [EpisodeResult(**row) for row in rows])
    log.actions = bytearray(base64.b64decode(notes["actions"]))
    log.cpu_seconds = notes["cpu_seconds"]
    return log
