"""A state of a world may come from anybody: it is refused, or it can do no harm.

The soup in ``tests/native`` forges states with a right checksum, under the sanitizers, and plays on
from those that get in.
"""

from __future__ import annotations

import random

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
