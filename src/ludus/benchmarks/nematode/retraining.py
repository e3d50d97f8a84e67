"""Trainings done again from their seed and settings, which is how a learner is re-run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from ludus.errors import OptionError
from ludus.games.worm.training import EPISODES
from ludus.games.worm.training.records import Declaration, record_of
from ludus.games.worm.training.retrained import Retrained
from ludus.json_files import NotJson, parse_json

__all__ = ["Retrainer", "TrainAgain", "brain_fingerprint", "default_retrainer"]

DIGITS = 16


class Retrainer(Protocol):
    """Knows the brains of the catalogue and trains them again."""

    def describe(self, task: str, brain: str, config: Mapping[str, Any]) -> Declaration | None:
        """Return what the catalogue says of a brain with these settings; None if it has none.

        Raises:
            MissingExtra: JAX is not installed.
            OptionError: The settings are none of this brain, or hold what it knows before.
        """
        ...

    def find_namesake(self, name: str) -> str | None:
        """Return the brain or baseline of Ludus that a name is taken for; None if there is none.

        Raises:
            MissingExtra: JAX is not installed.
        """
        ...

    def train(
        self,
        task: str,
        brain: str,
        *,
        trainings: Sequence[int],
        seed: int,
        episodes: int,
        config: Mapping[str, Any],
        code: str = "",
    ) -> list[Retrained]:
        """Train some trainings again.

        Args:
            task: The task's spec.
            brain: A name of the catalogue.
            trainings: The numbers of the trainings, from 0.
            seed: What the seeds of all trainings are made from.
            episodes: How many episodes each has.
            config: The settings of brain and learner.
            code: The brain's own code as ``file.py:Class``, which is run in the sandbox alone.

        Raises:
            AgentError: The catalogue has no such brain, or its code cannot be trained here.
            MissingExtra: JAX is not installed.
            OptionError: The settings are none of this brain.
        """
        ...


def brain_fingerprint(brain: str, config: Mapping[str, Any]) -> str:
    """Return a digest of a brain: its kind and its settings."""
    text = json.dumps([brain, config], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def default_retrainer() -> Retrainer:
    """Return what trains the brains of Ludus again."""
    trainer: Retrainer = import_module("ludus.learning.worm.retraining").CatalogueTrainer()
    return trainer


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
        trainer = self.retrainer or default_retrainer()
        (again,) = trainer.train(
            task, spec, trainings=[number], seed=seed, episodes=EPISODES, config=config
        )
        return record_of(Declaration(), again.session.actions or "")
