"""What the reference generators made of given seeds and options.

`recorded.xz` is JSON: for each generator a list of levels with their options, and under `digests`
the options of further levels with a digest of each. A level that the reference failed to make has
`fails`, the message, in place of its rows.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

from ludus.games.platformer import Level

ARCHIVE = Path(__file__).parent / "recorded.xz"


@cache
def archive() -> dict[str, Any]:
    """Reads all that was recorded."""
    content: dict[str, Any] = json.loads(lzma.decompress(ARCHIVE.read_bytes()))
    return content


def levels(generator: str) -> list[dict[str, Any]]:
    """Lists the recorded levels of a generator."""
    recorded: list[dict[str, Any]] = archive()[generator]
    return recorded


def digests(generator: str) -> list[tuple[dict[str, Any], str]]:
    """Lists the options and digests of further levels."""
    return [(options, digest) for options, digest in archive()["digests"][generator]]


def sprites(level: Level) -> list[list[int]]:
    """Lists the creatures as the reference does: in 2010 the kind tells who has wings."""
    assert level.reference is not None
    fields = 3 if level.reference.format == "2010" else 4
    return [[int(value) for value in creature[:fields]] for creature in level.creatures]


def digest_of(level: Level) -> str:
    """Digests exit, rows, sprites and block data."""
    assert level.reference is not None
    content = [level.reference.exit, level.reference_rows(), sprites(level), level.reference.data]
    text = json.dumps(content, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
