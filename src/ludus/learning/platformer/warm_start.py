"""A training that goes on from a policy, whose network may be the smaller one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.checkpoint import read_checkpoint
from ludus.errors import AgentError, OptionError, one_line
from ludus.learning.platformer.networks import Layout
from ludus.learning.platformer.settings import Course

__all__ = ["check_fit", "check_start", "grow_network", "read_network"]

MATRIX = 2
NUMBERS = "iuf"
DESCRIPTION = ("actions", "observe", "strides")


def read_network(file: str | Path) -> dict[str, NDArray[Any]]:
    """Return the network of a policy's file.

    Raises:
        AgentError: The file is no checkpoint, or holds other than numbers.
    """
    _, arrays = read_checkpoint(file)
    network = {name: array for name, array in arrays.items() if name not in DESCRIPTION}
    for name, array in network.items():
        if array.dtype.kind not in NUMBERS:
            raise AgentError(f"agent {str(file)!r} is no policy: {name!a:.40} holds no numbers")
    return network


def check_start(course: Course) -> None:
    """Refuse a policy to start from that does not fit, before anything is written.

    Raises:
        OptionError: It is larger than the network to be trained, or of another kind.
    """
    check_fit(read_network(course.start), Layout(course.settings, course.observe).shapes)


def check_fit(old: Mapping[str, NDArray[Any]], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse a network with other layers, or with larger ones.

    Raises:
        OptionError: It is such a network.
    """
    if set(old) != set(shapes):
        raise OptionError(
            f"the policy to start from has {one_line(', '.join(sorted(old)))}, and the training "
            f"{', '.join(sorted(shapes))}: give as many layers in hidden"
        )
    for name, shape in shapes.items():
        mine = old[name].shape
        if len(mine) != len(shape) or any(a > b for a, b in zip(mine, shape, strict=True)):
            raise OptionError(
                f"the policy to start from has {name} of {_size(mine)}, more than {_size(shape)}: "
                "give larger layers in hidden, or the policy's observe"
            )


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
    check_fit(old, {name: array.shape[1:] for name, array in fresh.items()})
    return {name: _grow(old[name], np.array(array)) for name, array in fresh.items()}


def _grow(old: NDArray[Any], fresh: NDArray[Any]) -> Any:
    if old.ndim == MATRIX:
        fresh[:, :, : old.shape[1]] = 0
    fresh[(slice(None), *(slice(n) for n in old.shape))] = old
    return fresh


def _size(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
