"""Tags of what a server sends, by which a browser asks whether it has changed."""

from __future__ import annotations

import hashlib

from starlette.types import Scope

__all__ = ["is_known", "make_tag"]

DIGITS = 32


def make_tag(body: bytes) -> str:
    """Return the tag of some bytes.

    Example:
        >>> make_tag(b"")
        '"e3b0c44298fc1c149afbf4c8996fb924"'
    """
    return f'"{hashlib.sha256(body).hexdigest()[:DIGITS]}"'


def is_known(tag: str, scope: Scope) -> bool:
    """Return whether a browser has what a tag stands for.

    Example:
        >>> is_known('"1"', {"headers": [(b"if-none-match", b'W/"0", "1"')]})
        True
    """
    sent = next((value for name, value in scope["headers"] if name == b"if-none-match"), b"")
    tags = [one.strip().removeprefix(b"W/") for one in bytes(sent).split(b",")]
    return tag.encode() in tags or b"*" in tags
