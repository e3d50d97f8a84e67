"""A training that was done again, to be compared with the one that somebody submitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ludus.games.worm.training.session import Session

__all__ = ["Retrained"]


class Retrained(NamedTuple):
    """A training that was done again.

    Attributes:
        session: What happened in it.
        weights: The arrays of the file that its brain was written to.
    """

    session: Session
    weights: Mapping[str, NDArray[Any]]
