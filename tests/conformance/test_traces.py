"""Replays every recorded trace and compares every recorded figure, floats by their bits.

`pytest tests/conformance` runs all of them; `python -m tests.conformance.test_traces 0001 f10047`
runs those whose name contains one of the words and writes the first difference of each.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from tests.conformance.traces import (
    COLUMNS,
    HEX_COLUMNS,
    HEX_EVENT,
    HEX_FIELDS,
    HEX_SPRITE,
    Check,
    Ints,
    Sample,
    Trace,
    load,
    names,
    samples,
    show,
    show_list,
    text_lines,
)

from ludus.games.platformer import ForwardModel, Level, World, replay, trace_row

GROUP_SIZE = 10
DETAILS = (0, 1, 2)
GRIDS: tuple[tuple[Literal["scene", "enemies", "merged"], int | tuple[int, int]], ...] = (
    *(("scene", detail) for detail in DETAILS),
    *(("enemies", detail) for detail in DETAILS),
    *(("merged", (scene, enemies)) for scene in DETAILS for enemies in DETAILS),
)
CENTRES: tuple[Literal["mario", "screen"], ...] = ("mario", "screen")

FNV_OFFSET = 0x811C9DC5
FNV_PRIME = 0x01000193
FLOAT_COLUMNS = ("mx", "my", "mxa", "mya", "xjs", "camx", "camy")
# SHA-256 of the recorded texts: name, newline, text of each trace, then id and text of each level.
RECORDED = "f32ff73076115dad31aaa010425d344147208909f48c83f2fc22ba86026a195f"


def fnv_rows(values: npt.NDArray[np.int32], *, zero_bytes: int) -> Ints:
    """Hashes each row of byte values, each value followed by `zero_bytes` zeros."""
    assert values.size == 0 or (values.min() >= 0 and values.max() <= 255)
    factor = np.uint32(pow(FNV_PRIME, 1 + zero_bytes, 1 << 32))
    hashes = np.full(len(values), FNV_OFFSET, np.uint32)
    for column in np.ascontiguousarray(values.T, np.uint32):
        np.bitwise_xor(hashes, column, out=hashes)
        np.multiply(hashes, factor, out=hashes)
    return hashes.astype(np.int64)


def fnv_bytes(data: bytes) -> int:
    value = FNV_OFFSET
    for byte in data:
        value = (value ^ byte) * FNV_PRIME & 0xFFFFFFFF
    return value


def bits(values: Any) -> Ints:
    """Gives the binary32 bits of floats as integers."""
    return np.asarray(values, np.float32).view(np.uint32).astype(np.int64)


def observe_all(model: World | ForwardModel, out: npt.NDArray[np.int32]) -> None:
    """Fills `out` [centre, grid, column, row] with the thirty grids of the hash columns."""
    for centre, grids in zip(CENTRES, out, strict=True):
        for (kind, detail), grid in zip(GRIDS, grids, strict=True):
            grid[...] = model.observe(kind, detail=detail, centre=centre)


def run_check(world: World, check: Check) -> ForwardModel:
    """Runs one forward-model check and returns the model after it."""
    model = world.forward_model()
    for _ in range(check.preclones):
        model = model.clone()
    for index, action in enumerate(check.actions):
        if index == check.reclone:
            model = model.clone()
        model.advance(action)
    return model


def describe_model(model: ForwardModel, out: npt.NDArray[np.int32]) -> dict[str, int]:
    """Gives the getters of a check; the grids go to `out` and are hashed later."""
    observe_all(model, out)
    mario, enemies = model.mario, model.enemies()
    x, y, vx, vy = bits([mario.x, mario.y, mario.vx, mario.vy]).tolist()
    return {
        "x": x,
        "y": y,
        "xa": vx,
        "ya": vy,
        "status": model.status,
        "mode": mario.mode,
        "onG": mario.on_ground,
        "mayJ": mario.may_jump,
        "canHigher": model.can_jump_higher,
        "timer": model.timer,
        "coins": model.coins,
        "lives": model.lives,
        "fall": model.kills_by_fall,
        "fire": model.kills_by_fire,
        "shell": model.kills_by_shell,
        "stomp": model.kills_by_stomp,
        "mush": model.mushrooms,
        "flow": model.flowers,
        "bricks": model.bricks,
        "nen": len(enemies),
        "enH": fnv_bytes(np.ascontiguousarray(enemies, "<f4").tobytes()),
        "scrx": model.screen_tile[0],
        "scry": model.screen_tile[1],
    }


def run_result(world: World) -> dict[str, int]:
    r = world.result()
    completion, max_x_jump = bits([r.completion, r.max_x_jump]).tolist()
    return {
        "status": r.status,
        "completion": completion,
        "remaining": r.remaining_time,
        "mode": r.mode,
        "killsTotal": r.kills_total,
        "fire": r.kills_by_fire,
        "stomp": r.kills_by_stomp,
        "shell": r.kills_by_shell,
        "fall": r.kills_by_fall,
        "hurts": r.hurts,
        "bumpQ": r.bump_question,
        "bumpBrick": r.bump_brick,
        "jumps": r.jumps,
        "maxXJump": max_x_jump,
        "maxAir": r.max_jump_air_time,
        "lives": r.lives,
        "coins": r.coins,
        "mushrooms": r.mushrooms,
        "flowers": r.flowers,
        "tileCoins": r.tile_coins,
        "bricks": r.destroyed_bricks,
        "totalCoins": r.total_coins,
        "its": r.ticks,
    }


def kills_by_kind(trace: Trace) -> dict[int, int]:
    """Counts the stomp, fire and shell kills of the recorded log by the kind of the victim."""
    logged = trace.events[trace.event_counts[0] :]
    return dict(Counter(sorted(logged[np.isin(logged[:, 0], (2, 3, 4)), 1].tolist())))


class Recording:
    """Runs the actions of a trace on this engine and keeps what the trace kept."""

    def __init__(self, trace: Trace) -> None:
        actions = trace.columns["act"].tolist()
        self.world = World(Level.parse(trace.level), trace.mode, trace.timer, trace.kill)
        self.returned = [self.world.status]
        self.ints: list[tuple[int, ...]] = []
        self.floats: list[tuple[float, ...]] = []
        self.events: list[list[Any]] = []
        self.sprites: list[list[Any]] = []
        self.tile_index: list[int] = []
        self.tile_arrays: dict[bytes, int] = {}
        self.checks: list[dict[str, int]] = []
        rows, checks = trace.rows, len(trace.checks)
        grids = np.zeros((rows + checks, 2, len(GRIDS), 16, 16), np.int32)
        due = {check.it: (index, check) for index, check in enumerate(trace.checks)}
        for row, action in enumerate(actions):
            if row:
                if self.world.status:
                    break
                self.returned.append(self.world.step(action))
            self._keep_row(action)
            observe_all(self.world, grids[row])
            if row in due:
                index, check = due[row]
                model = run_check(self.world, check)
                self.checks.append(describe_model(model, grids[rows + index]))
        lanes = grids.reshape(2 * len(grids), -1)
        self.hashes = fnv_rows(lanes, zero_bytes=3).reshape(-1, 2)
        for index, got in enumerate(self.checks):
            got["obsM"], got["obsS"] = self.hashes[rows + index].tolist()

    def _keep_row(self, action: int) -> None:
        world, mario, result = self.world, self.world.mario, self.world.result()
        self.ints.append(
            (
                result.ticks,
                action,
                world.tick,
                world.timer,
                world.status,
                world.pause,
                mario.mode,
                mario.on_ground,
                mario.was_on_ground,
                mario.may_jump,
                mario.ducking,
                mario.can_shoot,
                mario.jump_time,
                mario.invulnerable,
                mario.facing,
                mario.height,
                mario.alive,
                world.coins,
                world.lives,
                world.fireballs,
                result.kills_by_stomp,
                result.kills_by_fire,
                result.kills_by_shell,
                result.kills_by_fall,
                mario.listed,
            )
        )
        self.floats.append(
            (mario.x, mario.y, mario.vx, mario.vy, mario.jump_start_x, *world.camera)
        )
        self.events.append(world.events)
        self.sprites.append(world.sprites)
        tiles = np.ascontiguousarray(world.tiles, np.uint8).tobytes()
        self.tile_index.append(self.tile_arrays.setdefault(tiles, len(self.tile_arrays)))

    def columns(self) -> dict[str, Ints]:
        ints = np.array(self.ints, np.int64)
        floats = bits(self.floats)
        int_columns = [c for c in (*COLUMNS, "listed") if c not in HEX_COLUMNS]
        found = {name: ints[:, i] for i, name in enumerate(int_columns)}
        found |= {name: floats[:, i] for i, name in enumerate(FLOAT_COLUMNS)}
        tiles = np.array([list(data) for data in self.tile_arrays], np.int32)
        found["tileH"] = fnv_rows(tiles, zero_bytes=0)[self.tile_index]
        found["obsM"] = self.hashes[: len(ints), 0]
        found["obsS"] = self.hashes[: len(ints), 1]
        return found

    def event_table(self) -> Ints:
        flat = [event for row in self.events for event in row]
        table = np.zeros((len(flat), 6), np.int64)
        if flat:
            table[:, [0, 1, 4, 5]] = [(e.kind, e.param, e.mode, e.tick) for e in flat]
            table[:, 2:4] = bits([(e.x, e.y) for e in flat])
        return table

    def sprite_table(self) -> Ints:
        flat = [sprite for row in self.sprites for sprite in row]
        table = np.zeros((len(flat), 8), np.int64)
        if flat:
            table[:, [0, 5, 6, 7]] = [
                (s.kind, s.facing, s.on_ground + 2 * s.winged, s.aux) for s in flat
            ]
            table[:, 1:5] = bits([(s.x, s.y, s.vx, s.vy) for s in flat])
        return table


def list_difference(
    counts: Ints, table: Ints, got_counts: Ints, got_table: Ints, hex_places: frozenset[int]
) -> tuple[int, str, str] | None:
    """Gives the first row whose list differs, with both lists as text."""
    rows = min(len(counts), len(got_counts))
    if np.array_equal(counts[:rows], got_counts[:rows]):
        total = int(counts[:rows].sum())
        if np.array_equal(table[:total], got_table[:total]):
            return None
    start = got_start = 0
    for row in range(rows):
        wanted = table[start : start + counts[row]]
        got = got_table[got_start : got_start + got_counts[row]]
        if not np.array_equal(wanted, got):
            return row, show_list(wanted, hex_places), show_list(got, hex_places)
        start += int(counts[row])
        got_start += int(got_counts[row])
    return None


def row_differences(trace: Trace, run: Recording) -> Iterator[tuple[int, int, str, str, str]]:
    """Yields, for each differing column, (row, place of the column, name, wanted, got)."""
    found = run.columns()
    wanted = {**trace.columns, "listed": trace.listed}
    for place, name in enumerate(wanted):
        got, want = found[name], wanted[name][: len(found[name])]
        wrong = np.flatnonzero(got != want)
        if wrong.size:
            row = int(wrong[0])
            hexed = name in HEX_COLUMNS
            yield row, place, name, show(want[row], in_hex=hexed), show(got[row], in_hex=hexed)
    events = (trace.event_counts, trace.events, run.events, run.event_table(), HEX_EVENT)
    sprites = (trace.sprite_counts, trace.sprites, run.sprites, run.sprite_table(), HEX_SPRITE)
    for name, (counts, table, got_rows, got_table, hexes) in (
        ("events", events),
        ("sprites", sprites),
    ):
        got_counts = np.array([len(row) for row in got_rows], np.int64)
        difference = list_difference(counts, table, got_counts, got_table, hexes)
        if difference:
            yield difference[0], len(wanted), name, difference[1], difference[2]


def first_difference(trace: Trace) -> str | None:
    """Replays a trace and describes the first difference, or gives None if there is none."""
    try:
        run = Recording(trace)
    except Exception as error:
        error.add_note(f"while replaying {trace.name}")
        raise
    rows = len(run.ints)
    difference = min(row_differences(trace, run), default=None)
    if difference:
        row, _, column, wanted, got = difference
        return f"{trace.name}: it={row} {column}: expected {wanted}, got {got}"
    if rows != trace.rows:
        return f"{trace.name}: ended after it={rows - 1}, expected it={trace.rows - 1}"
    if run.returned != trace.columns["status"].tolist():
        return f"{trace.name}: step() returned {run.returned[-1]} at the end"
    fields = [("#result", trace.result, run_result(run.world))]
    fields += [
        (f"#fm it={check.it}", check.expected, got)
        for check, got in zip(trace.checks, run.checks, strict=True)
    ]
    for where, expected, found in fields:
        assert expected.keys() == found.keys()
        for name, value in expected.items():
            if found[name] != value:
                hexed = name in HEX_FIELDS
                wanted, got = show(value, in_hex=hexed), show(found[name], in_hex=hexed)
                return f"{trace.name}: {where} {name}: expected {wanted}, got {got}"
    kills = kills_by_kind(trace)
    if run.world.result().kills_by_kind != kills:
        got = str(run.world.result().kills_by_kind)
        return f"{trace.name}: kills by kind: expected {kills}, got {got}"
    again = replay(
        run.world.level,
        trace.columns["act"][1:].astype(np.uint8),
        trace.mode,
        trace.timer,
        trace.kill,
    )
    if again.hash() != run.world.hash() or again.result() != run.world.result():
        return f"{trace.name}: replay() does not end where step() ends"
    return None


def groups() -> list[Any]:
    every = names()
    starts = range(0, len(every), GROUP_SIZE)
    return [
        pytest.param(
            range(start, min(start + GROUP_SIZE, len(every))),
            id=f"{every[start]}..{every[min(start + GROUP_SIZE, len(every)) - 1]}",
        )
        for start in starts
    ]


@pytest.mark.parametrize("indices", groups())
def test_the_engine_does_what_was_recorded(indices: range) -> None:
    differences = [d for d in (first_difference(load(index)) for index in indices) if d]
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: f"{sample.trace}-{sample.it}")
def test_the_observations_are_those_recorded_in_full(sample: Sample) -> None:
    trace = load(names().index(sample.trace))
    actions = trace.columns["act"][1 : sample.it + 1].astype(np.uint8)
    world = replay(Level.parse(trace.level), actions, trace.mode, trace.timer, trace.kill)
    for centre, grids in zip(CENTRES, sample.grids, strict=True):
        for (kind, detail), grid in zip(GRIDS, grids, strict=True):
            got = world.observe(kind, detail=detail, centre=centre)
            np.testing.assert_array_equal(got, grid, f"{kind} {detail} around {centre}")
    np.testing.assert_array_equal(bits(world.enemies()), sample.enemies)
    assert world.screen_tile == sample.screen_tile


@pytest.mark.parametrize("index", range(0, len(names()), 25))
def test_rows_are_written_as_they_were_recorded(index: int) -> None:
    trace = load(index)
    _, header, *recorded = text_lines(trace)
    world = World(Level.parse(trace.level), trace.mode, trace.timer, trace.kill)
    for number, action in enumerate(trace.columns["act"].tolist()):
        if number:
            world.step(action)
        found = [str(number), str(action), *trace_row(world).values()]
        assert ",".join(found) == recorded[number]
    assert ["it", "act", *trace_row(world)] == header.split(",")


def test_the_packed_traces_are_the_recorded_ones() -> None:
    digest = hashlib.sha256()
    levels: dict[str, str] = {}
    for index, name in enumerate(names()):
        trace = load(index)
        levels[trace.level_id] = trace.level
        digest.update("\n".join([name, *text_lines(trace), ""]).encode())
    for level_id in sorted(levels):
        digest.update(f"{level_id}\n{levels[level_id]}".encode())
    assert digest.hexdigest() == RECORDED


def main(words: list[str]) -> int:
    failed = 0
    for index, name in enumerate(names()):
        if not words or any(word in name for word in words):
            difference = first_difference(load(index))
            failed += difference is not None
            sys.stdout.write(f"{difference}\n" if difference else f"{name}: same\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
