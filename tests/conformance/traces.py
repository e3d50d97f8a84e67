"""Reads the recorded runs in `traces.xz`.

The file is a series of xz streams; decompressed and joined they are

    4 bytes             length of the index, little endian
    the index           JSON: `traces` [name, first line], `levels` {id: text}, `samples`
                        [{trace, it, screen_tile, enemies}] and `columns` [name, type, coding,
                        length]
    the columns         one after the other, in the order of the index, little endian

A column is an array over all traces in order. Its type is `u1`, `i1` or `u4` (also the bits of a
binary32); its coding is `=` for the plain values or `-` for the difference from the value before,
modulo the range of the type. The part of a column's name before the dot says what it has one
value for:

    trace    a trace: how many rows and forward-model checks it has
    row      a row of a trace; `events` and `sprites` count its entries, `listed` is 1 while
             Mario is in the sprite list (always as its last entry)
    event    an event of a row, in order
    sprite   a sprite of a row other than Mario. These columns are sorted by trace, then by the
             place in the row's list counted from its end, then by row, so that the values of one
             sprite follow each other
    result   a trace: the final result
    check    a forward-model check; `acts` counts its actions
    act      an action of a check
    sample   a byte of the complete observation grids of the samples

`python -m tests.conformance.traces NAME` writes a trace as the text it was recorded in.
"""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

STATUS_NAMES = ("RUNNING", "WIN", "LOSE", "TIME_OUT")
EVENT_FIELDS = ("kind", "param", "x", "y", "mode", "tick")
SPRITE_FIELDS = ("kind", "x", "y", "vx", "vy", "facing", "flags", "aux")
HEADER = (
    "it,act,tick,timer,status,pause,mx,my,mxa,mya,mode,onG,wasG,mayJ,duck,canShoot,jumpT,inv,face,"
    "h,alive,xjs,camx,camy,coins,lives,fb,kStomp,kFire,kShell,kFall,events,tileH,obsM,obsS,sprites"
)
COLUMNS = tuple(name for name in HEADER.split(",") if name not in ("events", "sprites"))
HEX_COLUMNS = frozenset({"mx", "my", "mxa", "mya", "xjs", "camx", "camy", "tileH", "obsM", "obsS"})
HEX_FIELDS = frozenset({"completion", "maxXJump", "x", "y", "xa", "ya", "enH", "obsM", "obsS"})
HEX_EVENT = frozenset({2, 3})
HEX_SPRITE = frozenset({1, 2, 3, 4})


@dataclass(frozen=True)
class Check:
    """A forward-model check: where it starts, what it does and the values that must come out.

    A model is made in the state of row `it`, cloned `preclones` times and advanced through
    `actions`; just before the action of index `reclone` it is cloned once more.
    """

    it: int
    preclones: int
    reclone: int
    actions: tuple[int, ...]
    expected: dict[str, int]


@dataclass(frozen=True)
class Trace:
    """A recorded run; floats are kept as the bits of a binary32.

    `columns` has one value per row. `events` has the columns of `EVENT_FIELDS` and `sprites` those
    of `SPRITE_FIELDS`; `event_counts` and `sprite_counts` say how many entries each row has.
    """

    name: str
    header: str
    level_id: str
    level: str
    mode: int
    timer: int
    maxit: int
    kill: tuple[tuple[int, int], ...]
    columns: dict[str, Ints]
    listed: Ints
    event_counts: Ints
    events: Ints
    sprite_counts: Ints
    sprites: Ints
    result: dict[str, int]
    checks: tuple[Check, ...]

    @property
    def rows(self) -> int:
        return len(self.listed)


@dataclass(frozen=True)
class Sample:
    """The observations of one row in full: grids [centre, grid, column, row] in hash order."""

    trace: str
    it: int
    grids: npt.NDArray[np.int64]
    enemies: Ints
    screen_tile: tuple[int, int]


@cache
def _archive() -> tuple[dict[str, Any], dict[str, Ints]]:
    data = lzma.decompress(Path(__file__).with_name("traces.xz").read_bytes())
    offset = 4 + int.from_bytes(data[:4], "little")
    index: dict[str, Any] = json.loads(data[4:offset])
    columns: dict[str, Ints] = {}
    for name, kind, coding, length in index["columns"]:
        dtype = np.dtype(kind).newbyteorder("<")
        values = np.frombuffer(data, dtype, length, offset)
        offset += values.nbytes
        if coding == "-":
            values = np.cumsum(values, dtype=dtype)
        columns[name] = values.astype(np.int64)
    assert offset == len(data)
    order = _sprite_order(columns["trace.rows"], columns["row.sprites"])
    for field in SPRITE_FIELDS:
        stored = columns[f"sprite.{field}"]
        columns[f"sprite.{field}"] = np.empty_like(stored)
        columns[f"sprite.{field}"][order] = stored
    return index, columns


def _sprite_order(rows: Ints, counts: Ints) -> Ints:
    row = np.repeat(np.arange(len(counts)), counts)
    trace = np.repeat(np.arange(len(rows)), rows)[row]
    from_end = np.cumsum(counts)[row] - np.arange(len(row))
    return np.lexsort((row, from_end, trace))


@cache
def _ends(counts: str) -> list[int]:
    return [0, *np.cumsum(_archive()[1][counts]).tolist()]


def _part(table: str, start: int, end: int) -> dict[str, Ints]:
    columns = _archive()[1].items()
    prefix = f"{table}."
    return {k.removeprefix(prefix): v[start:end] for k, v in columns if k.startswith(prefix)}


def _matrix(table: str, fields: tuple[str, ...], start: int, end: int) -> Ints:
    part = _part(table, start, end)
    return np.stack([part[field] for field in fields], axis=1)


def names() -> list[str]:
    """Lists the names of the traces."""
    return [name for name, _ in _archive()[0]["traces"]]


def load(number: int) -> Trace:
    """Gives the trace with this place in `names()`."""
    index, _ = _archive()
    name, header = index["traces"][number]
    head = dict(item.split("=", 1) for item in header.split(" "))
    start, end = _ends("trace.rows")[number : number + 2]
    events, sprites = _ends("row.events"), _ends("row.sprites")
    rows = _part("row", start, end)
    kill = [] if head["kill"] == "-" else [item.split(":") for item in head["kill"].split("+")]
    first, last = _ends("trace.checks")[number : number + 2]
    return Trace(
        name=name,
        header=header,
        level_id=head["level"],
        level=index["levels"][head["level"]],
        mode=int(head["mode"]),
        timer=int(head["timer"]),
        maxit=int(head["maxit"]),
        kill=tuple((int(kind), int(param)) for kind, param in kill),
        columns={column: rows[column] for column in COLUMNS},
        listed=rows["listed"],
        event_counts=rows["events"],
        events=_matrix("event", EVENT_FIELDS, events[start], events[end]),
        sprite_counts=rows["sprites"],
        sprites=_matrix("sprite", SPRITE_FIELDS, sprites[start], sprites[end]),
        result={k: int(v[0]) for k, v in _part("result", number, number + 1).items()},
        checks=tuple(_check(i) for i in range(first, last)),
    )


def _check(number: int) -> Check:
    values = {k: int(v[0]) for k, v in _part("check", number, number + 1).items()}
    del values["acts"]
    start, end = _ends("check.acts")[number : number + 2]
    return Check(
        it=values.pop("it"),
        preclones=values.pop("preclones"),
        reclone=values.pop("reclone"),
        actions=tuple(_part("act", start, end)["bits"].tolist()),
        expected=values,
    )


def samples() -> list[Sample]:
    """Lists the rows whose observations were recorded in full."""
    index, columns = _archive()
    grids = columns["sample.grids"].reshape(len(index["samples"]), 2, 15, 16, 16)
    return [
        Sample(
            trace=entry["trace"],
            it=entry["it"],
            grids=grid,
            enemies=np.array(entry["enemies"], np.int64).reshape(-1, 3),
            screen_tile=(entry["screen_tile"][0], entry["screen_tile"][1]),
        )
        for entry, grid in zip(index["samples"], grids, strict=True)
    ]


def show(value: int, *, in_hex: bool) -> str:
    """Writes a value as the recorded text does."""
    return f"{value:08x}" if in_hex else str(int(value))


def show_list(entries: Ints, hex_places: frozenset[int]) -> str:
    """Writes a row's events or sprites as the recorded text does."""
    return ";".join(
        ":".join(show(v, in_hex=place in hex_places) for place, v in enumerate(entry))
        for entry in entries.tolist()
    )


def text_lines(trace: Trace) -> Iterator[str]:
    """Yields the lines of the recorded text."""
    yield f"#{trace.header}"
    yield HEADER
    columns = {
        name: [show(value, in_hex=name in HEX_COLUMNS) for value in values.tolist()]
        for name, values in trace.columns.items()
    }
    events = np.split(trace.events, np.cumsum(trace.event_counts)[:-1])
    columns["events"] = [show_list(entries, HEX_EVENT) for entries in events]
    sprites = np.split(trace.sprites, np.cumsum(trace.sprite_counts)[:-1])
    columns["sprites"] = [
        ";".join(filter(None, [show_list(entries, HEX_SPRITE), "M" if listed else ""]))
        for entries, listed in zip(sprites, trace.listed, strict=True)
    ]
    for row in range(trace.rows):
        yield ",".join(columns[name][row] for name in HEADER.split(","))
    result = {k: show(v, in_hex=k in HEX_FIELDS) for k, v in trace.result.items()}
    result["status"] = STATUS_NAMES[trace.result["status"]]
    yield " ".join(["#result", *(f"{k}={v}" for k, v in result.items())])
    for check in trace.checks:
        acts = ".".join(map(str, check.actions))
        how = f"it={check.it} preclones={check.preclones} reclone={check.reclone} acts={acts}"
        shown = [f"{k}={show(v, in_hex=k in HEX_FIELDS)}" for k, v in check.expected.items()]
        yield " ".join(["#fm", how, *shown]).replace(" scrx=", " scr=").replace(" scry=", "/")


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        sys.stdout.writelines(f"{line}\n" for line in text_lines(load(names().index(wanted))))
