"""JSON schemas of answers, as different endpoints take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["without_limits"]

_LIMITS = ("maxItems", "minItems", "maxLength")


def without_limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of the schema without lengths, for endpoints that do not know them."""
    return {
        name: without_limits(value) if isinstance(value, Mapping) else value
        for name, value in schema.items()
        if name not in _LIMITS
    }
