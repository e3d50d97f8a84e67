"""The spaces of the worm's environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.worm.codes import ACTIONS
from ludus.games.worm.features import feature_names
from ludus.games.worm.task import Task

__all__ = ["action_space", "observation_space", "to_action_array"]

_WIDE = 1024.0
_ALL_OVER = ("gradient.strength", "stam.")


def _reach(name: str, task: Task) -> float:
    logarithmic = task.adaptation == "logarithm" and name.endswith("food_chemotaxis.concentration")
    return _WIDE if logarithmic or name.startswith(_ALL_OVER) else 1.0


def observation_space(task: Task) -> spaces.Space[Any]:
    """Return the space of what a worm senses: one number a feature."""
    most = np.array([_reach(name, task) for name in feature_names(task)], np.float32)
    return spaces.Box(-most, most, dtype=np.float32)


def action_space(task: Task, actions: str | None) -> spaces.Space[Any]:
    """Return the space of actions: four, or speed and turn on a dish.

    Args:
        task: What is played.
        actions: ``"discrete"``, ``"steering"``, or None for what is natural to the task.

    Raises:
        OptionError: The task has no such actions.
    """
    if actions not in (None, "discrete", "steering"):
        raise OptionError(f"actions {actions!r} are unknown: try 'discrete' or 'steering'")
    steered = task.substrate == "continuous" if actions is None else actions == "steering"
    if not steered:
        return spaces.Discrete(len(ACTIONS))
    if task.substrate == "grid":
        raise OptionError(f"{task.id} is a grid, whose worm is not steered: try 'discrete'")
    low, high = np.array([0, -1], np.float32), np.array([1, 1], np.float32)
    return spaces.Box(low, high, dtype=np.float32)


def to_action_array(actions: Any, space: spaces.Space[Any]) -> NDArray[Any]:
    """Return actions as a batch takes them: whole numbers, or floats where it is steered."""
    array = np.asarray(actions)
    return array.astype(np.float32) if isinstance(space, spaces.Box) else array
