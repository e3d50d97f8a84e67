"""Levels as files, in five formats."""

from __future__ import annotations

from ludus.games.platformer.formats.level_files import (
    FORMATS,
    decode_level,
    encode_level,
    format_of,
    read_level,
    write_level,
)

__all__ = ["FORMATS", "decode_level", "encode_level", "format_of", "read_level", "write_level"]
