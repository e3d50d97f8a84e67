"""One training of a plan again, from what was written down about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ludus import __version__
from ludus.errors import AgentError, OptionError
from ludus.games.worm import RULES, find_task
from ludus.learning.extra import require_jax

__all__ = ["train_again"]

PARTS = ("brain", "learner")


def train_again(
    task: str, brain: str, *, training: int, seed: int, episodes: int, config: Mapping[str, Any]
) -> dict[str, Any]:
    """Train one brain again and return its session as plain values.

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
    from ludus.learning.worm.chunk import train_some
    from ludus.learning.worm.folder import Folder
    from ludus.learning.worm.plan import Plan

    usual = Plan(
        task=find_task(task).id,
        brain=brain,
        trainings=training + 1,
        episodes=episodes,
        seed=seed,
        settings={},
        evaluation=0,
        engine=RULES,
        version=__version__,
    )
    plan = replace(usual, settings=_changes(usual.config(), config))
    if plan.config() != config:
        raise OptionError(f"the settings are not those of a {brain}")
    with TemporaryDirectory() as place:
        folder = Folder(Path(place))
        folder.begin(plan)
        train_some(folder, [training])
        told: dict[str, Any] = json.loads(folder.session(training).read_text(encoding="utf-8"))
    return told


def _changes(usual: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are not the usual ones."""
    changes: dict[str, Any] = {}
    for part in PARTS:
        given = wanted.get(part)
        if not isinstance(given, dict):
            raise OptionError(f"the settings have no part {part!r}")
        own = usual.get(part, {})
        changes |= {name: value for name, value in given.items() if own.get(name) != value}
    return changes
