"""The parts of addresses that several pages have in common."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

__all__ = ["Number", "RunWord"]

RunWord = Annotated[str, Path(pattern="^[0-9a-f]{8}-[0-9a-f]{8}$")]
"""The id of a run."""

Number = Annotated[int, Path(ge=0, lt=2**31)]
"""The number of an episode."""
