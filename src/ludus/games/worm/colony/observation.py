"""What a worm that shares its dish is shown, and how it goes to an agent's process."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludus.games.worm.codec import WormCodec
from ludus.games.worm.colony.features import colony_feature_names
from ludus.games.worm.colony.task import ColonyTask
from ludus.games.worm.observation import Observation

__all__ = ["ColonyCodec", "ColonyObservation"]


@lru_cache(maxsize=64)
def _places(task: ColonyTask) -> dict[str, int]:
    return {name: k for k, name in enumerate(colony_feature_names(task))}


class ColonyObservation(Observation):
    """Features by name, those of other worms' scents and company among them.

    Attributes:
        task: The dish.
        features: All features as an array.
    """

    __slots__ = ()

    def __init__(self, task: ColonyTask, features: NDArray[np.float32]) -> None:
        self.task = task.dish
        self.features = features
        self._places = _places(task)


class ColonyCodec(WormCodec):
    """Sends the features; their names come with the scenario's task."""

    def decode_observation(self, values: NDArray[np.float32]) -> ColonyObservation:
        """Return the observation."""
        task: ColonyTask = self._task
        return ColonyObservation(task, values)
