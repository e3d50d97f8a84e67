"""Reads recorded games of Diplomacy, dense positions and DATC cases: ``diplomacy.xz``.

Decompressed, the file is one JSON object:

    cases       DATC cases: `id`, `edition`, `phases` with what is ordered, expected and recorded
    positions   [units, orders, units afterwards, the dislodged] of single movement phases
    legal       [units, CRC-32 of the legal orders]
    games       [policy, stretches]; a stretch is a record to start from and steps, each [orders,
                CRC-32 of the legal orders or null, CRC-32 of the position afterwards]

A stretch ends where the package that was recorded departs from the rulebook.

    python -m tests.conformance.diplomacy FOLDER tests/conformance/diplomacy.xz

packs a folder of recordings (``datc.json``, ``games.jsonl.gz``, ``legal.jsonl.gz``,
``positions.jsonl.gz``).
"""

from __future__ import annotations

import gzip
import json
import lzma
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

from ludus.games.diplomacy import Board

FILE = Path(__file__).with_name("diplomacy.xz")
EVERY_GAME, EVERY_POSITION, EVERY_LEGAL = 3, 8, 4
CASE = ("id", "edition", "suite", "variant")
PHASE = ("name", "units", "centers", "orders", "after", "expected", "expected_gone")


@cache
def recordings() -> dict[str, Any]:
    """Return the packed recordings."""
    values: dict[str, Any] = json.loads(lzma.decompress(FILE.read_bytes()))
    return values


def digest_position(record: Mapping[str, Any]) -> int:
    """Return a digest of phase, units and centres."""
    units = {power: own for power, own in record["units"].items() if own}
    centres = {power: own for power, own in record["centers"].items() if own}
    return _crc([record["name"], units, centres])


def digest_orders(legal: Mapping[str, Iterable[str]]) -> int:
    """Return a digest of legal orders."""
    return _crc({province: list(orders) for province, orders in legal.items()})


def _crc(value: object) -> int:
    return crc32(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())


# ---- packing


def pack(folder: Path) -> bytes:
    """Return what the file holds."""
    positions = read_lines(folder / "positions.jsonl.gz")
    chosen = [
        one
        for number, one in enumerate(positions)
        if number % EVERY_POSITION == 0 or one.get("rare") or one.get("rulebook")
    ]
    games = [
        one
        for number, one in enumerate(read_lines(folder / "games.jsonl.gz"))
        if number % EVERY_GAME == 0
    ]
    values = {
        "cases": [
            _pack_case(case) for case in json.loads((folder / "datc.json").read_text())["cases"]
        ],
        "positions": [_pack_position(one) for one in chosen],
        "legal": [
            [one["units"], digest_orders(one["legal"])]
            for one in read_lines(folder / "legal.jsonl.gz")[::EVERY_LEGAL]
        ],
        "games": [[one["policy"], _pack_game(one["phases"])] for one in games],
    }
    return lzma.compress(json.dumps(values, separators=(",", ":")).encode(), preset=9)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the values of a compressed file with one on each line."""
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def _pack_case(case: Mapping[str, Any]) -> dict[str, Any]:
    phases = []
    for phase in case["phases"]:
        kept = {key: phase[key] for key in PHASE if key in phase}
        phases.append(kept | {"retreats": phase.get("retreats_before", {})})
    return {key: case[key] for key in CASE if key in case} | {"phases": phases}


def _pack_position(one: Mapping[str, Any]) -> list[Any]:
    outcome = one.get("rulebook") or one
    dislodged = sorted(unit for unit, codes in one["results"].items() if "dislodged" in codes)
    if "rulebook" in one:
        dislodged = _flatten(outcome["dislodged"])
    return [one["units"], one["orders"], outcome["after"], dislodged]


def _flatten(units: Any) -> list[str]:
    if isinstance(units, Mapping):
        return sorted(unit for own in units.values() for unit in own)
    return sorted(units)


def _pack_game(phases: list[dict[str, Any]]) -> list[Any]:
    stretches: list[Any] = []
    begins = True
    for record, after in pairwise(phases):
        if begins:
            keys = ("name", "units", "centers", "influence", "retreats")
            stretches.append([{key: record[key] for key in keys if key in record}, []])
        legal = digest_orders(record["legal"]) if "legal" in record else None
        begins = "rulebook" in record or _is_departure(record, after)
        if not begins:
            stretches[-1][1].append([record["orders"], legal, digest_position(after)])
    return [stretch for stretch in stretches if stretch[1]]


def _is_departure(record: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether the package lists retreats that the rulebook does not allow."""
    board = Board.from_record(record)
    board.step(record["orders"])
    return board.to_record().get("retreats") != after.get("retreats")


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(pack(Path(sys.argv[1])))
