"""Sessions that NematodeBench published, with the figures it gave them (Apache-2.0, see docs)."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@cache
def published() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(lzma.decompress((HERE / "published_sessions.json.xz").read_bytes())))


def unpack(folder: Path, *, without_answers: bool = True) -> Path:
    """Write the sessions into a folder, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for session in published():
        kept = {k: v for k, v in session.items() if not (without_answers and k == "expected")}
        place = folder / f"{session['session']}.json"
        place.write_text(json.dumps(kept), encoding="utf-8")
    return folder
