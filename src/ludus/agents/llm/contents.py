"""The text of an answer, out of the several forms in which endpoints send it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["text_of", "thoughts_of"]


def text_of(content: Any) -> str:
    """Return the text of an answer, also of one that comes as a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    shown = [part for part in parts if isinstance(part, str) or _is_shown(part)]
    return "".join(part if isinstance(part, str) else part["text"] for part in shown)


def _is_shown(part: Any) -> bool:
    """Return whether a part of an answer is text for the reader, and no thought or picture."""
    if not isinstance(part, Mapping) or not isinstance(part.get("text"), str):
        return False
    return part.get("type", "text") in ("text", "output_text")


def thoughts_of(message: Any) -> str:
    """Return the thoughts that some endpoints send beside an answer."""
    fields = (getattr(message, name, None) for name in ("reasoning_content", "reasoning"))
    return next((thoughts for thoughts in fields if isinstance(thoughts, str)), "")
