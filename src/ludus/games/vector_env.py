"""What environments side by side have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError

__all__ = ["reset_mask"]


def reset_mask(options: Mapping[str, Any], num_envs: int) -> NDArray[np.bool_]:
    """Return which environments a reset is for: those of ``options["reset_mask"]``, or all.

    Raises:
        OptionError: The mask is none, or masks everything.
    """
    mask = np.asarray(options.get("reset_mask", np.ones(num_envs, np.bool_)))
    if mask.shape != (num_envs,) or mask.dtype != np.bool_ or not mask.any():
        raise OptionError(
            f"reset_mask has shape {mask.shape} and type {mask.dtype}: give {num_envs} "
            "booleans, one of them true"
        )
    return mask
