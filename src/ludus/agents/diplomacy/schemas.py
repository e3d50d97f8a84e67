"""The forms of answers as JSON schemas, each with an end: no list or text without a limit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ludus.agents.llm.schemas import Schema, make_object, make_text
from ludus.games.diplomacy.records import EVERYBODY, POWERS

__all__ = [
    "LABELS",
    "consolidation_schema",
    "negotiation_schema",
    "orders_schema",
    "property_of",
    "reflection_schema",
]

LABELS = ("Enemy", "Unfriendly", "Neutral", "Friendly", "Ally")
"""How a power may stand to another, from the worst to the best."""

MOST_VALUES = 1000  # that a strict schema may list in all its enumerations
MOST_MESSAGES = 6
MOST_GOALS = 5
LONGEST_ORDER = 60
LONGEST_MESSAGE = 600
LONGEST_ENTRY = 600
LONGEST_GOAL = 160
LONGEST_SUMMARY = 1500


def orders_schema(legal: Mapping[str, Sequence[str]], adjust: int = 0) -> Schema:
    """Return the form of orders: for each unit one of its legal orders.

    Where there would be more than :data:`MOST_VALUES` of them, the units with the most may answer
    with any text.

    Args:
        legal: The legal orders of each location.
        adjust: How many units may be built or must be removed; 0 if each location has an order.
    """
    plan = make_text(LONGEST_ENTRY)
    if adjust:
        orders = list(dict.fromkeys(order for several in legal.values() for order in several))
        limits = {"maxItems": abs(adjust)}
        listed = {"type": "array", "items": _order(orders, len(orders) <= MOST_VALUES), **limits}
        return make_object({"plan": plan, "orders": listed})
    room, units = MOST_VALUES, {}
    for location in sorted(legal, key=lambda location: len(legal[location])):
        room -= len(legal[location])
        units[location] = _order(legal[location], room >= 0)
    return make_object(
        {"plan": plan, "orders": make_object({property_of(p): units[p] for p in legal})}
    )


def property_of(location: str) -> str:
    """Return a location as the name of a property: letters, digits and underscores."""
    return re.sub(r"\W", "_", location)


def negotiation_schema(powers: Iterable[str]) -> Schema:
    """Return the form of messages to these powers or to everybody."""
    recipients = {"type": "string", "enum": [EVERYBODY, *powers]}
    message = make_object({"recipient": recipients, "text": make_text(LONGEST_MESSAGE)})
    return make_object({"messages": {"type": "array", "items": message, "maxItems": MOST_MESSAGES}})


def reflection_schema(power: str) -> Schema:
    """Return the form of a diary's entry with goals and relationships."""
    labels = {"type": "string", "enum": list(LABELS)}
    rivals = {rival: labels for rival in POWERS if rival != power}
    goals = {"type": "array", "items": make_text(LONGEST_GOAL), "maxItems": MOST_GOALS}
    return make_object(
        {"diary": make_text(LONGEST_ENTRY), "goals": goals, "relationships": make_object(rivals)}
    )


def consolidation_schema() -> Schema:
    """Return the form of a diary's summary."""
    return make_object({"summary": make_text(LONGEST_SUMMARY)})


def _order(orders: Sequence[str], listed: bool) -> Schema:
    return {"type": "string", "enum": list(orders)} if listed else make_text(LONGEST_ORDER)
