"""What agents of 2009 and 2010 see is what the recordings of those engines hash."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

import numpy as np
import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, Physics, World, trace_row
from ludus.games.platformer.environments import PlatformerEnv
from ludus.games.platformer.generators import generate
from ludus.games.platformer.interfaces import Interface2009, Interface2010
from ludus.games.platformer.records import VECTOR_FIELDS

SAFE = Physics(invulnerable=True)
OFFSET, PRIME = 0x811C9DC5, 0x01000193


def fnv(data: bytes) -> int:
    hashed = OFFSET
    for byte in data:
        hashed = (hashed ^ byte) * PRIME & 0xFFFFFFFF
    return hashed


def short(data: bytes) -> str:
    hashed = fnv(data)
    return f"{(hashed ^ hashed >> 16) & 0xFFFF:04x}"


def plays(level: Level, ticks: int, **options: object) -> Iterator[World]:
    """Yield a world now and then while buttons are held at random."""
    world = World(level, **options)  # type: ignore[arg-type]
    drawn, action = random.Random(1), 0
    for tick in range(ticks):
        if world.status:
            return
        if tick % 12 == 0:
            yield world
            action = 2 | drawn.choice([0, 8, 16, 24, 8, 24])
        world.step(action)


def level_2009() -> Level:
    return generate("notch-2009", seed=11, difficulty=10)


def level_2010() -> Level:
    return generate("tunable-2010", seed=7, difficulty=6, creatures="", hidden_blocks=True)


def test_2009_is_seen_as_it_was_recorded() -> None:
    seen = 0
    for world in plays(level_2009(), 600, mode=2, time_limit=200):
        shown, row = Interface2009(world), trace_row(world)
        merged = b"".join(shown.merged(a, b).tobytes() for a in range(3) for b in range(3))
        bits = shown.level_bitmap.encode("utf-16-le")
        for detail in range(3):
            assert short(shown.level_scene(detail).tobytes()) == row[f"s{detail}"]
            assert short(shown.enemies(detail).tobytes()) == row[f"e{detail}"]
        assert (short(merged), short(bits)) == (row["mrg"], row["bm"])
        assert short(shown.enemies_float_pos.astype("<f4").tobytes()) == row["fpos"]
        assert shown.may_mario_jump == (row["mayJ"] == "1")
        assert shown.mario_float_pos == (world.mario.x, world.mario.y)
        seen += len(shown.enemies_float_pos)
    assert seen
    assert (len(shown.enemies_bitmap), ord(shown.enemies_bitmap[-1])) == (61, 15)


def hash_entities(shown: Interface2010) -> str:
    mario = shown.mario
    numbers = (mario.in_tile_x, mario.in_tile_y, mario.may_shoot, mario.time_spent, mario.time_left)
    data = struct.pack("<2f5if", mario.speed_x, mario.speed_y, *numbers, mario.height)
    for e in shown.entity_list():
        places = (e.dx, e.dy, e.height, e.speed_x, e.speed_y)
        data += struct.pack("<4i5f", e.type, e.moving, e.column, e.row, *places)
    return f"{fnv(data):08x}"


@pytest.mark.parametrize("options", ["-mm 2", "-mm 1 -rfw 11 -rfh 7 -ze 1 -zs 2", "-mer 3 -mec 15"])
def test_2010_is_seen_as_it_was_recorded(options: str) -> None:
    seen = 0
    for world in plays(level_2010(), 500, options=options):
        shown, row = Interface2010(world), trace_row(world)
        for detail in range(3):
            assert f"{fnv(shown.tiles(detail).tobytes()):08x}" == row[f"T{detail}"]
            assert f"{fnv(shown.entities(detail).tobytes()):08x}" == row[f"E{detail}"]
        assert hash_entities(shown) == row["EL"]
        floats = shown.enemies_float_pos.astype("<f4").tobytes()
        assert f"{fnv(floats + shown.vector.astype('<i4').tobytes()):08x}" == row["EF"]
        assert shown.creatures_float_pos[0] == world.mario.x
        seen += len(shown.entity_list())
    assert seen


def test_an_interface_is_for_worlds_of_its_rules() -> None:
    with pytest.raises(OptionError, match="a world of the rules '2009' is not seen as in 2010"):
        Interface2010(World(level_2009()))
    with pytest.raises(OptionError, match="a world of the rules '2010' is not seen as in 2009"):
        Interface2009(World(level_2010()))


def test_environments_show_what_agents_of_2009_see() -> None:
    parts = ("scene", "enemies", "merged", "bitmap")
    env = PlatformerEnv(levels=level_2009(), mode=2, observation=parts, layout="rows")
    observation, _ = env.reset(seed=1)
    for _ in range(40):
        shown = Interface2009(env.world)
        assert isinstance(observation, dict)
        assert env.observation_space.contains(observation)
        assert np.array_equal(observation["scene"], shown.level_scene())
        assert np.array_equal(observation["enemies"], shown.enemies())
        assert np.array_equal(observation["merged"], shown.merged())
        assert "".join(map(chr, observation["bitmap"])) == shown.level_bitmap
        observation, *_ = env.step(np.array([0, 1, 0, 1, 0], np.int8))


@pytest.mark.parametrize("options", [None, "-rfw 9 -rfh 13 -zs 1 -ze 2 -mm 1"])
def test_environments_show_what_agents_of_2010_see(options: str | None) -> None:
    parts = ("scene", "enemies", "vector")
    level = generate("tunable-2010", seed=7, difficulty=3, creatures="g")
    env = PlatformerEnv(
        levels=level, mode=2, observation=parts, layout="rows", options=options, physics=SAFE
    )
    observation, _ = env.reset(seed=1)
    for _ in range(40):
        shown = Interface2010(env.world)
        assert isinstance(observation, dict)
        assert env.observation_space.contains(observation)
        assert np.array_equal(observation["scene"], shown.tiles())
        assert np.array_equal(observation["enemies"], shown.entities())
        assert np.array_equal(observation["vector"], shown.vector)
        observation, *_ = env.step(np.array([0, 1, 0, 1, 0, 0], np.int8))
    assert isinstance(observation, dict)
    assert dict(zip(VECTOR_FIELDS, observation["vector"], strict=True))["status"] == 2
