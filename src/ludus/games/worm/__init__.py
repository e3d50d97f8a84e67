"""The worm: a simulated nematode that looks for food among dangers.

Example:
    >>> from ludus.games.worm import World
    >>> world = World("foraging-small", seed=1)
    >>> world.worm
    (10.0, 10.0)
    >>> reward = world.step(0)
"""

from __future__ import annotations

from ludus.games.rules import name_rules
from ludus.games.worm._native import build_info, digest_version, rule_sets
from ludus.games.worm.batch import Batch
from ludus.games.worm.chemotaxis import Chemotaxis, chemotaxis
from ludus.games.worm.codes import ACTIONS, FIGURES, Ending
from ludus.games.worm.features import feature_names
from ludus.games.worm.frozen_tasks import find_task, tasks
from ludus.games.worm.surroundings import (
    Dish,
    Hotspots,
    Oxygen,
    Predators,
    Reward,
    Temperature,
)
from ludus.games.worm.task import Task
from ludus.games.worm.world import World, replay

RULES = name_rules(rule_sets(), "worm")
"""The rule set; its version rises whenever the same actions would come to another end."""

FIRST_RULES = "worm@1"
"""What records name that have the digest of the engine's sources instead of a version."""

__all__ = [
    "ACTIONS",
    "FIGURES",
    "FIRST_RULES",
    "RULES",
    "Batch",
    "Chemotaxis",
    "Dish",
    "Ending",
    "Hotspots",
    "Oxygen",
    "Predators",
    "Reward",
    "Task",
    "Temperature",
    "World",
    "build_info",
    "chemotaxis",
    "digest_version",
    "engine_hash",
    "feature_names",
    "find_task",
    "replay",
    "rule_sets",
    "tasks",
]


def engine_hash() -> str:
    """Return the digest of the sources that the engine was built from."""
    return str(build_info()["source_hash"])
