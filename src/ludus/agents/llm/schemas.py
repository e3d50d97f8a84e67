"""JSON schemas of answers, as different endpoints take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ["Schema", "make_object", "make_text", "without_limits"]

Schema: TypeAlias = dict[str, Any]

_LIMITS = ("maxItems", "minItems", "maxLength", "minimum", "maximum")


def make_object(properties: Mapping[str, Any]) -> Schema:
    """Return the form of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def make_text(longest: int) -> Schema:
    """Return the form of a text with an end."""
    return {"type": "string", "maxLength": longest}


def without_limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of the schema without lengths, for endpoints that do not know them."""
    return {
        name: without_limits(value) if isinstance(value, Mapping) else value
        for name, value in schema.items()
        if name not in _LIMITS
    }
