"""What the reference computed for given situations, read from `vectors.json.xz`."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

ARCHIVE = Path(__file__).parent / "vectors.json.xz"


@cache
def vectors(part: str) -> list[dict[str, Any]]:
    """Reads one part: fields, thermal_oxygen, stam, chemotaxis or reward."""
    content: dict[str, list[dict[str, Any]]] = json.loads(lzma.decompress(ARCHIVE.read_bytes()))
    return content[part]
