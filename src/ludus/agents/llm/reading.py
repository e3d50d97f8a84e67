"""What a model wrote, read leniently: JSON among other words, texts without control signs."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from ludus.agents.llm.broken_json import complete_json, parse_json

__all__ = ["clean", "find_field", "find_json", "without_thoughts"]

MOST_STARTS = 300
"""How many brackets of a text may begin an answer; the last ones are tried."""

_TAG = r"think(?:ing)?|reasoning|thought"
_THOUGHTS = re.compile(rf"<({_TAG})>.*?(?:</(?:{_TAG})>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHTS_END = re.compile(rf"\A.*</(?:{_TAG})>", re.DOTALL | re.IGNORECASE)
_SIGN = re.compile(r'"(?:\\.|[^"\\])*(?:"|\Z)|[{\[\]}]', re.DOTALL)
_START = re.compile(r"""[{\[](?=\s*["'{\[\]}0-9tfn/-])""")


def find_json(text: str, wanted: str = "") -> Any:
    """Return the last complete JSON object or list in a text, or None if there is none.

    What comes last is the answer; what comes before it may be a draft. Thoughts in tags and fences
    are looked through; commas too many, comments and single quotes are forgiven. An answer that
    breaks off is taken as far as it goes, unless a complete one comes before it.

    Args:
        text: What the model wrote.
        wanted: A field that the answer should have; objects with it go before all others.

    Example:
        >>> find_json('A draft: {"orders": []}. Final: {"orders": ["A PAR H",]} Good luck!')
        {'orders': ['A PAR H']}
    """
    value = parse_json(text)
    if isinstance(value, dict | list):
        return value
    text = without_thoughts(value if isinstance(value, str) else text)  # JSON in a text of JSON
    complete, broken = _find_values(text)
    for values in (complete, broken):
        for value in reversed(values):
            if wanted and find_field(value, wanted) is not None:
                return value
    best = [value for value in complete if isinstance(value, dict)] or complete or broken
    return best[-1] if best else None


def find_field(value: Any, name: str) -> Any:
    """Return a field of an object, whatever its capitals; None if there is none.

    Example:
        >>> find_field({"Orders": []}, "orders")
        []
    """
    if not isinstance(value, dict):
        return None
    matching = [each for key, each in value.items() if str(key).strip().lower() == name]
    return matching[-1] if matching else None


def _find_values(text: str) -> tuple[list[Any], list[Any]]:
    """Return the objects and lists in a text that are complete, and those that break off."""
    complete: list[Any] = []
    broken: list[Any] = []  # one at most: what begins later is a part of it
    end = 0
    for start in [match.start() for match in _START.finditer(text)][-MOST_STARTS:]:
        if start < end:
            continue
        value, stop = _decode(text, start)
        if value:
            complete.append(value)
            end = stop
        elif stop == len(text) and not broken and '"' in text[start:]:
            broken += [value for value in (complete_json(text[start:]),) if value]
    return complete, broken


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins here, if it is one, and where it ends."""
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        end = _find_end(text, start)
        value = parse_json(text[start:end])
    return value, end


def _find_end(text: str, start: int) -> int:
    """Return where the bracket that opens here is closed, or the end of the text."""
    depth = 0
    for match in _SIGN.finditer(text, start):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
        if not depth:
            return match.end()
    return len(text)


def clean(value: Any, longest: int) -> str:
    """Return a text on one line, without control signs, no longer than it may be."""
    if not isinstance(value, str):
        return ""
    printable = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in value)
    return " ".join(printable.split())[:longest]


def without_thoughts(text: str) -> str:
    """Return a text without what stands between the tags of thoughts, or before the last of them.

    Some endpoints leave the opening tag out, as they put it into the prompt.

    Example:
        >>> without_thoughts("Hm, Burgundy? </think>A PAR - BUR")
        'A PAR - BUR'
    """
    return _THOUGHTS_END.sub("", _THOUGHTS.sub("", text))
