"""One training once more, from what its session says about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any

from ludus.errors import AgentError, OptionError
from ludus.games.worm import find_task
from ludus.games.worm.training import Session, read_session
from ludus.learning.extra import require_jax

__all__ = ["retrain"]

PARTS = ("brain", "learner")


def retrain(
    task: str, brain: str, *, training: int, seed: int, episodes: int, config: Mapping[str, Any]
) -> Session:
    """Train one brain once more and return its session.

    Args:
        task: The task's spec.
        brain: A name of the catalogue; code of others is not run.
        training: The training's number, from 0.
        seed: What the seeds of all trainings are made from.
        episodes: How many episodes it has.
        config: The settings of brain and learner, as the session has them.

    Raises:
        MissingExtra: JAX is not installed.
        AgentError: The brain is not one of the catalogue.
        OptionError: The settings are none of this brain.
    """
    if ":" in brain:
        raise AgentError(f"{brain!r} is no brain of Ludus, and code of others is not run here")
    require_jax()
    from ludus.learning.worm.experiment import Experiment
    from ludus.learning.worm.session_folder import SessionFolder
    from ludus.learning.worm.trainings import run_trainings

    usual = Experiment(
        task=find_task(task).id,
        brain=brain,
        trainings=training + 1,
        episodes=episodes,
        seed=seed,
        settings={},
        evaluation=0,
    )
    experiment = replace(usual, settings=_changes(usual.config(), config))
    if experiment.config() != config:
        raise OptionError(f"the settings are not those of a {brain}")
    with TemporaryDirectory() as path:
        folder = SessionFolder(path)
        folder.begin(experiment)
        run_trainings(path, [training])
        return read_session(folder.session_file(training))


def _changes(usual: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
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
