"""Saved games for tests: ten that are kept packed, and small ones made up on the spot."""

from __future__ import annotations

import csv
import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
START = {power: 4 if power == "RUSSIA" else 3 for power in POWERS}


def expected() -> list[dict[str, str]]:
    with (HERE / "expected.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def unpack(folder: Path) -> Path:
    """Write the ten games as AI Diplomacy leaves them."""
    packed = json.loads(lzma.decompress((HERE / "games.json.xz").read_bytes()))
    for name, files in packed.items():
        own = folder / name
        own.mkdir(parents=True)
        (own / "lmvsgame.json").write_text(json.dumps(files["lmvsgame.json"]))
        lines = [json.dumps(line) for line in files["overview.jsonl"]]
        (own / "overview.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def record(name: str, centres: Mapping[str, int], **more: Any) -> dict[str, Any]:
    """Return one record; places have made-up names."""
    held = {power: [f"{power[:2]}{k}" for k in range(n)] for power, n in centres.items()}
    state = {"name": name, "centers": held, "units": {power: [] for power in centres}}
    return {"name": name, "state": state, "orders": {}, "results": {}, "messages": [], **more}


def game(*records: tuple[str, Mapping[str, int]]) -> dict[str, Any]:
    """Return a saved game; centres that are not named are as at the start."""
    phases = [record(name, {**START, **centres}) for name, centres in records]
    return {"id": "made up", "map": "standard", "rules": [], "phases": phases}


def write_game(
    folder: Path,
    values: Any,
    *,
    max_year: int | None = 1925,
    models: Mapping[str, str] | None = None,
    calls: Sequence[Sequence[str]] = (),
    log: str = "",
) -> Path:
    """Write a game as AI Diplomacy leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = values if isinstance(values, str) else json.dumps(values)
    (folder / "lmvsgame.json").write_text(text)
    if max_year is not None:
        lines = [{}, dict(models or {}), {"max_year": max_year}]
        (folder / "overview.jsonl").write_text("\n".join(map(json.dumps, lines)))
    if calls:
        with (folder / "llm_responses.csv").open("w", newline="") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL, escapechar="\\")
            names = "timestamp model power phase response_type raw_input raw_response success"
            writer.writerow(names.split())
            writer.writerows(calls)
    if log:
        (folder / "general_game.log").write_text(log)
    return folder


def call(power: str, success: str, kind: str = "order_generation") -> list[str]:
    return ["1", "some/model", power, "S1901M", kind, 'a "prompt"\\, in lines\n', "{}", success]
