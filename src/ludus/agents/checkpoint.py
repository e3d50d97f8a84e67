"""Trained agents in ``.npz`` files: arrays and the name of the agent that they make."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.array_files import NotArrays, read_arrays
from ludus.errors import AgentError
from ludus.foreign_files import reason_of

__all__ = ["Arrays", "read_checkpoint", "write_checkpoint"]

Arrays = Mapping[str, NDArray[np.generic]]

_NAME = "agent"


def write_checkpoint(path: str | Path, agent: str, arrays: Arrays) -> None:
    """Write the arrays of a trained agent to a file.

    Args:
        path: The file, ending in ``.npz``.
        agent: The registered name of the agent whose ``from_checkpoint`` takes the arrays.
        arrays: Numbers by name; no objects.
    """
    with Path(path).open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **{_NAME: np.array(agent)}, **arrays)


def read_checkpoint(path: str | Path) -> tuple[str, dict[str, NDArray[np.generic]]]:
    """Return an agent's registered name and its arrays.

    Raises:
        AgentError: The file is not there, or is no checkpoint: the message says why.
    """
    try:
        arrays = read_arrays(path)
    except FileNotFoundError:
        raise AgentError(f"agent {str(path)!r}: there is no such file") from None
    except OSError as error:
        raise AgentError(f"agent {str(path)!r} cannot be read: {reason_of(error)}") from None
    except NotArrays as error:
        raise AgentError(f"agent {str(path)!r} is not a checkpoint: {error}") from None
    name = arrays.pop(_NAME, None)
    if name is None or name.ndim or name.dtype.kind != "U":
        raise AgentError(f"agent {str(path)!r} is not a checkpoint: it names no agent")
    for key, array in arrays.items():
        if array.dtype.kind in "fc" and not np.isfinite(array).all():
            raise AgentError(f"agent {str(path)!r} is not a checkpoint: {key!a:.40} holds NaN")
    return str(name), arrays
