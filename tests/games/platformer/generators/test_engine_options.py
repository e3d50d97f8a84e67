"""The options of the engine's generators are those of the records that users fill."""

from __future__ import annotations

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Physics, _native
from ludus.games.platformer.generators import generate, load
from ludus.games.platformer.generators.reach import find_reach

GENERATORS = ("ludus", "notch-2009", "notch-framework", "tunable-2010")


@pytest.mark.parametrize("name", GENERATORS)
def test_defaults_are_the_same(name: str) -> None:
    engine = _native.generator_options(name)
    defaults = load(name).options()
    shared = {key: value for key, value in defaults if key in engine and isinstance(value, int)}
    assert len(shared) >= 4
    assert {key: engine[key][0] for key in shared} == shared


def test_reach_is_that_of_the_reference() -> None:
    engine = _native.generator_options("ludus")
    found = tuple(engine[f"reach_{name}"][0] for name in ("up", "across", "far"))
    assert found == find_reach(Physics(), 16)


@pytest.mark.parametrize("name", GENERATORS)
def test_engine_alone_makes_the_same_level(name: str) -> None:
    text, rules, described = _native.generate(name, [("seed", 3)])
    level = generate(name, seed=3)
    assert level.text == text
    assert described or level.rules == rules
    assert not described or level.tiles.tobytes() == described[0]


def test_seeds_of_64_bits_differ() -> None:
    largest, _, _ = _native.generate("ludus", [("seed", 2**64 - 1)])
    assert largest == generate("ludus", seed=2**64 - 1).text
    assert largest != generate("ludus", seed=2**63 - 1).text


def test_engine_refuses_what_it_does_not_know() -> None:
    with pytest.raises(OptionError, match="no option 'colour' of ludus"):
        _native.generate("ludus", [("colour", 1)])
    with pytest.raises(OptionError, match="length 49 is out of range: give 50 to 4096"):
        _native.generate("ludus", [("length", 49)])
    with pytest.raises(OptionError, match="no generator 'maze'"):
        _native.generate("maze", [])
    assert _native.generator_options("maze") == {}
