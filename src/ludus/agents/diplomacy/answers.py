"""From what a model wrote to what it meant: lenient in reading, strict in what is let through."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
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
from ludus.games.diplomacy.orders import OrderBook
from ludus.games.diplomacy.records import EVERYBODY, POWERS, Message, Rejection

__all__ = [
    "Orders",
    "Reflection",
    "clean",
    "find_json",
    "read_messages",
    "read_orders",
    "read_reflection",
    "read_summary",
]

MOST_REJECTED = 20
EVERYONE = (EVERYBODY, "ALL", "EVERYONE", "EVERYBODY", "PUBLIC")
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```(?:\w+)?\s*\n(.*?)```", re.DOTALL)
_COMMA = re.compile(r",(\s*[}\]])")


def find_json(text: str) -> Any:
    """Return the first JSON object or list in a text, or None if there is none.

    Thoughts in tags and fences around it are looked through, commas too many forgiven.

    Example:
        >>> find_json('Here you are: {"orders": ["A PAR H",]} Good luck!')
        {'orders': ['A PAR H']}
    """
    text = _THOUGHTS.sub("", text)
    for candidate in (text, *_FENCE.findall(text)):
        for value in _readings(candidate.strip()):
            if isinstance(value, dict | list):
                return value
    return _embedded(_COMMA.sub(r"\1", text))


def _readings(text: str) -> Iterator[Any]:
    attempts = [text, _COMMA.sub(r"\1", text)]
    if '"' not in text:
        attempts.append(attempts[1].replace("'", '"'))
    for attempt in attempts:
        try:
            yield json.loads(attempt)
        except (ValueError, RecursionError):
            continue


def _embedded(text: str) -> Any:
    decoder = json.JSONDecoder()
    for found in list(re.finditer(r"[{\[]", text))[:50]:
        try:
            value, _ = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list) and value:
            return value
    return None


def clean(value: Any, longest: int) -> str:
    """Return a text on one line, without control signs, no longer than it may be."""
    if not isinstance(value, str):
        return ""
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in value)
    return " ".join(kept.split())[:longest]


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
    value = find_json(text)
    given = _given(value)
    book = OrderBook([order for orders in legal.values() for order in orders], kind)
    if given is None:
        given = _orders_in_text(text, book)
    if not given:
        return Orders({}, read=isinstance(value, dict) and "orders" in value)
    plan = clean(value.get("plan"), LONGEST_ENTRY) if isinstance(value, dict) else ""
    found, rejected = _looked_up(given, legal, book, adjust)
    return Orders(found, tuple(rejected[:MOST_REJECTED]), plan)


def _given(value: Any) -> list[tuple[str, Any]] | None:
    """Return what stands where orders should, each with the unit that it stands at."""
    if isinstance(value, dict):
        value = value.get("orders", value)
    if isinstance(value, dict):
        return [(str(place), order) for place, order in value.items()]
    if isinstance(value, list):
        return [("", order) for order in value]
    return None


def _orders_in_text(text: str, book: OrderBook) -> list[tuple[str, Any]]:
    """Return the lines of a text that are legal orders."""
    lines = _THOUGHTS.sub("", text).splitlines()[:200]
    pieces = [piece for line in lines for piece in re.split(r"[;,]", line)]
    return [("", piece) for piece in pieces if isinstance(book.find(piece), str)]


def _looked_up(
    given: list[tuple[str, Any]],
    legal: Mapping[str, Sequence[str]],
    book: OrderBook,
    adjust: int,
) -> tuple[dict[str, str], list[Rejection]]:
    places = {order: place for place, orders in legal.items() for order in orders}
    found: dict[str, str] = {}
    rejected = []
    for at, text in given:
        order = book.find(text)
        if isinstance(order, Rejection):
            rejected.append(Rejection(clean(order.text, 80), order.reason))
        elif adjust and len(found) >= abs(adjust):
            rejected.append(Rejection(order, f"is one more than the {abs(adjust)} allowed"))
        elif at in _properties(legal) and property_of(places[order]) != at and not adjust:
            rejected.append(Rejection(order, f"is no order of the unit at {at}"))
        else:
            place = str(len(found)) if adjust and order == "WAIVE" else places[order]
            if place in found and found[place] != order:
                rejected.append(Rejection(found[place], f"was followed by {order}"))
            found[place] = order
    return found, rejected


def _properties(legal: Mapping[str, Sequence[str]]) -> set[str]:
    return {property_of(place) for place in legal}


# ---- the rest


def read_messages(text: str, power: str, living: Sequence[str]) -> tuple[list[Message], int] | None:
    """Return the messages in an answer and how many were dropped, or None if it has no list.

    A message to nobody, to oneself or to a power that is out of the game is dropped: it may have
    been meant for one pair of eyes.
    """
    value = find_json(text)
    if isinstance(value, dict):
        value = value.get("messages")
    if not isinstance(value, list):
        return None
    read = [_message(one, power, living) for one in value]
    good = [message for message in read if message][:MOST_MESSAGES]
    return good, len(read) - len(good)


def _message(value: Any, power: str, living: Sequence[str]) -> Message | None:
    if not isinstance(value, dict):
        return None
    recipient = clean(value.get("recipient", value.get("to")), 20).upper()
    text = clean(value.get("text", value.get("content", value.get("message"))), LONGEST_MESSAGE)
    if recipient in EVERYONE:
        recipient = EVERYBODY
    elif recipient == power or recipient not in living:
        return None
    return Message(power, recipient, text) if text else None


@dataclass(frozen=True, slots=True)
class Reflection:
    """What a model thinks after talks or a phase.

    Attributes:
        diary: The line for its diary.
        goals: What it wants now; None if it did not say.
        relationships: The labels it gave.
        whole: Whether all that was asked for was there.
    """

    diary: str
    goals: tuple[str, ...] | None
    relationships: Mapping[str, str]
    whole: bool


def read_reflection(text: str, power: str) -> Reflection | None:
    """Return the diary's line, goals and relationships in an answer, or None if it has none."""
    value = find_json(text)
    if not isinstance(value, dict):
        return None
    diary = clean(value.get("diary"), LONGEST_ENTRY)
    listed = value.get("goals")
    goals = None
    if isinstance(listed, list):
        goals = tuple(filter(None, (clean(goal, LONGEST_GOAL) for goal in listed)))[:MOST_GOALS]
    standing, odd = _relationships(value.get("relationships"), power)
    if not diary and goals is None and not standing:
        return None
    return Reflection(diary, goals, standing, bool(diary) and goals is not None and not odd)


def _relationships(value: Any, power: str) -> tuple[dict[str, str], bool]:
    """Return the labels that there are, and whether something else was there or nothing."""
    if not isinstance(value, dict):
        return {}, True
    others = {other for other in POWERS if other != power}
    named = {clean(key, 20).upper(): clean(label, 20).capitalize() for key, label in value.items()}
    good = {other: label for other, label in named.items() if other in others and label in LABELS}
    return good, len(good) < len(value)


def read_summary(text: str) -> str:
    """Return the summary in an answer; a plain text is one."""
    value = find_json(text)
    if isinstance(value, dict):
        return clean(value.get("summary"), LONGEST_SUMMARY)
    return "" if value is not None else clean(_THOUGHTS.sub("", text), LONGEST_SUMMARY)
