"""The state digest is what docs/state-digest.md says: the same words on every machine."""

from __future__ import annotations

import struct

import numpy as np

from ludus.games import platformer, worm
from ludus.games.platformer import Level, World
from ludus.games.worm import World as WormWorld

WORD = 2**64 - 1
LEVEL = "-----------\n--?--o-----\nM---g--K--F\nXXXXXXXXXXX"


def mix(digest: int, word: int) -> int:
    digest = ((digest ^ word) * 0x9E3779B97F4A7C15) & WORD
    return digest ^ (digest >> 29)


def digest_of(text: bytes) -> int:
    """Digest bytes as the page describes it."""
    digest = int.from_bytes(b"sudul", "little")
    for at in range(0, len(text), 8):
        digest = mix(digest, int.from_bytes(text[at : at + 8], "little"))
    return mix(digest, len(text))


def counts(values: dict[int, int]) -> bytes:
    filled = {key: value for key, value in sorted(values.items()) if value}
    pairs = b"".join(struct.pack("<ii", *pair) for pair in filled.items())
    return struct.pack("<i", len(filled)) + pairs


def begun_world(rules: str) -> World:
    return World(Level.parse(LEVEL, rules=rules), time_limit=10, kill_events=[(7, 0)])


def begun_world_of_2009() -> World:
    """Return a world with five templates, of which the first is in sight."""
    rows = [bytes(99)] * 13 + [bytes([0x81] * 99)] * 2
    record = {
        "gen": "soup",
        "width": 99,
        "height": 15,
        "exit": [90, 12],
        "rows": [row.hex() for row in rows],
        "sprites": [[20, 12, 2, 0], *([column, 12, 2, 0] for column in (60, 70, 80, 90))],
    }
    return World(Level.from_record(record), time_limit=10)


def begun_world_of_2010() -> World:
    """Return a small Mario in a room with a multi-coin block and a goomba in sight."""
    rows = [bytes(99)] * 13 + [bytes([0x81] * 99)] * 2
    record = {
        "gen": "marioai4j",
        "width": 99,
        "height": 15,
        "exit": [90, 12],
        "rows": [row.hex() for row in rows],
        "data": [[5, 9, -3]],
        "sprites": [[20, 12, 80], [60, 12, 80]],
    }
    return World(Level.from_record(record), options="-mm 0 -tl 10 -ld 6 -gmm 1")


def write_begun_world(
    world: World,
    kills: bytes = struct.pack("<iBB", 1, 7, 0),
    window: tuple[int, ...] = (-1, 17, -1, 17),
) -> bytes:
    """Write a world that has not been stepped, field by field."""
    mario, level = world.mario, world.level
    physics = struct.pack("<6fiii2B", 3, 0.89, 0.89, 2, 0.6, 2, 7, 8, 30, 0, 0)
    counters = struct.pack("<7i2f4i", 0, 0, world.timer, 1, 0, 0, 0, *world.camera, *window)
    body = struct.pack(
        "<4fb3B", mario.x, mario.y, mario.vx, mario.vy, mario.facing, mario.on_ground, 4, 12
    )
    rest = struct.pack("<fii8B", mario.jump_start_x, 0, 0, 0, 0, 0, 0, mario.may_jump, 1, 1, 1)
    log = (
        struct.pack("<i", 0)
        + 2 * counts({})
        + struct.pack("<7i2f", 0, 0, 0, 0, 0, 0, -100, 0, -100)
    )
    tiles = struct.pack("<ii", level.width, level.height) + np.asarray(world.tiles).tobytes()
    sprites = struct.pack("<i", len(world.sprites))
    heights = {2: 12, 7: 24}
    for key, sprite in enumerate(reversed(world.sprites)):
        speeds = (sprite.x, sprite.y, sprite.vx, sprite.vy)
        sprites += struct.pack(
            "<4fb3B", *speeds, sprite.facing, sprite.on_ground, 4, heights[sprite.kind]
        )
        key = len(world.sprites) - 1 - key
        sprites += struct.pack("<2Biif", sprite.kind, sprite.winged, key, sprite.aux, 0)
    events = struct.pack("<i", 0)
    version = struct.pack("<i", platformer.digest_version())
    return version + physics + kills + counters + body + rest + log + tiles + sprites + events


def test_digest_is_over_the_listed_fields_and_nothing_else() -> None:
    world = begun_world("framework")
    assert world.hash() == digest_of(write_begun_world(world))


def test_rule_set_appends_its_own_fields() -> None:
    world = begun_world("ludus")
    tail = struct.pack("<ii4B", 0, 0, 0, 0, 0, 0)
    assert world.hash() == digest_of(write_begun_world(world) + tail)


def test_rules_of_2009_append_what_the_competition_needs() -> None:
    world = begun_world_of_2009()
    assert [sprite.kind for sprite in world.sprites] == [2]
    common = write_begun_world(world, struct.pack("<i", 0), (-1, 21, -1, 16))
    tail = struct.pack("<7i2f2B", 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)
    tail += struct.pack("<ihBB", 20, 12, 0, 0) + bytes(5) + 2 * counts({})
    assert world.hash() == digest_of(common + tail)


def test_rules_of_2010_append_what_the_benchmark_needs() -> None:
    world = begun_world_of_2010()
    goomba = world.sprites[0]
    assert [sprite.kind for sprite in world.sprites] == [2]
    common = write_begun_world(world, struct.pack("<i", 0), (-1, 21, -1, 16))
    tail = struct.pack("<7i2f2B", 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0)
    tail += struct.pack("<ihBB", 20, 12, 0, 0) + bytes(2)
    tail += struct.pack("<5i", 6, 1, 320, 240, 0)
    tail += struct.pack("<2fQ", 32, 32, 0x5DEECE66D)
    tail += struct.pack("<10i", -1, *[0] * 9) + bytes(5) + bytes(4)
    data = np.zeros((99, 15), np.int8)
    data[5, 9] = -3
    tail += data.tobytes() + struct.pack("<2f", 328, 207)
    assert goomba.x != 328
    assert world.hash() == digest_of(common + tail)


def test_digests_stay_as_they_were_recorded() -> None:
    world = begun_world("framework")
    world.run(np.full(40, 10, np.uint8))
    dish = WormWorld("foraging-small", seed=7)
    dish.run(bytes(range(4)) * 5)
    assert (platformer.digest_version(), worm.digest_version()) == (2, 2)
    assert (f"{world.hash():016x}", f"{dish.hash():016x}") == (
        "baa86a3a7190dee5",
        "1bbd8db00ad27a12",
    )
