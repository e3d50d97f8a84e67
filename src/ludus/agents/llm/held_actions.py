"""Actions with a number of steps, out of what a model wrote: lenient in form, strict in content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ludus.agents.llm.reading import find_field, find_json, without_thoughts
from ludus.agents.llm.schemas import Schema, make_object, make_text

__all__ = ["MOST_MOVES", "HeldAction", "HeldActions", "moves_schema", "read_moves"]

MOST_MOVES = 8
"""How many actions, one after the other, an answer may have."""
LONGEST_THOUGHT = 400
MOST_LINES = 50
LONGEST_MOVE = 80

_LISTS = ("moves", "actions", "steps")
_NAMES = ("action", "move", "buttons", "button", "keys")
_COUNTS = ("ticks", "steps", "count", "frames", "duration", "times", "for")
_NUMBER = r"(\d{1,6})(?:\.0+)?"
_MOVE = re.compile(
    rf"[\s\-*>`\"']*([A-Za-z][A-Za-z+&,/ _-]*?)(?:\s*[x×:,(=*]\s*|\s+|\s+for\s+)?(?:{_NUMBER})?"
    r"\s*(?:ticks?|steps?|frames?|times)?[\s)`\"'.;]*"
)


class HeldAction(NamedTuple):
    """An action, and for how many ticks it is held."""

    name: str
    ticks: int


@dataclass(frozen=True, slots=True)
class HeldActions:
    """What could be made of an answer.

    Attributes:
        held: The actions, one after the other.
        rejected: How many entries name no action; what comes after the first of them is left out.
        read: Whether anything like actions was found at all.
    """

    held: tuple[HeldAction, ...]
    rejected: int = 0
    read: bool = True


ReadName = Callable[[str], str | None]


def moves_schema(names: Sequence[str], most: int) -> Schema:
    """Return the form of an answer: a thought, then actions with their ticks.

    Args:
        names: The actions to choose from.
        most: The most ticks of one action.
    """
    ticks = {"type": "integer", "minimum": 1, "maximum": most}
    move = make_object({"action": {"type": "string", "enum": list(names)}, "ticks": ticks})
    moves = {"type": "array", "items": move, "minItems": 1, "maxItems": MOST_MOVES}
    return make_object({"thought": make_text(LONGEST_THOUGHT), "moves": moves})


def read_moves(text: str, read_name: ReadName, most: int) -> HeldActions:
    """Return the actions in an answer, as many as fit into the ticks there are.

    Args:
        text: The answer.
        read_name: Returns an action's proper name, or None if it is none.
        most: The most ticks of all actions together; also those of one without a number.

    Example:
        >>> read_moves('{"moves": [{"action": "right", "ticks": 3}]}', str.lower, 16).held
        (HeldAction(name='right', ticks=3),)
    """
    entries = _list_entries(find_json(text, "moves"))
    if entries is None:
        entries = _find_lines(text, read_name)
    moves = [_read_entry(entry, read_name, most) for entry in entries[:MOST_MOVES]]
    good = next((k for k, move in enumerate(moves) if move is None), len(moves))
    held = _cut([move for move in moves[:good] if move], most)
    return HeldActions(held, sum(move is None for move in moves), read=bool(entries))


def _cut(moves: Sequence[HeldAction], most: int) -> tuple[HeldAction, ...]:
    """Return the actions up to the most ticks."""
    held, left = [], most
    for name, ticks in moves:
        if left > 0:
            held.append(HeldAction(name, min(ticks, left)))
        left -= ticks
    return tuple(held)


def _list_entries(value: Any) -> list[Any] | None:
    """Return what stands where actions should, or None if nothing does."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    lists = (find_field(value, name) for name in _LISTS)
    listed = next((one for one in lists if isinstance(one, list | str | Mapping)), None)
    if listed is not None:
        return listed if isinstance(listed, list) else [listed]
    return [value]


def _find_lines(text: str, read_name: ReadName) -> list[Any]:
    """Return the last lines of a text that name actions, one after the other."""
    found: list[Any] = []
    for line in reversed(without_thoughts(text).splitlines()[-MOST_LINES:]):
        if _read_text(line, read_name, 1) is not None:
            found.insert(0, line)
        elif found:
            break
    return found


def _read_entry(entry: Any, read_name: ReadName, most: int) -> HeldAction | None:
    if isinstance(entry, str):
        return _read_text(entry, read_name, most)
    if isinstance(entry, list) and len(entry) == 2:  # ["right", 8]
        return _read_pair(entry[0], entry[1], read_name, most)
    if not isinstance(entry, Mapping):
        return None
    name = _first_field(entry, _NAMES)
    if name is None and len(entry) == 1:  # {"right": 8}
        return _read_pair(*next(iter(entry.items())), read_name, most)
    return _read_pair(name, _first_field(entry, _COUNTS), read_name, most)


def _read_pair(name: Any, ticks: Any, read_name: ReadName, most: int) -> HeldAction | None:
    if isinstance(name, list) and all(isinstance(part, str) for part in name):
        name = "+".join(name)
    if not isinstance(name, str):
        return None
    if ticks is None:
        return _read_text(name, read_name, most)
    proper = read_name(name[:LONGEST_MOVE])
    return None if proper is None else HeldAction(proper, _read_count(ticks, most))


def _read_text(text: str, read_name: ReadName, most: int) -> HeldAction | None:
    """Return the action of a text such as ``right+jump 8``."""
    match = _MOVE.fullmatch(text[:LONGEST_MOVE])
    proper = read_name(match[1]) if match else None
    if match is None or proper is None:
        return None
    return HeldAction(proper, _read_count(match[2], most))


def _read_count(value: Any, most: int) -> int:
    """Return a number of ticks from 1 to the most; the most where there is none."""
    try:
        return min(max(int(float(value)), 1), most)
    except (TypeError, ValueError, OverflowError):
        return most


def _first_field(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    fields = (find_field(dict(value), name) for name in names)
    return next((field for field in fields if field is not None), None)
