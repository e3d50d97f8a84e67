"""What benchmarks are built from."""

from __future__ import annotations

import hashlib

import pytest

from ludus.benchmarks.building import derive_seed, one_of, read_fact, whole_number
from ludus.errors import OptionError


def test_seeds_are_the_first_bits_of_a_digest() -> None:
    digest = hashlib.sha256(b"diplomacy@1 3 4").digest()
    assert derive_seed("diplomacy@1", 3, 4) == int.from_bytes(digest[:4], "big") // 2
    wide = derive_seed("diplomacy@1", 3, 4, bits=53)
    assert wide == int.from_bytes(digest[:8], "big") // 2**11
    assert wide < 2**53


def test_seeds_differ_by_benchmark_run_and_episode() -> None:
    seeds = {derive_seed(a, b, c) for a in ("x@1", "y@1") for b in (0, 1) for c in range(50)}
    assert len(seeds) == 200
    assert max(seeds) < 2**31


def test_a_fact_without_a_value_counts_as_0() -> None:
    coins = read_fact("coins")
    assert (coins({"coins": 3}), coins({"coins": None})) == (3.0, 0.0)
    with pytest.raises(KeyError):
        coins({})


def test_options_are_checked() -> None:
    assert one_of("press", ("full", "none"))("full") == "full"
    with pytest.raises(OptionError, match="no press 'loud'; there are full, none"):
        one_of("press", ("full", "none"))("loud")
    assert whole_number("year", 1901, 1999)("01905") == "1905"
    for value in ("1900", "2000", "-1905", "1905.0", "x", ""):
        with pytest.raises(OptionError, match="is not a whole number from 1901 to 1999"):
            whole_number("year", 1901, 1999)(value)
