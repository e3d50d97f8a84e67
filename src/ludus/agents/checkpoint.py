"""Trained agents in ``.npz`` files: arrays and the name of the agent that they make."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.errors import AgentError, one_line

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
        AgentError: The file is not there, or is no checkpoint.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise AgentError(f"agent {str(path)!r}: there is no such file") from None
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise AgentError(f"agent {str(path)!r} is not a checkpoint: {one_line(error)}") from None
    if _NAME not in arrays:
        raise AgentError(f"agent {str(path)!r} is not a checkpoint: it names no agent")
    return str(arrays.pop(_NAME)), arrays
