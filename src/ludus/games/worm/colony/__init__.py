"""Several worms on one dish: they compete for its food and leave scents for each other."""

from __future__ import annotations

from ludus.games.worm.colony.batch import ColonyBatch
from ludus.games.worm.colony.frozen_tasks import colony_tasks, find_colony_task
from ludus.games.worm.colony.task import SIX_ACTIONS, ColonyTask, Pheromone
from ludus.games.worm.colony.world import SCENTS, Colony

__all__ = [
    "SCENTS",
    "SIX_ACTIONS",
    "Colony",
    "ColonyBatch",
    "ColonyTask",
    "Pheromone",
    "colony_tasks",
    "find_colony_task",
]
