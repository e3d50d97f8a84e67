"""Trainings of the catalogue's brains once more, from what their sessions say about them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.array_files import read_arrays
from ludus.errors import AgentError, OptionError, one_line
from ludus.escaping import look_alike
from ludus.games.worm import ACTIONS, feature_names, find_task
from ludus.games.worm.training import Declaration, read_session
from ludus.games.worm.training.code import CODE_FILE
from ludus.games.worm.training.retrained import Retrained
from ludus.learning.extra import require_jax

if TYPE_CHECKING:
    from ludus.learning.worm.experiment import Experiment

__all__ = ["CatalogueTrainer", "make_experiment"]

PARTS = ("brain", "learner")
LARGEST = 10_000
BASELINES = ("gradient", "klinokinesis", "random-walk", "run-and-tumble")
"""Agents that stand on the boards beside the brains."""

KNOWLEDGE = ("angles", "pretrained", "pretraining_steps")
"""Settings that hold what a brain knows before its trainings, and where it knows it from."""


class CatalogueTrainer:
    """Knows the brains of the catalogue and trains them again."""

    def describe(self, task: str, brain: str, config: Mapping[str, Any]) -> Declaration | None:
        """Return what the catalogue says of a brain with these settings; None if it has none.

        Raises:
            MissingExtra: JAX is not installed.
            OptionError: The settings are none of this brain, or hold what it knows before.
        """
        require_jax()
        from ludus.agents.worm.brains import parameters
        from ludus.learning.worm.catalogue import CATALOGUE

        if brain not in CATALOGUE:
            return None
        experiment = make_experiment(task, brain, config)
        trainable: Any = experiment.trainable
        names = feature_names(experiment.world)
        try:
            weights = trainable[0].init(np.random.default_rng(0), names, len(ACTIONS))
        except (ArithmeticError, MemoryError, TypeError, ValueError) as error:
            raise OptionError(f"{brain} cannot be built so: {one_line(error)}") from error
        return replace(experiment.declaration, parameters=parameters(weights))

    def find_namesake(self, name: str) -> str | None:
        """Return the brain or baseline of Ludus that a name is taken for; None if there is none.

        Raises:
            MissingExtra: JAX is not installed.
        """
        require_jax()
        from ludus.learning.worm.catalogue import CATALOGUE

        known = (*CATALOGUE, *BASELINES)
        return next((one for one in known if look_alike(one, name)), None)

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
        """Train some trainings of a brain once more, side by side.

        Raises:
            MissingExtra: JAX is not installed.
            AgentError: The brain is not one of the catalogue, or its code cannot be trained here.
            OptionError: The settings are none of this brain.
        """
        if ":" in brain:
            raise AgentError(f"{brain!r} is no brain of Ludus, and code of others is not run here")
        if code:
            return _train_code(
                task, code, trainings=trainings, seed=seed, episodes=episodes, config=config
            )
        require_jax()
        from ludus.learning.worm.session_folder import SessionFolder
        from ludus.learning.worm.trainings import run_trainings

        experiment = make_experiment(
            task, brain, config, trainings=max(trainings) + 1, episodes=episodes, seed=seed
        )
        with TemporaryDirectory() as path:
            folder = SessionFolder(path)
            folder.begin(experiment)
            run_trainings(path, trainings)
            return [_read_training(folder.session_file(number)) for number in trainings]


def _train_code(
    task: str,
    code: str,
    *,
    trainings: Sequence[int],
    seed: int,
    episodes: int,
    config: Mapping[str, Any],
) -> list[Retrained]:
    """Train code of somebody's own in the sandbox; it is not even looked at here.

    It may read what lies beside its file, so it gets a folder in which nothing else is: no session
    that tells what it is to do.
    """
    from ludus.learning.worm.confined_training import train_confined
    from ludus.learning.worm.experiment import Experiment

    file, _, name = code.rpartition(":")
    count = max(trainings) + 1
    with TemporaryDirectory() as place:
        spec = f"{shutil.copy(file, Path(place) / CODE_FILE)}:{name}"
        experiment = Experiment(find_task(task).id, spec, count, episodes, seed, {}, evaluation=0)
        return train_confined(experiment, trainings, config)


def _read_training(file: Path) -> Retrained:
    return Retrained(read_session(file), read_arrays(file.with_suffix(".npz")))


def make_experiment(
    task: str,
    brain: str,
    config: Mapping[str, Any],
    *,
    trainings: int = 1,
    episodes: int = 1,
    seed: int = 0,
) -> Experiment:
    """Return an experiment that has exactly these settings.

    Raises:
        OptionError: There is none.
    """
    from ludus.learning.worm.experiment import JAX_ALONE, OWN, WORLDS, Experiment

    usual = Experiment(
        task=find_task(task).id,
        brain=brain,
        trainings=trainings,
        episodes=episodes,
        seed=seed,
        settings={},
        evaluation=0,
        brain_seeds=OWN if "brain_seeds" in config else WORLDS,
        training_version=config.get("training_version", JAX_ALONE),
    )
    changes = _find_changes(usual.config(), config)
    changes |= _find_left_out(usual, config)
    knowledge = next((name for name in changes if name in KNOWLEDGE), None)
    if knowledge:
        raise OptionError(f"{knowledge!r} is what a brain knows before, and no setting of {brain}")
    _check_sizes(changes)
    experiment = replace(usual, settings=changes)
    if experiment.config() != config:
        raise OptionError(f"the settings are not those of a {brain}")
    return experiment


def _check_sizes(changes: Mapping[str, Any]) -> None:
    """Refuse settings that would take more memory than a brain of a board may."""
    for name, value in changes.items():
        for number in value if isinstance(value, list) else [value]:
            if isinstance(number, int | float) and not abs(number) <= LARGEST:
                raise OptionError(f"{name!r} is {number!r}: {LARGEST:,} is the most here")


def _find_left_out(usual: Experiment, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that older releases had not, as they were: at their defaults."""
    if isinstance(usual.trainable, type):
        return {}
    return {
        field.name: field.default
        for part, built in zip(PARTS, usual.trainable, strict=True)
        if is_dataclass(built)
        for field in fields(built)
        if field.metadata.get("later")
        and field.name not in config[part]
        and getattr(built, field.name) != field.default
    }


def _find_changes(usual: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are not the usual ones."""
    changes: dict[str, Any] = {}
    for part in PARTS:
        values = wanted.get(part)
        if not isinstance(values, dict):
            raise OptionError(f"the settings have no part {part!r}")
        usual_values = usual.get(part, {})
        changes |= {
            name: value for name, value in values.items() if usual_values.get(name) != value
        }
    return changes
