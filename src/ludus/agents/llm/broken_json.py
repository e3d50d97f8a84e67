"""JSON as models write it: with comments, commas too many, single quotes, or broken off."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["complete_json", "parse_json"]

MOST_CUTS = 20
"""How many of the last commas of a broken text are tried as its end."""
DEEPEST = 20
"""How many brackets may be open where a text breaks off."""

_NEEDLESS = re.compile(r'("(?:\\.|[^"\\])*")|(?://|#)[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_SIGN = re.compile(r'"(?:\\.|[^"\\])*(?:"|\\?\Z)|[{\[\]},]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def parse_json(text: str) -> Any:
    """Return the value that a text is, forgiving what does not change its meaning, or None.

    Example:
        >>> parse_json('{"orders": ["A PAR H",], /* all */}')
        {'orders': ['A PAR H']}
    """
    text = text.strip()
    for attempt in (text, drop_needless(text), _quote_doubly(text)):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def drop_needless(text: str) -> str:
    """Return a text of JSON without comments and without commas before a closing bracket."""
    text = _NEEDLESS.sub(lambda match: match[1] or "", text)
    return _NEEDLESS.sub(lambda match: match[1] or "", text)  # commas that stood before comments


def _quote_doubly(text: str) -> str:
    return text if '"' in text else drop_needless(text.replace("'", '"'))


def complete_json(text: str) -> Any:
    """Return what is whole of a text that breaks off within a JSON value, or None.

    Example:
        >>> complete_json('{"orders": {"PAR": "A PAR H", "MAR": "A MAR - S')
        {'orders': {'PAR': 'A PAR H'}}
    """
    opened: list[str] = []
    cuts: list[tuple[int, str]] = []
    for sign in _SIGN.finditer(text):
        if sign[0] in _CLOSING:
            opened.append(_CLOSING[sign[0]])
        elif sign[0] in ("}", "]"):
            if not opened or opened.pop() != sign[0]:
                return None
        elif sign[0] == ",":
            cuts.append((sign.start(), "".join(reversed(opened))))
    if len(opened) > DEEPEST:
        return None
    ends = [(len(text), "".join(reversed(opened))), *reversed(cuts[-MOST_CUTS:])]
    for end, closing in ends:
        value = parse_json(text[:end] + closing)
        if value is not None:
            return value
    return None
