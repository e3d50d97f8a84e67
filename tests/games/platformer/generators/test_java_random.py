"""The stream of java.util.Random, against values that OpenJDK 17 printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.games.platformer._native import JavaRandom

SEEDS = st.integers(-(2**63), 2**63 - 1)


def test_whole_numbers() -> None:
    random = JavaRandom(0)
    assert [random.next_int() for _ in range(3)] == [-1155484576, -723955400, 1033096058]
    assert JavaRandom(-5).next_int() == 1156638822
    assert JavaRandom(42).next_int() == -1170105035


def test_only_48_bits_of_a_seed_count() -> None:
    assert JavaRandom(-(2**63)).next_int() == JavaRandom(0).next_int()


@pytest.mark.parametrize(
    ("bound", "numbers"),
    [
        (100, [30, 63, 48, 84, 70, 25, 5, 18]),
        (10, [0, 3, 8, 4, 0, 5, 5, 8]),
        (35, [15, 33, 13, 24, 5, 25, 15, 3]),
        (16, [11, 0, 10, 0, 4, 15, 4, 11]),
        (2**30, [781215565, 58696381, 733605624, 51474442, 331484985, 1011543762]),
        (2**30 + 1, [117392763, 102948884, 662969970, 595021505, 196118093, 969067502]),
    ],
)
def test_numbers_below_a_bound(bound: int, numbers: list[int]) -> None:
    random = JavaRandom(42)
    assert [random.next_below(bound) for _ in numbers] == numbers


def test_fractions_coins_and_gaussians() -> None:
    random = JavaRandom(42)
    assert [random.next_double(), random.next_double()] == [0.7275636800328681, 0.6832234717598454]
    random = JavaRandom(42)
    coins = [random.next_bool() for _ in range(8)]
    assert coins == [True, False, True, False, False, True, False, True]
    random = JavaRandom(42)
    gaussians = [random.next_gaussian() for _ in range(3)]
    assert gaussians == pytest.approx(
        [1.1419053154730547, 0.9194079489827879, -0.9498666368908959], rel=1e-15
    )


@given(SEEDS, st.integers(1, 2**31 - 1))
def test_draws_stay_below_their_bound(seed: int, bound: int) -> None:
    random = JavaRandom(seed)
    assert all(0 <= random.next_below(bound) < bound for _ in range(20))


def test_a_bound_must_be_positive() -> None:
    with pytest.raises(ValueError):
        JavaRandom(0).next_below(0)
