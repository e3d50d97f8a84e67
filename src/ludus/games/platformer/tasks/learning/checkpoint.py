"""What a learning match leaves behind between two plays, so that a killed run goes on there."""

from __future__ import annotations

import json
from typing import Any

from ludus.errors import OptionError
from ludus.games.platformer.tasks.learning.curve import LearningCurve
from ludus.json_files import NotJson, parse_json

__all__ = ["read_checkpoint", "write_checkpoint"]

MOST_VALUES = 10_000_000


def write_checkpoint(curve: LearningCurve, memory: Any) -> bytes:
    """Return a curve and what the agent remembers as bytes."""
    return json.dumps({"curve": curve.to_dict(), "memory": memory}).encode("ascii")


def read_checkpoint(content: bytes, planned: int) -> tuple[LearningCurve, Any]:
    """Return what :func:`write_checkpoint` wrote.

    Raises:
        OptionError: It is no checkpoint of so many training plays.
    """
    try:
        values = parse_json(content, MOST_VALUES)
        return LearningCurve.from_dict(values["curve"], planned), values["memory"]
    except (NotJson, KeyError, TypeError, AttributeError) as error:
        raise OptionError(f"the checkpoint of a learning match cannot be read: {error}") from None
