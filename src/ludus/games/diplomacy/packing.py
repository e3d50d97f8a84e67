"""Packs plain values into bytes, and unpacks bytes that may come from anywhere."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from ludus.errors import ActionError
from ludus.foreign_files import RECORD_BYTES
from ludus.json_files import NotJson, parse_json

__all__ = ["MOST_BYTES", "pack", "unpack"]

MOST_BYTES = RECORD_BYTES
"""Bytes that a record may unpack to."""


def pack(values: Mapping[str, Any]) -> bytes:
    """Return plain values as bytes."""
    text = json.dumps(_storable(values), separators=(",", ":"))
    return zlib.compress(text.encode(), 9)


def _storable(value: Any) -> Any:
    """Return plain values without NUL and half characters, which players may write."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    return [_storable(item) for item in value] if isinstance(value, list | tuple) else value


def unpack(packed: bytes) -> dict[str, Any]:
    """Return the plain values that :func:`pack` took.

    Raises:
        ActionError: The bytes are something else.
    """
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(packed, MOST_BYTES)
        if reader.unconsumed_tail:
            raise ActionError(f"the record unpacks to more than {MOST_BYTES} bytes")
        if reader.unused_data or not reader.eof:
            raise ActionError("the record is none of diplomacy: it does not end where it should")
        values = parse_json(text)
    except (zlib.error, NotJson) as error:
        raise ActionError("the record is none of diplomacy: it does not unpack") from error
    if not isinstance(values, dict):
        raise ActionError("the record is none of diplomacy: it holds no turns")
    return values
