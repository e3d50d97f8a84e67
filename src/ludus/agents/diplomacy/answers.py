"""From what a model wrote to what it meant: lenient in reading, strict in what is let through."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludus.agents.diplomacy.schemas import (
    LABELS,
    LONGEST_ENTRY,
    LONGEST_GOAL,
    LONGEST_MESSAGE,
    LONGEST_SUMMARY,
    MOST_GOALS,
    MOST_MESSAGES,
    property_of,
)
from ludus.agents.llm.reading import clean, find_field, find_json, without_thoughts
from ludus.games.diplomacy.orders import OrderBook, unit_province
from ludus.games.diplomacy.records import EVERYBODY, POWERS, Message, Rejection

__all__ = [
    "Orders",
    "Reflection",
    "read_messages",
    "read_orders",
    "read_reflection",
    "read_summary",
]

MOST_REJECTED = 20
MOST_ENTRIES = 200
MOST_LINES = 200
MOST_PARTS = 8
SEPARATOR = re.compile(r"[;,\n|]|\sand\s", re.I)
EVERYONE = (EVERYBODY, "ALL", "EVERYONE", "EVERYBODY", "PUBLIC")


# ---- orders


@dataclass(frozen=True, slots=True)
class Orders:
    """What could be made of an answer to the question for orders.

    Attributes:
        legal: Orders by location, or by number where units are built or removed.
        rejected: Texts that are no legal orders, and why.
        plan: What the model says it is up to.
        read: Whether anything like orders was found at all.
    """

    legal: Mapping[str, str]
    rejected: tuple[Rejection, ...] = ()
    plan: str = ""
    read: bool = True


def read_orders(
    text: str, legal: Mapping[str, Sequence[str]], kind: str, adjust: int = 0
) -> Orders:
    """Return the orders in an answer.

    Args:
        text: The answer.
        legal: The legal orders of each location.
        kind: The phase's kind, ``M``, ``R`` or ``A``.
        adjust: How many units may be built or must be removed.
    """
    value = find_json(text, "orders")
    book = OrderBook([order for orders in legal.values() for order in orders], kind)
    entries = _list_entries(value)
    if entries is None:
        entries = _orders_in_text(text, book, adjust)
    if not entries:
        return Orders({}, read=find_field(value, "orders") is not None)
    plan = clean(find_field(value, "plan"), LONGEST_ENTRY)
    pieces = [piece for entry in entries[:MOST_ENTRIES] for piece in _split(*entry, book)]
    accepted, rejected = _look_up(pieces, legal, book, adjust)
    return Orders(accepted, tuple(rejected[:MOST_REJECTED]), plan)


def _list_entries(value: Any) -> list[tuple[str, Any]] | None:
    """Return what stands where orders should, each with the unit that it stands at."""
    orders = find_field(value, "orders")
    value = value if orders is None else orders
    if isinstance(value, dict) and len(value) == 1 and str(min(value)).upper() in POWERS:
        (value,) = value.values()
    if isinstance(value, dict):
        return [(str(unit), order) for unit, order in value.items()]
    if isinstance(value, list):
        return [("", order) for order in value]
    return [("", value)] if isinstance(value, str) else None


def _split(unit: str, value: Any, book: OrderBook) -> list[tuple[str, Any]]:
    """Return the orders of one entry: of a list, an object, a text of several, or the only one."""
    if isinstance(value, list):
        entries = [one for one in value[:MOST_ENTRIES] if not isinstance(one, list)]
        return [piece for one in entries for piece in _split("", one, book)]
    if isinstance(value, dict):
        unit, value = _read_object(unit, value)
    if not isinstance(value, str) or isinstance(book.find(value), str):
        return [(unit, value)]
    place = unit.replace("_", "/")
    for with_unit in (f"{place} {value}", f"{place} - {value}"):  # "PAR": "- BUR", "PAR": "BUR"
        if unit and isinstance(book.find(with_unit), str):
            return [(unit, with_unit)]
    pieces = [piece for piece in SEPARATOR.split(value)[:MOST_ENTRIES] if piece.strip()]
    several = [piece for piece in pieces if isinstance(book.find(piece), str)]
    return [(unit, piece) for piece in pieces] if several else [(unit, value)]


def _read_object(unit: str, value: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the unit and the text of an order that is written as an object."""
    text = find_field(value, "order")
    named = find_field(value, "unit")
    unit = named if isinstance(named, str) and not unit else unit
    if text is None:  # {"unit": "A PAR", "action": "move", "target": "BUR"}
        text = " ".join(str(part) for part in list(value.values())[:MOST_PARTS])
    return unit, text


def _orders_in_text(text: str, book: OrderBook, adjust: int) -> list[tuple[str, Any]]:
    """Return the legal orders that stand in a text, one or more a line; the last of each unit."""
    lines = without_thoughts(text).splitlines()[-MOST_LINES:]
    pieces = [(piece, book.find(piece)) for line in lines for piece in _split_line(line, book)]
    orders = [order for _, order in pieces if isinstance(order, str)]
    last = orders if adjust else {unit_province(order): order for order in orders}.values()
    return [("", order) for order in last]


def _split_line(line: str, book: OrderBook) -> list[str]:
    return [line] if isinstance(book.find(line), str) else SEPARATOR.split(line)[:MOST_ENTRIES]


def _look_up(
    entries: list[tuple[str, Any]],
    legal: Mapping[str, Sequence[str]],
    book: OrderBook,
    adjust: int,
) -> tuple[dict[str, str], list[Rejection]]:
    locations = {order: location for location, orders in legal.items() for order in orders}
    accepted: dict[str, str] = {}
    rejected = []
    for unit, text in entries:
        order = book.find(text)
        if isinstance(order, Rejection):
            rejected.append(Rejection(clean(order.text, 80), order.reason))
        elif adjust and len(accepted) >= abs(adjust):
            rejected.append(Rejection(order, f"is one more than the {abs(adjust)} allowed"))
        elif not adjust and unit in _properties(legal) and property_of(locations[order]) != unit:
            rejected.append(Rejection(order, f"is no order of the unit at {unit}"))
        else:
            location = str(len(accepted)) if adjust and order == "WAIVE" else locations[order]
            if location in accepted and accepted[location] != order:
                rejected.append(Rejection(accepted[location], f"was followed by {order}"))
            accepted[location] = order
    return accepted, rejected


def _properties(legal: Mapping[str, Sequence[str]]) -> set[str]:
    return {property_of(location) for location in legal}


# ---- the rest


def read_messages(text: str, power: str, living: Sequence[str]) -> tuple[list[Message], int] | None:
    """Return the messages in an answer and how many were dropped, or None if it has no list.

    A message to nobody, to oneself or to a power that is out of the game is dropped: it may have
    been meant for one pair of eyes.
    """
    value = find_json(text, "messages")
    if isinstance(value, dict):
        value = find_field(value, "messages")
    if not isinstance(value, list):
        return None
    read = [_read_message(message, power, living) for message in value]
    good = [message for message in read if message][:MOST_MESSAGES]
    return good, len(read) - len(good)


def _read_message(value: Any, power: str, living: Sequence[str]) -> Message | None:
    if not isinstance(value, dict):
        return None
    recipient = clean(_first_field(value, "recipient", "to"), 20).upper()
    text = clean(_first_field(value, "text", "content", "message"), LONGEST_MESSAGE)
    if recipient in EVERYONE:
        recipient = EVERYBODY
    elif recipient == power or recipient not in living:
        return None
    return Message(power, recipient, text) if text else None


def _first_field(value: Any, *names: str) -> Any:
    fields = (find_field(value, name) for name in names)
    return next((field for field in fields if field is not None), None)


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a model thinks after talks or a phase.

    Attributes:
        diary: The line for its diary.
        goals: What it wants now; None if it did not say.
        relationships: The labels it gave.
        complete: Whether all that was asked for was there.
    """

    diary: str
    goals: tuple[str, ...] | None
    relationships: Mapping[str, str]
    complete: bool


def read_reflection(text: str, power: str) -> Reflection | None:
    """Return the diary's line, goals and relationships in an answer, or None if it has none."""
    value = find_json(text, "diary")
    if not isinstance(value, dict):
        return None
    diary = clean(find_field(value, "diary"), LONGEST_ENTRY)
    listed = find_field(value, "goals")
    goals = None
    if isinstance(listed, list):
        goals = tuple(filter(None, (clean(goal, LONGEST_GOAL) for goal in listed)))[:MOST_GOALS]
    standing, odd = _relationships(find_field(value, "relationships"), power)
    if not diary and goals is None and not standing:
        return None
    return Reflection(diary, goals, standing, bool(diary) and goals is not None and not odd)


def _relationships(value: Any, power: str) -> tuple[dict[str, str], bool]:
    """Return the labels that there are, and whether something else was there or nothing."""
    if not isinstance(value, dict):
        return {}, True
    rivals = {rival for rival in POWERS if rival != power}
    named = {clean(key, 20).upper(): clean(label, 20).capitalize() for key, label in value.items()}
    good = {rival: label for rival, label in named.items() if rival in rivals and label in LABELS}
    return good, len(good) < len(value)


def read_summary(text: str) -> str:
    """Return the summary in an answer; a plain text is one."""
    value = find_json(text, "summary")
    if isinstance(value, dict):
        return clean(find_field(value, "summary"), LONGEST_SUMMARY)
    return "" if value is not None else clean(without_thoughts(text), LONGEST_SUMMARY)
