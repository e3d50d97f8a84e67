"""The observation of the worm: its senses, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.worm.features import feature_names
from ludus.games.worm.task import Task

__all__ = ["Observation"]


@lru_cache(maxsize=64)
def _places(task: Task) -> dict[str, int]:
    return {name: k for k, name in enumerate(feature_names(task))}


class Observation(Mapping[str, float]):
    """Features by name, such as ``observation["food_chemotaxis.angle"]``.

    Attributes:
        task: What is being played.
        features: All of them as an array.

    Example:
        >>> from ludus.games.worm import World
        >>> world = World("foraging-small", seed=1)
        >>> sorted(Observation(world.task, world.features))
        ['food_chemotaxis.angle', 'food_chemotaxis.strength']
    """

    __slots__ = ("_places", "features", "task")

    def __init__(self, task: Task, features: NDArray[np.float32]) -> None:
        self.task = task
        self.features = features
        self._places = _places(task)

    @property
    def names(self) -> tuple[str, ...]:
        """What the features are called, in their order."""
        return tuple(self._places)

    def __getitem__(self, name: str) -> float:
        try:
            return float(self.features[self._places[name]])
        except KeyError:
            senses = ", ".join(self._places)
            raise OptionError(f"{name!r} is not sensed in {self.task.id}: {senses} are") from None

    def get(self, name: str, default: float = 0.0) -> float:  # type: ignore[override]
        """Return a feature, or the default where there is no such sense."""
        return self[name] if name in self._places else default

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
