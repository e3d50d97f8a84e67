"""Trainings done again from their seed and settings, which is how a learner is re-run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Protocol

from ludus.errors import AgentError, OptionError
from ludus.games.worm.training import EPISODES, Session
from ludus.games.worm.training.records import Declaration, record_of
from ludus.json_files import NotJson, parse_json

__all__ = ["Retrainer", "TrainAgain", "brain_fingerprint", "is_foreign_brain", "retrain_session"]

DIGITS = 16


class Retrainer(Protocol):
    """Trains one training again and returns its session."""

    def __call__(
        self,
        task: str,
        brain: str,
        *,
        training: int,
        seed: int,
        episodes: int,
        config: Mapping[str, Any],
    ) -> Session:
        """Train."""
        ...


def brain_fingerprint(brain: str, config: Mapping[str, Any]) -> str:
    """Return a digest of a brain: its kind and its settings."""
    text = json.dumps([brain, config], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def is_foreign_brain(brain: str) -> bool:
    """Return whether a kind of brain is somebody's code, which is not run to check it."""
    return ":" in brain


def retrain_session(
    task: str,
    brain: str,
    *,
    training: int,
    seed: int,
    episodes: int,
    config: Mapping[str, Any],
    retrainer: Retrainer | None = None,
) -> Session:
    """Train one brain once more and return its session.

    Args:
        task: The task's spec.
        brain: The kind of brain.
        training: The training's number, from 0.
        seed: What the seeds of all trainings are made from.
        episodes: How many episodes it has.
        config: The settings of brain and learner.
        retrainer: What trains; that of Ludus if None.

    Raises:
        AgentError: The brain is code of somebody's.
        MissingExtra: JAX is not installed.
        OptionError: The settings are none of this brain.
    """
    if is_foreign_brain(brain):
        raise AgentError("the brain is code of somebody's")
    train = retrainer or import_module("ludus.learning.worm.retraining").retrain
    again: Session = train(
        task, brain, training=training, seed=seed, episodes=episodes, config=config
    )
    return again


class TrainAgain:
    """Trains submitted brains of a task again.

    Args:
        task_of: Returns the task's spec for the benchmark's options.
        retrainer: What trains; that of Ludus if None.
    """

    def __init__(self, task_of: Callable[..., str], retrainer: Retrainer | None = None) -> None:
        self._task_of, self.retrainer = task_of, retrainer

    def __call__(
        self,
        spec: str,
        fingerprint: str,
        settings: str,
        *,
        seed: int,
        number: int,
        options: Mapping[str, str],
    ) -> bytes:
        """Return the record of one training, done again.

        Raises:
            OptionError: The settings are not those that the fingerprint is of.
            LudusError: It cannot be trained here.
        """
        try:
            config = parse_json(settings)
        except NotJson as error:
            raise OptionError(f"the settings of {spec[:40]!r}: {error}") from error
        if not isinstance(config, dict) or brain_fingerprint(spec, config) != fingerprint:
            raise OptionError(f"the settings of {spec[:40]!r} are not those of its fingerprint")
        task = self._task_of(**options)
        session = retrain_session(
            task,
            spec,
            training=number,
            seed=seed,
            episodes=EPISODES,
            config=config,
            retrainer=self.retrainer,
        )
        return record_of(Declaration(), session.actions or "")
