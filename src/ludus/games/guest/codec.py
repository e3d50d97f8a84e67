"""Guest environments in an agent's process: what they show, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludus.games.observation_codec import PlainCodec

__all__ = ["GuestCodec"]


class GuestCodec(PlainCodec):
    """Sends observations as they are; what can be an array, such as stacked frames, becomes one."""

    def encode_observation(self, observation: Any) -> Any:
        """Return the observation with arrays in the place of what stands for them."""
        if isinstance(observation, np.ndarray | np.generic):
            return observation
        if hasattr(observation, "__array__"):
            return np.asarray(observation)
        if isinstance(observation, Mapping):
            return {str(name): self.encode_observation(part) for name, part in observation.items()}
        if isinstance(observation, list | tuple):
            parts = [self.encode_observation(part) for part in observation]
            return parts if isinstance(observation, list) else tuple(parts)
        return observation
