"""Names the features of a worm that shares its dish."""

from __future__ import annotations

from ludus.games.worm.colony.task import ColonyTask
from ludus.games.worm.features import SCALARS, feature_names

__all__ = ["colony_feature_names"]


def colony_feature_names(task: ColonyTask) -> tuple[str, ...]:
    """Return the name of every feature: the worm's own, then those of other worms.

    Example:
        >>> from ludus.games.worm import find_task
        >>> colony_feature_names(ColonyTask(dish=find_task("foraging-small"), worms=2))[-3:]
        ('pheromone_found.strength', 'pheromone_found.angle', 'social_proximity.count')
    """
    names = list(feature_names(task.dish))
    if task.senses_scents:
        sensing = task.dish.sensing
        parts = ("strength", "angle") if sensing == "oracle" else SCALARS[sensing]
        names += [f"pheromone_{scent}.{part}" for scent in ("alarm", "found") for part in parts]
    return (*names, *(["social_proximity.count"] if task.senses_company else []))
