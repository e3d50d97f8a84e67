"""A training that goes on from a policy, whose network may be smaller than the one to be trained."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import read_checkpoint
from ludus.errors import OptionError

__all__ = ["grow_network", "read_network"]

DESCRIPTION = ("actions", "observe", "strides")


def read_network(file: str | Path) -> dict[str, NDArray[Any]]:
    """Return the network of a policy's file."""
    _, arrays = read_checkpoint(file)
    return {name: array for name, array in arrays.items() if name not in DESCRIPTION}


def grow_network(old: Mapping[str, NDArray[Any]], fresh: Mapping[str, Any]) -> dict[str, Any]:
    """Return networks of the size of fresh ones that decide as the old one does.

    What the old network has not goes on as it is in the fresh one, but does not reach what the old
    one computes: new inputs and new units begin with weights of 0 to the old units.

    Args:
        old: A network.
        fresh: Networks that know nothing yet, one for each seed along the first axis.

    Raises:
        OptionError: The old network is larger, or of another kind.
    """
    if set(old) != set(fresh):
        raise OptionError(
            f"the policy to start from has {', '.join(sorted(old))}, and the training "
            f"{', '.join(sorted(fresh))}: give as many layers in hidden"
        )
    return {name: _grow(name, np.asarray(old[name]), np.array(fresh[name])) for name in fresh}


def _grow(name: str, old: NDArray[Any], fresh: NDArray[Any]) -> Any:
    shape = fresh.shape[1:]
    if len(old.shape) != len(shape) or any(a > b for a, b in zip(old.shape, shape, strict=True)):
        raise OptionError(
            f"the policy to start from has {name} of {_size(old.shape)}, more than {_size(shape)}: "
            "give larger layers in hidden, or the policy's observe"
        )
    if old.ndim == 2:
        fresh[:, :, : old.shape[1]] = 0
    fresh[(slice(None), *(slice(n) for n in old.shape))] = old
    return jnp.asarray(fresh)


def _size(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
