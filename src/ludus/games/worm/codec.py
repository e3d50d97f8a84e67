"""The worm in an agent's process: its task once, then its senses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.games.observation_codec import PlainCodec
from ludus.games.worm.observation import Observation

__all__ = ["WormCodec"]


class WormCodec(PlainCodec):
    """Sends the features of an observation; their names come with the scenario's task."""

    def __init__(self) -> None:
        self._task: Any

    def decode_scenario(self, values: Any) -> Any:
        """Return the scenario."""
        self._task = values.task
        return values

    def encode_observation(self, observation: Observation) -> NDArray[np.float32]:
        """Return the features."""
        return observation.features

    def decode_observation(self, values: NDArray[np.float32]) -> Observation:
        """Return the observation."""
        return Observation(self._task, values)
