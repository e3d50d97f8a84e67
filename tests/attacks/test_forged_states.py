"""A state of a world may come from anybody: it is refused, or it can do no harm.

The soup in ``tests/native`` forges states with a right checksum, under the sanitizers, and plays on
from those that get in.
"""

from __future__ import annotations

import random
import struct

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, World

LEVEL = Level.parse("--v-----------\nM-=S-g-Tnk-NoF\nXXXXXXXXXXXXXX", rules="ludus")


def test_no_flipped_bit_and_no_cut_gets_in() -> None:
    world, victim = World(LEVEL), World(LEVEL)
    for action in (10, 26, 26, 10):
        world.step(action)
    state, before = world.clone_state(), victim.hash()
    for at in range(len(state)):
        flipped = bytearray(state)
        flipped[at] ^= 1 << at % 8
        for wrong in (bytes(flipped), state[:at]):
            with pytest.raises(OptionError):
                victim.restore_state(wrong)
    assert victim.hash() == before


def test_noise_is_refused() -> None:
    chance, victim = random.Random(1), World(LEVEL)
    for size in range(0, 2000, 7):
        with pytest.raises(OptionError):
            victim.restore_state(chance.randbytes(size))


def test_a_forged_state_opens_no_hole_in_the_ground() -> None:
    level = Level.parse("------\nMoo--F\nXXXXXX")
    world, victim = World(level), World(level)
    while world.coins < 2:
        world.step(2)
    state, ground = world.clone_state(), victim.tiles[:, -1].tolist()
    accepted = 0
    for at in range(HEAD, len(state)):
        forged = seal(state[:at] + b"\0" + state[at + 1 :])
        try:
            victim.restore_state(forged)
        except OptionError:
            continue
        accepted += 1
        assert victim.tiles[:, -1].tolist() == ground, at
    assert accepted


HEAD, WORD = 40, (1 << 64) - 1


def seal(state: bytes) -> bytes:
    """Write the right checksum into a state, as ``native/common/seal.h`` does."""
    sums, total, at = [1, 2, 3, 4], len(state), HEAD
    while at + 32 <= len(state):
        sums = [mix(s, w) for s, w in zip(sums, struct.unpack_from("<4Q", state, at), strict=True)]
        at += 32
    rest = state[at:] + bytes(8 - (len(state) - at) % 8)
    for word in [*struct.unpack(f"<{len(rest) // 8}Q", rest), *sums]:
        total = mix(total, word)
    return state[: HEAD - 8] + struct.pack("<Q", total) + state[HEAD:]


def mix(total: int, word: int) -> int:
    total = (total ^ word) * 0x9E3779B97F4A7C15 & WORD
    return total ^ total >> 29
