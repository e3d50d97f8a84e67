"""Replays every recording of the engine of 2009 and compares every column of every row."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import pytest
from tests.conformance.recordings import Run, first_difference, load

from ludus.games.platformer import Level, World, evaluate, replay, trace_row

FILE = "2009.xz"
SIDE = 22
GROUPS = 12


def begin(run: Run) -> World:
    """Return the world of a recording, in the state of its first row."""
    return World(
        Level.from_record(run.level),
        rules="2009",
        mode=int(run.header["mode"]),
        time_limit=int(run.header["timelimit"]),
    )


def play_rows(run: Run, world: World) -> Iterator[str]:
    """Yield the rows of a replay as text."""
    yield ",".join(trace_row(world).values())
    for action in run.actions[1:]:
        if world.status:
            return
        world.step(action)
        yield ",".join(trace_row(world).values())


def figures(world: World) -> dict[str, str]:
    """Return the figures of a recording's last line."""
    e = evaluate(world)
    distance = struct.pack(">f", e.distance).hex()
    numbers = {
        "cells": e.cells,
        "timeSpent": e.time_spent,
        "timeLeft": e.time_left,
        "coins": e.coins,
        "mode": e.mode,
        "ticks": e.ticks,
    }
    return {"status": str(e.status), "distance": distance} | {k: str(v) for k, v in numbers.items()}


def describe_difference(run: Run) -> str | None:
    """Replay a recording and describe the first difference, or return None."""
    world = begin(run)
    difference = first_difference(run, list(play_rows(run, world)))
    if difference:
        return difference
    found = figures(world)
    if found != run.result:
        return f"{run.name}: expected {run.result}, got {found}"
    again = replay(
        world.level,
        run.actions[1:],
        int(run.header["mode"]),
        int(run.header["timelimit"]),
        rules="2009",
    )
    if again.hash() != world.hash():
        return f"{run.name}: replay() does not end where step() ends"
    return None


@pytest.mark.parametrize("group", range(GROUPS))
def test_the_engine_does_what_was_recorded(group: int) -> None:
    runs = load(FILE)[0][group::GROUPS]
    differences = [d for d in map(describe_difference, runs) if d]
    assert not differences, "\n".join(differences)


def test_all_recordings_are_there() -> None:
    runs = load(FILE)[0]
    assert len(runs) == 372
    assert sum(len(run.rows) for run in runs) == 121_805
    world = begin(runs[0])
    assert list(trace_row(world)) == list(runs[0].columns)


def test_a_differing_row_is_told_with_its_columns() -> None:
    run = load(FILE)[0][0]
    rows = list(play_rows(run, begin(run)))
    assert first_difference(run, rows) is None
    changed = rows[7].split(",")
    changed[9] = "2"
    told = first_difference(run, [*rows[:7], ",".join(changed), *rows[8:]])
    assert told == f"{run.name}: row 7 differs; columns mode"
    assert (
        first_difference(run, rows[:-1])
        == f"{run.name}: {len(rows) - 1} rows instead of {len(rows)}"
    )


def samples() -> list[dict[str, Any]]:
    return load(FILE)[1]


GRIDS: tuple[tuple[str, Literal["scene", "enemies", "merged"], int | tuple[int, int]], ...] = (
    *((f"s{detail}", "scene", detail) for detail in range(3)),
    *((f"e{detail}", "enemies", detail) for detail in range(3)),
    ("m10", "merged", (1, 0)),
    ("m00", "merged", (0, 0)),
)


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: f"{sample['file']}-{sample['it']}")
def test_the_observations_are_those_recorded_in_full(sample: dict[str, Any]) -> None:
    name = sample["file"].split("/")[-1].split(".")[0]
    run = next(run for run in load(FILE)[0] if run.name == name)
    world = begin(run)
    world.run(np.frombuffer(run.actions[1 : sample["it"] + 1], np.uint8))
    for key, kind, detail in GRIDS:
        seen = world.observe(kind, detail=detail, size=SIDE).astype(np.int8).T
        np.testing.assert_array_equal(seen, sample[key], key)
    listed = [
        value
        for kind, x, y in world.enemies().tolist()
        for value in (int(kind), struct.pack(">f", x).hex(), struct.pack(">f", y).hex())
    ]
    assert listed == sample["float"]
