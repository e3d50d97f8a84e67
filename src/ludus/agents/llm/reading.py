"""What a model wrote, read leniently: JSON among other words, texts without control signs."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

__all__ = ["clean", "find_json", "without_thoughts"]

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
    text = without_thoughts(text)
    for candidate in (text, *_FENCE.findall(text)):
        for value in _parse_leniently(candidate.strip()):
            if isinstance(value, dict | list):
                return value
    return _find_embedded(_COMMA.sub(r"\1", text))


def _parse_leniently(text: str) -> Iterator[Any]:
    attempts = [text, _COMMA.sub(r"\1", text)]
    if '"' not in text:
        attempts.append(attempts[1].replace("'", '"'))
    for attempt in attempts:
        try:
            yield json.loads(attempt)
        except (ValueError, RecursionError):
            continue


def _find_embedded(text: str) -> Any:
    decoder = json.JSONDecoder()
    for start in list(re.finditer(r"[{\[]", text))[:50]:
        try:
            value, _ = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list) and value:
            return value
    return None


def clean(value: Any, longest: int) -> str:
    """Return a text on one line, without control signs, no longer than it may be."""
    if not isinstance(value, str):
        return ""
    printable = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in value)
    return " ".join(printable.split())[:longest]


def without_thoughts(text: str) -> str:
    """Return a text without what stands between the tags of thoughts."""
    return _THOUGHTS.sub("", text)
